"""Full disks, failing disks, read-only and vanished files; and the order of writes and syncs."""
import errno
import glob
import os
import resource
import shutil
import subprocess
import time

import h5py
import numpy as np
import pytest
import robust
from robust import Shimmed, mounted, null_sweep, outcomes, patience
from support import BAD_INPUT, FAILURE, OK, STOPPED, as_another_user, command, digest_of_bytes, environment

SMALL = null_sweep(300, 100, 3e-5)
PARALLEL = "write: parallel\n"
NO_SPACE, IO_ERROR = os.strerror(errno.ENOSPC), os.strerror(errno.EIO)
QUIET = ("--progress", "none")


def limit_files():
    """Limits files to 16 MB. Open MPI itself needs files of 4 MB."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (16 << 20, 16 << 20))


class Disk(Shimmed):
    def run_with(self, words, ranks=0, **settings):
        """Runs the program with the shim; settings are those of the shim, or arguments of subprocess.run."""
        more = {name: value for name, value in settings.items() if not name.startswith("SHIM")}
        shim = {name: str(value) for name, value in settings.items() if name.startswith("SHIM")}
        preload = {"LD_PRELOAD": self.shim, "SHIM_FILE": "map.h5", **shim} if shim else {}
        words = as_another_user(words, self.folder) if "user" in more else command(words, ranks)
        return subprocess.run(words, cwd=self.work, stdin=subprocess.DEVNULL,
                              env={**environment(self.folder), **preload}, capture_output=True,
                              text=True, timeout=120, **more)

    def check_failure(self, result, *phrases, codes=(FAILURE,)):
        assert result.returncode in codes, result.stderr + result.stdout
        for phrase in phrases:
            assert phrase in result.stderr


class FullAtTheStart(Disk):
    def test_a_small_file_system(self):
        self.write("x.yaml", null_sweep(1000, 1000))  # 9 MB
        place = mounted(self, "-t", "tmpfs", "-o", "size=4m", "tmpfs")
        for ranks in (0, 2):
            result = self.run_with(("run", "x.yaml", "-o", "disk/map.h5", *QUIET), ranks)
            self.check_failure(result, "disk/map.h5: could not reserve", NO_SPACE)
            assert (result.stdout, os.listdir(place)) == ("", [])

    def test_not_even_room_for_the_beginning(self):
        self.write("x.yaml", SMALL)
        place = mounted(self, "-t", "tmpfs", "-o", "size=16k", "tmpfs")
        result = self.run_with(("run", "x.yaml", "-o", "disk/map.h5"))
        self.check_failure(result, "disk/map.h5")
        assert (result.stdout, os.listdir(place)) == ("", [])

    def test_an_existing_map_is_kept(self):
        self.write("x.yaml", SMALL)
        place = mounted(self, "-t", "tmpfs", "-o", "size=4m", "tmpfs")
        self.good("run", "x.yaml", "-o", "disk/map.h5")
        before = digest_of_bytes(os.path.join(place, "map.h5"))
        self.write("y.yaml", null_sweep(1000, 1000))
        self.check_failure(self.run_with(("run", "y.yaml", "-o", "disk/map.h5", "--force")),
                           NO_SPACE)
        assert os.listdir(place) == ["map.h5"]
        assert digest_of_bytes(os.path.join(place, "map.h5")) == before

    def test_a_limit_on_the_size_of_files(self):
        self.write("x.yaml", null_sweep(3000, 1000))  # 27 MB
        for ranks in (0, 2):
            result = self.run_with(("run", "x.yaml", "-o", "map.h5"), ranks,
                                   preexec_fn=limit_files)
            self.check_failure(result, "map.h5", os.strerror(errno.EFBIG))
            assert (result.stdout, self.files()) == ("", ["x.yaml"])


class Fill(Disk):
    """A new map of 48 or 80 MB, whose values are written past the cache of the system where that can be had."""

    def check_fill(self, place=".", **settings):
        for precision in ("float32", "float64"):
            self.write("x.yaml", null_sweep(8001, 999, 1e-3, f"precision: {precision}\n"))
            words = ("run", "x.yaml", "-o", f"{place}/map.h5", "--force", "--time-limit", "0.05", *QUIET)
            result = self.run_with(words, SHIM_UNDER=os.path.realpath(self.work), SHIM_LOG=self.path("log"), **settings)
            assert (result.returncode, result.stderr.count("error")) == (STOPPED, 0), result.stderr
            with h5py.File(self.path(f"{place}/map.h5"), "r") as file:
                solved = file["outcome"][()] == 1
                assert solved.sum() < 1000
                np.testing.assert_array_equal(np.isnan(file["value"][()]), ~solved)
                assert file["value"].dtype == precision
                assert not file["mode"][()][~solved].any()

    def test_past_the_cache(self):
        self.check_fill()

    def test_a_write_past_the_cache_is_refused(self):
        self.check_fill(SHIM_FAIL="w", SHIM_AFTER=12, SHIM_TIMES=1, SHIM_ERRNO=errno.EINVAL)
        for log in glob.glob(self.path("log.*")):
            with open(log) as file:
                writes = [line.split() for line in file if line.startswith("w")]
            refused = next(k for k, write in enumerate(writes) if write[-1] == str(errno.EINVAL))
            again = writes[refused + 1]
            assert (again[3], again[4]) == (writes[refused][3], str(4 << 20)), "a whole piece, written again"

    def test_a_file_system_in_memory(self):
        mounted(self, "-t", "tmpfs", "-o", "size=128m", "tmpfs")
        self.check_fill("disk")


class FailsDuringTheRun(Disk):
    """The run stops and names the cause; marked cells are right; a resume completes the map."""

    def setup_method(self):
        super().setup_method()
        self.wanted = self.wanted_digest(SMALL)

    def words(self, extra, checkpoint):
        self.write("x.yaml", SMALL + extra)
        return ("run", "x.yaml", "-o", "map.h5", *QUIET, "--checkpoint", checkpoint)

    def check_and_resume(self, ranks):
        robust.opens_with_every_reader(self.path("map.h5"))
        done = robust.count_right_cells(self.path("map.h5"))
        assert done < 30000
        self.good("run", "x.yaml", "-o", "map.h5", "--resume", ranks=ranks)
        assert self.digest("map.h5") == self.wanted
        os.remove(self.path("map.h5"))
        return done

    @pytest.mark.parametrize("ranks, extra, checkpoint, after", [
        (0, "", "0", 60), (0, "", "0.05", 61), (3, "", "0", 62), (0, "", "10", 63),
        (3, PARALLEL, "0", 30), (3, PARALLEL, "0.05", 31)])
    def test_no_space_for_values_and_marks(self, ranks, extra, checkpoint, after):
        result = self.run_with((*self.words(extra, checkpoint), "--chunk", "100"), ranks,
                               SHIM_FAIL="w", SHIM_AFTER=after)
        self.check_failure(result, "map.h5: could not write", NO_SPACE)
        done = self.check_and_resume(ranks)
        assert done > 0 or checkpoint != "0"

    @pytest.mark.parametrize("ranks, extra", [(0, ""), (3, ""), (3, PARALLEL)])
    def test_a_disk_that_cannot_sync(self, ranks, extra):
        result = self.run_with(self.words(extra, "0.05"), ranks, SHIM_FAIL="s",
                               SHIM_AFTER=1)
        self.check_failure(result, "map.h5: could not sync", IO_ERROR)
        self.check_and_resume(ranks)

    def test_a_limit_that_is_met_during_the_run(self):
        # SIGXFSZ would kill the program, if it were not ignored.
        text = null_sweep(3000, 1000)
        self.run_config(text, "whole.h5")
        for ranks, extra in ((0, ""), (2, PARALLEL), (2, "")):
            self.write("x.yaml", text + extra)
            words = ("run", "x.yaml", "-o", "map.h5", *QUIET, "--checkpoint", "0")
            self.good(*words, "--force", "--time-limit", "1e-9", code=STOPPED)
            result = self.run_with((*words, "--resume"), ranks, preexec_fn=limit_files)
            self.check_failure(result, "map.h5", os.strerror(errno.EFBIG))
            robust.count_right_cells(self.path("map.h5"))
            self.good(*words, "--resume", ranks=ranks)
            assert self.digest("map.h5") == self.digest("whole.h5")


class Order(Disk):
    """No mark before its values are on the disk."""
    PERIOD = 0.3

    def log_of(self, extra, ranks, text=SMALL, code=OK, **settings):
        """Runs with a log; (operations by process, extents by dataset, cells)."""
        self.write("x.yaml", text + extra)
        words = ("run", "x.yaml", "-o", "map.h5", "--force", *QUIET) + settings.pop("words", ())
        result = self.run_with(words, ranks, SHIM_LOG=self.path("log"), **settings)
        assert result.returncode == code, result.stderr
        logs = []
        for name in sorted(glob.glob(self.path("log.*"))):
            with open(name) as file:
                logs.append([(kind, *map(float, rest)) for kind, *rest in map(str.split, file)])
            os.remove(name)
        with h5py.File(self.path("map.h5"), "r") as file:
            extents = {name: (file[name].id.get_offset(), file[name].dtype.itemsize)
                       for name in ("value", "mode", "outcome")}
            return logs, extents, file["outcome"].size

    def writes_to(self, log, extent, cells):
        """(number in the log, start, end, first cell, last cell + 1) of successful writes."""
        offset, size = extent
        for i, (kind, start, end, at, length, failure) in enumerate(log):
            if kind == "w" and not failure and offset <= at < offset + cells * size:
                yield i, start, end, int(at - offset) // size, int(at + length - offset) // size

    def time_when_safe(self, logs, extents, cells):
        """The time when the last value of each cell was on the disk. It is that of the first sync after the write;
        later ones do not make up for a failed one."""
        safe = np.zeros(cells)
        for name in ("value", "mode"):
            one = np.full(cells, np.inf)
            for log in logs:
                syncs = [(i, entry) for i, entry in enumerate(log) if entry[0] == "s"]
                numbers = [i for i, _ in syncs]
                for i, _, _, first, last in self.writes_to(log, extents[name], cells):
                    after = np.searchsorted(numbers, i)
                    good = after < len(syncs) and not syncs[after][1][5]
                    one[first:last] = syncs[after][1][2] if good else np.inf
            safe = np.maximum(safe, one)
        return safe

    def marks(self, logs, extents, cells):
        for log in logs:
            yield from self.writes_to(log, extents["outcome"], cells)

    def check_order(self, logs, extents, cells):
        safe = self.time_when_safe(logs, extents, cells)
        marked = 0
        for _, start, _, first, last in self.marks(logs, extents, cells):
            assert (safe[first:last] <= start).all(), "a mark before its values"
            marked += last - first
        return marked

    def check_delay(self, logs, extents, cells):
        """Marks follow their values within about a period."""
        written = np.full(cells, np.inf)
        for log in logs:
            for _, _, end, first, last in self.writes_to(log, extents["value"], cells):
                written[first:last] = end
        for _, start, _, first, last in self.marks(logs, extents, cells):
            assert start - written[first:last].min() < patience(self.PERIOD + 1)

    @pytest.mark.parametrize("ranks, extra", [(0, ""), (3, ""), (0, PARALLEL), (3, PARALLEL)])
    def test_values_are_synced_before_their_marks(self, ranks, extra):
        log = self.log_of(extra, ranks, null_sweep(600, 100, 6e-5),
                          words=("--checkpoint", str(self.PERIOD)))
        assert self.check_order(*log) == 60000, "each cell is marked once"
        self.check_delay(*log)
        writers = sum(any(self.writes_to(one, log[1]["value"], log[2])) for one in log[0])
        assert writers == (3 if ranks and extra else 1)

    def test_marks_with_the_default_period(self):
        log = self.log_of("", 2)
        assert self.check_order(*log) == 30000

    def test_no_more_than_256_mb_wait(self):
        logs, extents, cells = self.log_of("", 0, null_sweep(4000, 10000),
                                           words=("--checkpoint", "1h"))
        waiting = most = 0
        for kind, _, _, _, length, _ in logs[0]:
            waiting = 0 if kind == "s" else waiting + length
            most = max(most, waiting)
        assert most < (256 + 50) << 20  # marks and a block of 4 MB come on top
        assert self.check_order(logs, extents, cells) == cells

    @pytest.mark.parametrize("ranks, extra, after", [(0, "", 0), (0, "", 1), (3, "", 1), (3, PARALLEL, 0)])
    def test_after_a_failed_sync_its_values_are_not_marked(self, ranks, extra, after):
        # Linux reports a failed write once; the next sync succeeds, but the values are lost.
        log = self.log_of(extra, ranks, code=FAILURE, SHIM_FAIL="s", SHIM_AFTER=after,
                          SHIM_TIMES=1, words=("--checkpoint", "0.05"))
        self.check_order(*log)

    def test_an_idle_rank_syncs_what_it_wrote(self):
        # Rank 1 gets the first cell, which hangs; all other cells must be marked all the same.
        self.write("x.yaml", null_sweep(300, 10, 1e-5, "choose: {fault: hang}\n" + PARALLEL,
                                        fault_every=1000))
        process = self.start("run", "x.yaml", "-o", "map.h5", *QUIET, "--chunk", "10",
                             "--checkpoint", "0.2", ranks=3)
        self.wait_for_file("map.h5")
        deadline = time.monotonic() + patience(4)
        pending = 3000
        while pending > 20 and time.monotonic() < deadline:
            pending = np.count_nonzero(outcomes(self.path("map.h5")) == 0)
            time.sleep(0.05)
        assert pending == 20, "the two chunks of the hanging rank"
        process.kill()


class ReadOnlyAndVanished(Disk):
    def check_refused(self, words, *phrases, codes=(FAILURE, BAD_INPUT)):
        for ranks in (0, 2):
            self.check_failure(self.run_with(words, ranks), *phrases, codes=codes)

    def test_a_read_only_folder(self):
        self.write("x.yaml", SMALL)
        os.mkdir(self.path("disk"))
        os.chmod(self.path("disk"), 0o555)
        self.check_refused(("run", "x.yaml", "-o", "disk/map.h5"), "disk")
        assert os.listdir(self.path("disk")) == []

    def test_a_read_only_file_system(self):
        self.write("x.yaml", SMALL)
        place = mounted(self, "-t", "tmpfs", "-o", "size=4m", "tmpfs")
        self.good("run", "x.yaml", "-o", "disk/map.h5", "--time-limit", "1e-9", code=STOPPED)
        before = digest_of_bytes(os.path.join(place, "map.h5"))
        subprocess.run(["mount", "-o", "remount,ro", place], check=True)
        for words in (("-o", "disk/new.h5"), ("-o", "disk/map.h5", "--resume"),
                      ("-o", "disk/map.h5", "--force")):
            self.check_refused(("run", "x.yaml", *words), words[1], os.strerror(errno.EROFS))
        assert os.listdir(place) == ["map.h5"]
        assert digest_of_bytes(os.path.join(place, "map.h5")) == before

    def test_a_read_only_file(self):
        self.run_config(SMALL, "map.h5", "--time-limit", "1e-9", code=STOPPED)
        os.chmod(self.path("map.h5"), 0o444)
        if os.access(self.path("map.h5"), os.W_OK):
            return  # root may write all the same; test_a_read_only_file_system has the rest
        self.check_refused(("run", "x.yaml", "-o", "map.h5", "--resume"), "map.h5")

    def test_a_folder_that_is_not_there(self):
        self.write("x.yaml", SMALL)
        for words in ((), ("--resume",), ("--force",)):
            self.check_refused(("run", "x.yaml", "-o", "nowhere/map.h5", *words), "nowhere",
                               os.strerror(errno.ENOENT))

    def vanish(self, ranks, extra, remove):
        """The run ends soon with a failure, because its results would be lost."""
        self.write("x.yaml", null_sweep(300, 100, 1.5e-4, extra))
        os.makedirs(self.path("disk"), exist_ok=True)
        process = self.start("run", "x.yaml", "-o", "disk/map.h5", *QUIET, "--checkpoint", "0.2",
                             ranks=ranks)
        self.wait_for_file("disk/map.h5")
        time.sleep(0.2)
        remove()
        _, stderr = process.communicate(timeout=60)
        assert process.returncode == FAILURE, stderr
        assert "disk/map.h5" in stderr

    def test_the_output_vanishes(self):
        for ranks, extra in ((0, ""), (2, PARALLEL)):
            for remove in (lambda: shutil.rmtree(self.path("disk")),
                           lambda: os.remove(self.path("disk/map.h5"))):
                self.vanish(ranks, extra, remove)

    def test_a_config_that_cannot_be_read(self):
        os.mkdir(self.path("folder.yaml"))
        # Reading one's own memory at address 0 is an input/output error.
        for config, cause in (("folder.yaml", errno.EISDIR), ("/proc/self/mem", errno.EIO),
                              ("none.yaml", errno.ENOENT), ("x/none.yaml", errno.ENOENT)):
            self.check_refused(("run", config, "-o", "map.h5"), config, os.strerror(cause))
        assert self.files() == ["folder.yaml"]

    @pytest.mark.skipif(not (os.geteuid() == 0), reason="needs two users")
    def test_a_config_that_another_user_may_not_read(self):
        self.write("x.yaml", SMALL)
        for folder in (self.folder, self.work):
            os.chmod(folder, 0o777)
        os.chmod(self.path("x.yaml"), 0)
        result = self.run_with(("run", "x.yaml", "-o", "map.h5"), user=65534)
        self.check_failure(result, "x.yaml", os.strerror(errno.EACCES), codes=(FAILURE, BAD_INPUT))
        assert self.files() == ["x.yaml"]
