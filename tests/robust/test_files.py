"""Files while they are made and found again: races for a name, links that point elsewhere, files that change during a
run. test_faults.py has calls that fail."""
import errno
import fcntl
import glob
import os
import re
import shutil
import signal
import subprocess
import sys
import time

import h5py
import numpy as np
import robust
from faults import MPIRUN, Faults
from robust import null_sweep
from support import BAD_INPUT, FAILURE, OK, command, digest_of_bytes, environment

QUIET = ("--progress", "none")
RUN = ("run", "x.yaml", "-o", "map.h5", *QUIET)
TRACE = ("trace", "compliant", "body=pendulum", "angle=20deg", "friction=0.5",
         "stiffness_ratio=1.21", "-o", "map.h5")
TINY = null_sweep(3, 3)


class Files(Faults):
    def setup_method(self):
        super().setup_method()
        self.map = self.path("map.h5")
        self.write("x.yaml", TINY)

    def leave_nothing(self, *names):
        for name in glob.glob(self.map + "*") + [self.path(name) for name in names]:
            if os.path.exists(name):
                os.remove(name)


class Races(Files):
    def stopped_at(self, words, kind, after):
        """Starts the program, which stops itself before its call number `after` of a kind; None if it ended before."""
        process = self.start(*words, env=self.shimmed(SHIM_FAIL=kind, SHIM_AFTER=after, SHIM_TIMES=1, SHIM_STOP=1))
        while True:
            number, status = os.waitpid(process.pid, os.WNOHANG | os.WUNTRACED)
            if number and os.WIFSTOPPED(status):
                return process
            if number:
                process.returncode = os.waitstatus_to_exitcode(status)
                return None
            time.sleep(0.01)

    def go_on(self, process):
        process.send_signal(signal.SIGCONT)
        stderr = process.communicate(timeout=60)[1]
        return process.returncode, stderr

    def test_a_map_that_is_replaced_while_it_is_resumed(self):
        """Before each opening of a file in turn, another map takes the name. That map must stay as it is, or be
        completed by its own config."""
        self.write("y.yaml", TINY.replace("from: 0, to: 2", "from: 10, to: 12"))
        for name in ("x", "y"):
            self.good("run", f"{name}.yaml", "-o", f"{name}.h5", *QUIET)
            with h5py.File(self.path(f"{name}.h5"), "r+") as file:
                file["outcome"][:] = 0
                file["run/complete"][()] = 0
        for after in range(100):
            shutil.copy(self.path("x.h5"), self.map)
            shutil.copy(self.path("y.h5"), self.path("other.h5"))
            process = self.stopped_at((*RUN, "--resume"), "o", after)
            if not process:
                break
            os.replace(self.path("other.h5"), self.map)
            before = digest_of_bytes(self.map)
            code, stderr = self.go_on(process)
            assert code != OK, after
            assert "map.h5" in stderr
            assert digest_of_bytes(self.map) == before, f"written into, open {after}"
        assert after >= 3

    def test_a_truncated_map_is_noticed(self):
        for size in (0, 5000):
            for ranks, extra in ((0, ""), (2, ""), (2, "write: parallel\n")):
                self.leave_nothing()
                self.write("x.yaml", null_sweep(300, 100, 1.5e-4, extra))
                process = self.start(*RUN, "--checkpoint", "0.2", ranks=ranks)
                self.wait_for_file("map.h5")
                time.sleep(0.3)
                os.truncate(self.map, size)
                stderr = process.communicate(timeout=60)[1]
                assert process.returncode == FAILURE, stderr
                assert "map.h5: was cut short" in stderr


class Ranks(Files):
    def test_one_rank_fails_and_one_speaks(self):
        for extra in ("", "write: parallel\n"):
            for kind, after in (("n", 0), ("s", 3), ("w", 1)):
                self.leave_nothing()
                self.write("x.yaml", TINY + extra)
                result, happened = self.run_with(RUN, ranks=2, SHIM_FAIL=kind,
                                                 SHIM_AFTER=after, SHIM_TIMES=1,
                                                 SHIM_ERRNO=errno.EIO)
                assert happened
                assert result.returncode == FAILURE, result.stderr
                text = MPIRUN.sub("", result.stderr)
                assert re.search(r"^impactsweep: error: map.h5: .*: " + os.strerror(errno.EIO) + r"\n$", text)
                assert robust.partial_files(self.map) == []


class Names(Files):
    """Names of unfinished files cannot be guessed, and the program follows no link under them."""

    def test_links_under_every_name_that_can_be_guessed(self):
        """Another user makes links under all process numbers and the names of earlier versions."""
        victim = self.write("victim", "precious")
        self.good(*RUN)
        source = self.path("source.h5")
        os.rename(self.map, source)
        host = os.uname().nodename
        for words, target in ((RUN, "map.h5"), (TRACE, "map.h5"),
                              (("export", "source.h5", "-o", "map.csv"), "map.csv"),
                              (("join", "map.h5", "one.h5", "two.h5"), "map.h5")):
            if words[0] == "join":
                for i in (1, 2):
                    self.good("run", "x.yaml", "-o", ("one.h5", "two.h5")[i - 1], "--part",
                              f"{i}/2", *QUIET)
            self.leave_nothing()
            script = ("import os, sys\n"
                      "p = os.getpid()\n"
                      f"for name in (f'{target}.{host}-{{p}}.partial',\n"
                      f"             f'{target}.{host}-{{p}}.compressed.partial',\n"
                      f"             f'{target}.{{p}}.partial', '{target}.partial'):\n"
                      "    os.symlink('victim', name)\n"
                      "os.execv(sys.argv[1], sys.argv[1:])\n")
            done = subprocess.run([sys.executable, "-c", script, *command(words)],
                                  cwd=self.work, env=environment(self.folder),
                                  capture_output=True, text=True)
            assert done.returncode == OK, done.stderr
            with open(victim) as file:
                assert file.read() == "precious"
            assert not os.path.islink(self.path(target))

    def test_two_exports_to_one_file(self):
        """The result is one of the two tables, complete."""
        self.write("y.yaml", null_sweep(300, 200))
        self.write("z.yaml", null_sweep(200, 310))
        tables = []
        for name in ("y", "z"):
            self.good("run", f"{name}.yaml", "-o", f"{name}.h5", *QUIET)
            tables.append(self.good("export", f"{name}.h5"))
        both = [self.start("export", f"{name}.h5", "-o", "out.csv") for name in ("y", "z")]
        for process in both:
            _, stderr = process.communicate(timeout=120)
            assert process.returncode == OK, stderr
        with open(self.path("out.csv")) as file:
            assert file.read() in tables
        assert [name for name in self.files() if "partial" in name] == []

    def test_a_file_that_another_export_has_just_finished(self):
        """It is locked for moments after it got its name; a file that stays locked is refused."""
        self.write("y.yaml", null_sweep(30, 20))
        self.good("run", "y.yaml", "-o", "y.h5", *QUIET)
        self.good("export", "y.h5", "-o", "out.csv")
        for held, code in ((0.3, OK), (None, FAILURE)):
            with open(self.path("out.csv"), "r+b") as file:
                fcntl.lockf(file, fcntl.LOCK_EX)
                process = self.start("export", "y.h5", "-o", "out.csv")
                if held:
                    time.sleep(held)
                    fcntl.lockf(file, fcntl.LOCK_UN)
                _, stderr = process.communicate(timeout=120)
                assert process.returncode == code, stderr
        assert "out.csv: is being written by" in stderr

    def test_names_are_not_used_twice(self):
        seen = set()
        for _ in range(3):
            process = Races.stopped_at(self, (*RUN, "--force"), "s", 0)
            seen |= set(robust.partial_files(self.map))
            process.kill()
            process.wait()
        assert len(seen) == 3, seen


class Stale(Files):
    """The next run removes files of killed processes, which it knows by their locks and not by a number."""

    def leave_partial(self):
        process = Races.stopped_at(self, RUN, "s", 0)
        assert len(robust.partial_files(self.map)) == 1
        return process

    @staticmethod
    def state(process):
        with open(f"/proc/{process}/stat") as file:
            return file.read().rsplit(")", 1)[1].split()[0]

    def test_a_file_of_a_zombie_is_removed(self):
        process = self.leave_partial()
        os.kill(process.pid, signal.SIGKILL)
        self.wait_for(lambda: self.state(process.pid) == "Z", "the zombie")
        self.good(*RUN)
        assert robust.partial_files(self.map) == []

    def test_a_file_beside_a_complete_map_is_removed(self):
        self.good(*RUN, "--force")
        process = Races.stopped_at(self, (*RUN, "--force"), "s", 0)
        process.kill()
        process.wait()
        assert len(robust.partial_files(self.map)) == 1
        assert self.good(*RUN, "--resume") == "map.h5 is complete\n"
        assert robust.partial_files(self.map) == []

    def test_a_file_that_is_being_made_stays(self):
        process = self.leave_partial()
        self.bad(*RUN, code=FAILURE, says="is being written by process")
        assert len(robust.partial_files(self.map)) == 1
        process.kill()
        process.wait()

    def test_files_of_other_programs_and_hosts_stay(self):
        host = os.uname().nodename
        os.mkdir(self.path(f"map.h5.{host}-folder.partial"))
        os.symlink("x.yaml", self.path(f"map.h5.{host}-link.partial"))
        self.write("map.h5.elsewhere-1.partial", "of another host")
        self.good(*RUN)
        assert len(robust.partial_files(self.map)) == 3
        assert os.path.exists(self.path("x.yaml"))


class Elsewhere(Files):
    """Data outside the file of a map are no part of it, for a resume as for other commands."""

    def spoil(self, name, make):
        """Replaces a dataset of a map with pending cells; its attributes come with it."""
        self.leave_nothing()
        self.good(*RUN)
        with h5py.File(self.map, "r+") as file:
            file["outcome"][1, 1] = 0
            file["run/complete"][()] = 0
            old = file[name]
            shape, kind, attributes = old.shape, old.dtype, dict(old.attrs)
            for key in ("DIMENSION_LIST", "REFERENCE_LIST", "CLASS", "NAME"):
                attributes.pop(key, None)
            del file[name]
            make(file, name, shape, kind)
            if isinstance(file.get(name, getlink=True), h5py.HardLink):
                for key, value in attributes.items():
                    file[name].attrs[key] = value

    def virtual(self, source, dataset):
        def make(file, name, shape, kind):
            layout = h5py.VirtualLayout(shape, kind)
            layout[...] = h5py.VirtualSource(source, dataset, shape, kind)
            file.create_virtual_dataset(name, layout)
        return make

    def test_links_external_storage_and_virtual_datasets_are_refused(self):
        os.mkfifo(self.path("pipe"))
        with h5py.File(self.path("far.h5"), "w") as file:
            for name, kind in (("value", "f8"), ("mode", "i1"), ("outcome", "i1")):
                file[name] = np.zeros((3, 3), kind)
        far = digest_of_bytes(self.path("far.h5"))

        def external(file, name, shape, kind):
            file.create_dataset(name, shape, kind, external=[(self.path("far.h5"), 2048, 72)])

        ways = {
            "external link": lambda file, name, *_: file.__setitem__(
                name, h5py.ExternalLink("far.h5", "/" + name)),
            "soft link": lambda file, name, *_: file.__setitem__(name, h5py.SoftLink("/run/start")),
            "external storage": external,
            "virtual": self.virtual("far.h5", "value"),
            "virtual pipe": self.virtual("pipe", "value"),
            "virtual cycle": self.virtual("map.h5", "value"),
            "virtual cycle in itself": self.virtual(".", "value")}
        for way, make in ways.items():
            for name in ("value", "mode", "outcome"):
                self.spoil(name, make)
                before = digest_of_bytes(self.map)
                for words in ((*RUN, "--resume"), ("info", "map.h5")):
                    result = self.sweep(*words, timeout=30)
                    if words[0] == "run":
                        assert result.returncode in (FAILURE, BAD_INPUT), result.stderr
                        assert "damaged" in result.stderr
                    else:
                        assert result.returncode in (OK, FAILURE, BAD_INPUT), result.stderr
                assert digest_of_bytes(self.map) == before
                assert digest_of_bytes(self.path("far.h5")) == far

    def test_two_names_for_one_dataset_are_refused(self):
        def other(file, name, *_):
            file[name] = file["outcome"]
        self.spoil("mode", other)
        assert "map.h5" in self.bad(*RUN, "--resume", code=FAILURE, says="damaged")
