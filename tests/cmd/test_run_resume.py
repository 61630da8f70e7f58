"""`run` that is stopped, interrupted or killed, and goes on with --resume: the same file as without a stop."""
import os
import random
import re
import signal
import subprocess
import time

import h5py
import numpy as np
import xarray
from support import (BAD_INPUT, BODIES, FAILURE, PENDULUM, PROGRAM, SOLVED, STOPPED, Case, census, digest_of_bytes,
                     end_marked_processes, marked_processes, null_config, null_values)


def bytes_of(file):
    """{name: bytes} of every dataset of a map, those in groups too."""
    found = {}

    def note(name, item):
        if isinstance(item, h5py.Dataset):
            found[name] = item[()].tobytes()
    file.visititems(note)
    return found


class Interrupted(Case):
    """Stops in good order, and runs that go on from there."""
    CELLS = 150000  # at least 1.5 s of one core

    def setup_method(self):
        super().setup_method()
        self.wanted = self.wanted_digest(null_config(self.CELLS), ranks=2)
        self.write("x.yaml", null_config(self.CELLS))
        self.words = ("run", "x.yaml", "-o", "map.h5", "--progress", "none")

    def check_resume(self, ranks=2):
        """The stopped file is sound and unfinished; a resume makes it the map of a run without a stop."""
        info = self.info("map.h5")
        assert not info["complete"]
        assert info["done"] + info["outcomes"]["pending"] == self.CELLS
        text = self.good(*self.words, "--resume", ranks=ranks)
        computed = int(text.splitlines()[-1].split()[0].replace(",", ""))
        assert computed == self.CELLS - info["done"], "only pending cells are computed"
        assert census(text) == {"solved": self.CELLS}
        assert self.digest("map.h5") == self.wanted
        assert self.info("map.h5")["complete"]

    def check_stopped(self, process):
        stdout, stderr = process.communicate(timeout=30)
        assert process.returncode == STOPPED, stderr
        assert "stopped early; go on with --resume" in stderr
        assert sum(census(stdout).values()) == self.CELLS
        assert "pending" in census(stdout)

    def test_the_time_limit_stops_and_resume_completes(self):
        for ranks in (0, 3):
            process = self.start(*self.words, "--force", "--time-limit", "0.45s", ranks=ranks)
            self.check_stopped(process)
            assert self.info("map.h5")["done"] > 0
            self.check_resume(ranks=2 if ranks else 0)

    def test_runs_with_time_limits_complete_the_map_one_after_another(self):
        codes = set()
        for _ in range(30):
            result = self.sweep(*self.words, "--resume", "--time-limit", "0.5")
            codes.add(result.returncode)
            if result.returncode != STOPPED:
                break
        assert codes == {0, STOPPED}
        assert self.digest("map.h5") == self.wanted
        assert len(self.info("map.h5")["sessions"]) >= 2

    def test_a_signal_stops_one_rank(self):
        """robust/test_stop.py has several ranks."""
        for stop in (signal.SIGUSR1, signal.SIGTERM, signal.SIGINT):
            if os.path.exists(self.path("map.h5")):
                os.remove(self.path("map.h5"))
            process = self.start(*self.words)
            self.wait_for_file("map.h5")
            time.sleep(0.2)
            process.send_signal(stop)
            self.check_stopped(process)
        self.check_resume()

    def test_resume_starts_a_file_that_is_not_there(self):
        self.good(*self.words, "--resume", ranks=2)
        assert self.digest("map.h5") == self.wanted

    def test_resume_of_a_complete_file_changes_nothing(self):
        self.write("x.yaml", PENDULUM)
        self.good(*self.words)
        with h5py.File(self.path("map.h5"), "r") as file:
            before = bytes_of(file)
        for ranks in (0, 2):
            text = self.good(*self.words, "--resume", ranks=ranks)
            assert text == "map.h5 is complete\n"
        with h5py.File(self.path("map.h5"), "r") as file:
            assert bytes_of(file) == before
            assert file["run/complete"][()] == 1

    def test_resume_with_another_config_is_refused(self):
        self.write("x.yaml", PENDULUM)
        self.good(*self.words)
        before = digest_of_bytes(self.path("map.h5"))
        for old, new, differing in (
                ("ratio: 1.21", "ratio: 1.3", ["stiffness_ratio"]),
                ("89 deg", "88.99999 deg", ["angle"]),
                ("points: 50", "points: 51", ["friction"]),
                ("fixed: {", "outputs: [mode]\nfixed: {normal_speed: 2, ",
                 ["outputs", "normal_speed"]),
                ("fixed:", "precision: float32\nfixed:", ["precision"]),
                ("pendulum", "rod", ["body", "velocity_ratio"]),
                (PENDULUM, null_config(1000), ["model", "x", "angle", "fault"])):
            self.write("y.yaml", PENDULUM.replace(old, new).replace(
                "body: rod}", "body: rod}\n#").replace("1.21}", "1.21" + (
                    ", velocity_ratio: 1}" if new == "rod" else "}")))
            message = self.bad("run", "y.yaml", "-o", "map.h5", "--resume")
            named = re.findall(r"(?m)^  ([\w ]+): the file has ", message)
            assert set(differing) <= set(named), message
            if len(differing) == 1:
                assert named == differing
            assert digest_of_bytes(self.path("map.h5")) == before

    def test_resume_ignores_remarks_and_the_order_of_keys(self):
        self.write("x.yaml", PENDULUM)
        self.good(*self.words, "--time-limit", "1e-9", code=STOPPED)
        self.write("y.yaml", "# the same\nprecision: float64\n" +
                   PENDULUM.replace("1.21", "121e-2").replace("89 deg", "89deg"))
        self.good("run", "y.yaml", "-o", "map.h5", "--resume")
        assert self.info("map.h5")["complete"]

    def test_resume_of_a_file_that_is_no_map_is_refused(self):
        with h5py.File(self.path("foreign.h5"), "w") as file:
            file["mode"] = [1, 2]
        self.write("text.h5", "no map")
        for name in ("foreign.h5", "text.h5"):
            before = digest_of_bytes(self.path(name))
            result = self.sweep("run", "x.yaml", "-o", name, "--resume")
            assert result.returncode in (FAILURE, BAD_INPUT)
            assert name in result.stderr
            assert digest_of_bytes(self.path(name)) == before

    def test_a_second_writer_is_refused(self):
        self.write("x.yaml", null_config(self.CELLS, "1e-3"))  # minutes
        first = self.start(*self.words)
        self.wait_for_file("map.h5")
        for ranks in (0, 2):
            self.bad(*self.words, "--resume", ranks=ranks, code=FAILURE,
                     says="map.h5: is being written by process")
        first.send_signal(signal.SIGUSR1)
        self.check_stopped(first)
        self.good(*self.words, "--resume", "--time-limit", "0.1", code=STOPPED)

    def test_of_two_starts_at_once_one_goes_on(self):
        # The map is so large that both runs try while the file is made.
        self.write("x.yaml", null_config(10000000, "0"))
        for _ in range(3):
            writers = [self.start(*self.words) for _ in range(2)]
            said = [writer.communicate(timeout=60)[1] for writer in writers]
            assert sorted(writer.returncode for writer in writers)[0] == 0, said
            assert self.info("map.h5")["complete"]
            assert self.files() == ["map.h5", "x.yaml"]
            os.remove(self.path("map.h5"))

    def test_a_file_can_be_read_while_it_is_written(self):
        process = self.start(*self.words, "--chunk", "50", "--checkpoint", "0.02s")
        self.wait_for_file("map.h5")
        seen = []
        while process.poll() is None:
            seen.append(self.info("map.h5")["done"])
            with xarray.open_dataset(self.path("map.h5")) as data:
                done = data.outcome.values == SOLVED
                wanted = null_values(data.x.values, data.y.values)
                np.testing.assert_array_equal(data["value"].values[done], wanted[done])
        assert process.wait() == 0
        assert seen == sorted(seen)
        assert any(0 < done < self.CELLS for done in seen), seen
        assert self.digest("map.h5") == self.wanted


class Killed(Case):
    """kill -9 at any moment leaves a file that opens, and whose solved cells are right."""
    rng = random.Random(9)
    CELLS = 300000

    def setup_method(self):
        super().setup_method()
        self.ready = None
        self.write("x.yaml", null_config(self.CELLS, "1.5e-5"))
        # Cells are marked at once: by default a run of seconds would be over before its first marks.
        self.words = ("run", "x.yaml", "-o", "map.h5", "--resume", "--progress", "none",
                      "--checkpoint", "0")

    def count_right_cells(self):
        """The number of solved cells, each of which is checked; 0 without a file."""
        if not os.path.exists(self.path("map.h5")):
            return 0
        with xarray.open_dataset(self.path("map.h5")) as data:
            assert data["value"].dims == ("x", "y")
        with h5py.File(self.path("map.h5"), "r") as file:
            wanted = null_values(file["x"][:], file["y"][:])
            done = file["outcome"][:] == SOLVED
            value, mode = file["value"][:], file["mode"][:]
            assert set(np.unique(file["outcome"][:])) - {0, SOLVED} == set()
        np.testing.assert_array_equal(value[done], wanted[done])
        np.testing.assert_array_equal(mode[done], np.where(wanted < 0.5, 1, 2)[done])
        return int(done.sum())

    def digest_of_whole(self):
        """The digest of the same config without interruption."""
        with open(self.path("x.yaml")) as file:
            return self.wanted_digest(file.read(), ranks=2)

    def solved_cells(self):
        with h5py.File(self.path("map.h5"), "r") as file:
            return int((file["outcome"][:] == SOLVED).sum())

    def wait_before_kill(self, process, start, progress):
        """Waits until a random time: with `progress` after the first new cells, otherwise also before the program is
        ready, which takes as long as at the first start."""
        if self.ready is None:
            self.wait_for_file("map.h5")
            self.ready = time.monotonic() - start
        elif progress and os.path.exists(self.path("map.h5")):
            before = self.solved_cells()
            self.wait_for(lambda: process.poll() is not None or self.solved_cells() > before,
                          "cells")
            time.sleep(self.rng.uniform(0, 0.2))
        else:
            time.sleep(self.rng.uniform(0.3, 1.6) * self.ready)

    def kill_at_random(self, ranks, choose_victim, progress, *options):
        """Resumes the run, kills it, and waits until all of its processes have ended."""
        process = self.start(*self.words, *options, ranks=ranks)
        self.wait_before_kill(process, time.monotonic(), progress)
        if process.poll() is None:
            os.kill(choose_victim(process), signal.SIGKILL)
        try:
            self.end_of(process)  # Open MPI can take five minutes to see a death within its start
        except AssertionError:  # or never
            assert ranks and not progress
            end_marked_processes(self.folder)
        self.wait_for(lambda: not marked_processes(self.folder), "the end of all ranks")

    def check_series(self, kills, ranks, choose_victim, *options):
        """Kills resumed runs one after another, and then completes the map."""
        done = [0]
        for kill in range(kills):
            self.kill_at_random(ranks, choose_victim, kill % 2 == 1, *options)
            done.append(self.count_right_cells())
        assert done == sorted(done), "cells that are done stay done"
        assert any(0 < n < self.CELLS for n in done), f"no kill in the middle: {done}"
        self.good(*self.words)
        assert self.count_right_cells() == self.CELLS
        assert self.digest("map.h5") == self.digest_of_whole()
        assert [name for name in self.files() if "partial" in name] == []

    def test_one_rank(self):
        self.check_series(12, 0, lambda process: process.pid)

    def test_marks_that_wait_for_a_sync(self):
        self.words = self.words[:-1] + ("0.05s",)
        self.check_series(6, 0, lambda process: process.pid)

    def test_ranks_that_write_themselves(self):
        self.write("x.yaml", null_config(self.CELLS, "2e-5") + "write: parallel\n")
        self.check_series(3, 2, self.some_rank)

    def test_many_small_writes(self):
        # Two cells per write: nearly all the time passes in writes, so that most kills interrupt one.
        self.write("x.yaml", null_config(self.CELLS, "0"))
        self.check_series(10, 0, lambda process: process.pid, "--chunk", "2")

    def some_rank(self, process):
        """A rank, or mpirun as long as it has started none. MPICH has a process more between them."""
        def is_rank(pid):
            try:
                with open(f"/proc/{pid}/comm") as file:
                    return file.read().strip() == os.path.basename(PROGRAM)
            except OSError:
                return False

        ranks = {pid for pid in marked_processes(self.folder) if is_rank(pid)} - {process.pid}
        return self.rng.choice(sorted(ranks)) if ranks else process.pid

    def test_one_of_two_ranks(self):
        self.check_series(3, 2, self.some_rank)

    def test_mpirun(self):
        # The ranks go on for a second before they notice that mpirun has ended.
        self.write("x.yaml", null_config(self.CELLS))
        self.check_series(2, 2, lambda process: process.pid)

    def test_a_killed_map_of_several_bodies(self):
        self.write("x.yaml", BODIES)
        for kill in range(4):
            self.kill_at_random(0, lambda process: process.pid, kill % 2 == 1, "--chunk", "1")
        self.good(*self.words)
        assert self.digest("map.h5") == self.digest_of_whole()
