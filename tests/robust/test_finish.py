"""The end of a run: the map is marked complete, and compressed if asked for. It is the same whichever rank writes."""
import os
import re
import shutil
import signal
import stat
import subprocess
import time

import h5py
import numpy as np
import robust
from robust import (Case, data_by_every_reader, is_marked_complete, null_sweep, patience)
from support import (BAD_INPUT, FAILURE, OK, STOPPED, command, digest_of_bytes, environment,
                     marked_processes)

SMALL = null_sweep(300, 100, 1e-6)
LARGE = null_sweep(2000, 1000)  # its compression takes about a second
RUN = ("run", "x.yaml", "-o", "map.h5", "--progress", "none")


class Maps(Case):
    given = {"x.yaml": SMALL}

    def setup_method(self):
        super().setup_method()
        self.map = self.path("map.h5")

    def check_intact(self):
        robust.opens_with_every_reader(self.map)
        assert robust.count_right_cells(self.map) == self.info("map.h5")["cells"]
        assert is_marked_complete(self.map)


class Finished(Maps):
    def dump(self):
        """The values of the map as ncdump prints them."""
        text = subprocess.run(["ncdump", "-v", "value,mode,outcome", "-p", "9,17", self.map],
                              capture_output=True, text=True, check=True).stdout
        text = text[text.index("data:"):]
        found = {}
        for name in ("value", "mode", "outcome"):
            numbers = re.search(rf" {name} =([^;]*);", text)[1]
            found[name] = np.array([float(word) for word in numbers.split(",")])
        return found

    def test_a_map_is_marked_complete(self):
        for ranks in (0, 3):
            self.good(*RUN, "--force", "--time-limit", "1e-9", ranks=ranks, code=STOPPED)
            assert not is_marked_complete(self.map)
            self.good(*RUN, "--resume", ranks=ranks)
            assert is_marked_complete(self.map)

    def test_a_kill_before_the_last_mark_of_all(self):
        # Every cell is done, but the map is not marked complete.
        self.good(*RUN)
        with h5py.File(self.map, "r+") as file:
            file["run/complete"][()] = 0
        self.good(*RUN, "--resume")
        assert is_marked_complete(self.map)

    def test_the_compressed_map_reads_the_same(self):
        for ranks in (0, 2):
            self.good(*RUN, "--force")
            size, digest = os.path.getsize(self.map), self.digest("map.h5")
            plain = data_by_every_reader(self.map)
            self.good(*RUN, "--force", "--compress", ranks=ranks)
            assert os.path.getsize(self.map) < size
            assert self.digest("map.h5") == digest
            assert is_marked_complete(self.map)
            assert self.files() == ["map.h5", "x.yaml"]
            packed = data_by_every_reader(self.map) | {"ncdump": self.dump()}
            for reader, arrays in packed.items():
                for name, array in arrays.items():
                    wanted = plain.get(reader, plain["h5py"])[name].reshape(array.shape)
                    np.testing.assert_array_equal(array, wanted, f"{name} by {reader}")
            with h5py.File(self.map, "r") as file:
                assert file["value"].compression == "gzip"
            self.good("export", "map.h5", "-o", "out.csv")
            os.remove(self.path("out.csv"))

    def test_resume_of_a_complete_map_changes_no_byte(self):
        for options in ((), ("--compress",)):
            self.good(*RUN, "--force", *options)
            before = digest_of_bytes(self.map), os.stat(self.map).st_mtime_ns
            for ranks, more in ((0, ()), (2, ()), (0, options)):
                assert self.good(*RUN, "--resume", *more, ranks=ranks, code=OK) == "map.h5 is complete\n"
                after = digest_of_bytes(self.map), os.stat(self.map).st_mtime_ns
                assert after == before

    def test_resume_can_compress_a_complete_map(self):
        self.good(*RUN)
        size, digest = os.path.getsize(self.map), self.digest("map.h5")
        self.good(*RUN, "--resume", "--compress")
        assert os.path.getsize(self.map) < size
        assert self.digest("map.h5") == digest

    def test_without_h5repack_the_map_stays(self):
        empty = self.path("empty")
        os.mkdir(empty)
        for needed_by_mpi in ("orted", "ssh"):  # any program will do for ssh
            os.symlink(shutil.which("orted"), os.path.join(empty, needed_by_mpi))
        run = subprocess.run(command((*RUN, "--compress")), cwd=self.work, capture_output=True,
                             env={**environment(self.folder), "PATH": empty}, text=True)
        assert run.returncode == FAILURE
        assert "map.h5: could not be compressed: h5repack" in run.stderr
        assert self.files() == ["empty", "map.h5", "x.yaml"]
        self.check_intact()

    def fake_repack(self, script):
        """Puts a script in the place of h5repack. Its last argument is the file to write."""
        os.makedirs(self.path("bin"), exist_ok=True)
        name = self.write("bin/h5repack", "#!/bin/sh\n" + script)
        os.chmod(name, 0o755)
        path = self.path("bin") + os.pathsep + os.environ["PATH"]
        return subprocess.run(command((*RUN, "--force", "--compress")), cwd=self.work, text=True,
                              env={**environment(self.folder), "PATH": path}, capture_output=True)

    def test_a_compressor_that_fails_or_writes_another_map(self):
        self.good("run", "x.yaml", "-o", "other.h5", "--set", "cost=2e-6")
        liar = f'for to; do :; done; cp {self.path("other.h5")} "$to"; '
        wrong = liar + ('/usr/bin/python3 -c "import h5py, sys; '
                        "h5py.File(sys.argv[1], 'r+')['value'][3, 4] = 7\" \"$to\"")
        for script in ("exit 1", "exit 0", "kill -9 $$", 'for to; do :; done; echo x > "$to"',
                       wrong):
            result = self.fake_repack(script)
            assert result.returncode == FAILURE, result.stderr
            assert "map.h5" in result.stderr
            assert self.files() == ["bin", "map.h5", "other.h5", "x.yaml"]
            self.check_intact()


    def test_a_map_that_is_being_compressed_is_not_replaced(self):
        os.makedirs(self.path("bin"))
        self.write("bin/h5repack", "#!/bin/sh\ntouch started; sleep 3; exec /usr/bin/h5repack \"$@\"\n")
        os.chmod(self.path("bin/h5repack"), 0o755)
        path = self.path("bin") + os.pathsep + os.environ["PATH"]
        process = subprocess.Popen(command((*RUN, "--compress")), cwd=self.work, text=True,
                                   env={**environment(self.folder), "PATH": path},
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.wait_for(lambda: os.path.exists(self.path("started")), "the compressor")
        refused = self.sweep(*RUN, "--force", "--set", "cost=2e-6")
        text = process.communicate(timeout=60)[1]
        assert process.returncode == OK, text
        assert refused.returncode == FAILURE, refused.stdout
        assert re.search(rf"map.h5: is being written by process {process.pid} on \S", refused.stderr)
        self.check_intact()

    def test_a_file_removed_meanwhile_is_not_brought_back(self):
        result = self.fake_repack(f'/usr/bin/h5repack "$@" && rm {self.map}')
        assert result.returncode == FAILURE, result.stderr
        assert "map.h5" in result.stderr
        assert self.files() == ["bin", "x.yaml"]

    def test_a_file_replaced_meanwhile_is_kept(self):
        result = self.fake_repack(f'/usr/bin/h5repack "$@" && cp {self.map} copy && mv copy {self.map}')
        assert result.returncode == FAILURE, result.stderr
        assert "map.h5: was replaced or removed while it was compressed" in result.stderr
        self.check_intact()

    def test_a_file_that_may_not_grow(self):
        self.write("x.yaml", LARGE)
        self.good(*RUN)
        limit = 9 << 20  # enough for the files of MPI
        assert os.path.getsize(self.map) > limit
        os.makedirs(self.path("bin"))
        script = f'head -c {2 * limit} /dev/zero >"$0.out" 2>/dev/null; exit 1'
        self.write("bin/h5repack", "#!/bin/sh\n" + script)
        os.chmod(self.path("bin/h5repack"), 0o755)
        path = self.path("bin") + os.pathsep + os.environ["PATH"]
        limited = ["prlimit", f"--fsize={limit}", *command((*RUN, "--resume", "--compress"))]
        run = subprocess.run(limited, cwd=self.work, text=True, capture_output=True,
                             env={**environment(self.folder), "PATH": path})
        assert run.returncode == FAILURE, run.stderr
        assert "File too large" in run.stderr
        self.check_intact()

    def test_a_link_is_followed(self):
        os.symlink("map.h5", self.path("link.h5"))
        dangling = self.sweep("run", "x.yaml", "-o", "link.h5")
        assert dangling.returncode == BAD_INPUT
        assert "link.h5: is a symbolic link that leads nowhere" in dangling.stderr
        self.good(*RUN)
        size = os.path.getsize(self.map)
        self.good("run", "x.yaml", "-o", "link.h5", "--resume", "--compress")
        assert os.path.islink(self.path("link.h5"))
        assert os.path.getsize(self.map) < size
        self.check_intact()

    def test_a_table_goes_into_a_device_and_leaves_it(self):
        self.good(*RUN)
        os.mkfifo(self.path("pipe"))
        reader = subprocess.Popen(["cp", self.path("pipe"), self.path("copy.csv")])
        self.good("export", "map.h5", "-o", "pipe")
        assert reader.wait() == 0
        with open(self.path("copy.csv"), encoding="utf-8") as file:
            assert file.read() == self.good("export", "map.h5")
        assert stat.S_ISFIFO(os.stat(self.path("pipe")).st_mode)


class Interrupted(Maps):
    given = {"x.yaml": LARGE}

    def interrupt(self, number, ranks=0):
        process = self.start(*RUN, "--compress", ranks=ranks)
        self.wait_for(lambda: "h5repack" in marked_processes(self.folder).values(), "h5repack")
        victims = [p for p, name in marked_processes(self.folder).items()
                   if name == robust.PROGRAM_NAME]
        os.kill(victims[0], number)
        return process

    def finish(self):
        self.good(*RUN, "--resume", "--compress")
        robust.opens_with_every_reader(self.map)
        assert self.files() == ["map.h5", "x.yaml"]

    def test_a_kill_leaves_the_map_and_resume_compresses_it(self):
        # The compressor outlives its killed program for a while.
        process = self.interrupt(signal.SIGKILL)
        process.wait()
        self.check_intact()
        self.finish()

    def test_the_compressor_of_a_killed_run_does_not_touch_the_next_run(self):
        process = self.interrupt(signal.SIGKILL)
        process.wait()
        self.good(*RUN, "--force")
        self.wait_for(lambda: not marked_processes(self.folder), "the end of the compressor")
        self.check_intact()

    def test_a_stop_during_compression(self):
        for ranks in (0, 2):
            process = self.interrupt(signal.SIGUSR1, ranks)
            start = time.monotonic()
            process.wait(timeout=60)
            assert process.returncode in (OK, STOPPED)
            assert process.returncode == OK or time.monotonic() - start < patience(2)
            self.check_intact()
            self.finish()
            os.remove(self.map)


class Writing(Case):
    def test_gather_and_parallel_give_the_same_map(self):
        digests = set()
        for write in ("gather", "parallel"):
            self.write("x.yaml", null_sweep(200, 100, 1e-6, f"write: {write}\n"))
            for ranks in (1, 2, 3, 5):
                self.good(*RUN, "--force", ranks=ranks)
                digests.add(self.digest("map.h5"))
        assert len(digests) == 1
