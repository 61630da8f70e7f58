"""Stops in good order: signals to any rank or to mpirun, and the time limit."""
import os
import re
import signal
import time

import pytest
import robust
from robust import Case, null_sweep, patience, ranks_by_number, ranks_of, signal_if_alive
from support import OK, STOPPED, launcher_codes, marked_processes

CHEAP = null_sweep(60, 100, 5e-4)
CHEAP_CELLS = 6000
HALF = 0.5
SLOW = null_sweep(40, 2, HALF)
CHUNKS = ("--chunk", "50")
PARALLEL = "write: parallel\n"


class Stops(Case):
    """Each test sends signals to a running sweep, or limits its time."""

    def setup_method(self):
        super().setup_method()
        self.wanted = self.wanted_digest(CHEAP)

    def begin(self, config, *options, ranks=0):
        """Starts a run and waits until all of its ranks compute."""
        self.write("x.yaml", config)
        self.words = ("run", "x.yaml", "-o", "map.h5", "--progress", "none")
        for name in ("map.h5", "code"):
            if os.path.exists(self.path(name)):
                os.remove(self.path(name))  # of an earlier subtest
        process = self.start(*self.words, "--exit-code", "code", *options, ranks=ranks)
        self.launched, self.told = bool(ranks), False
        self.wait_for_file("map.h5")
        self.wait_for(lambda: len(ranks_of(self)) == max(ranks, 1), "all ranks")
        time.sleep(0.1)
        return process

    def tell(self, process):
        """Sends the signal to mpirun, or to the only process."""
        self.told = self.launched
        process.send_signal(signal.SIGUSR1)

    def check_code(self, process, stderr):
        """Rank 0 ends with 75, and so does mpirun."""
        with open(self.path("code"), encoding="utf-8") as file:
            assert int(file.read()) == STOPPED, stderr
        assert process.returncode in (launcher_codes(STOPPED) if self.told else [STOPPED]), stderr

    def wait_for_cells(self, n):
        """Waits for marked cells of a run with --checkpoint 0."""
        self.wait_for(lambda: (robust.outcomes(self.path("map.h5")) > 0).sum() >= n, f"{n} cells")

    def check_end(self, process, cell=0.0):
        """The run ends in time with code 75 and leaves a valid file."""
        start = time.monotonic()
        _, stderr = process.communicate(timeout=120)
        took = time.monotonic() - start
        self.check_code(process, stderr)
        assert "stopped early; go on with --resume" in stderr
        assert took < patience(2, cell)
        robust.opens_with_every_reader(self.path("map.h5"))
        return robust.count_right_cells(self.path("map.h5"))

    def check_resume(self, ranks=0):
        self.good(*self.words, "--resume", ranks=ranks)
        assert self.digest("map.h5") == self.wanted
        os.remove(self.path("map.h5"))

    def stop(self, config, *options, ranks=0, whom=None, cell=0.0):
        """whom: 'first' or 'worker' for a rank, None for mpirun or the only process."""
        process = self.begin(config, *options, ranks=ranks)
        if whom:
            os.kill(ranks_by_number(self)[0 if whom == "first" else -1], signal.SIGUSR1)
        else:
            self.tell(process)
        return self.check_end(process, cell)


class Signals(Stops):
    @pytest.mark.parametrize("ranks, whom", [(0, None), (2, "first"), (3, "worker"), (3, None)])
    def test_cheap_cells(self, ranks, whom):
        done = self.stop(CHEAP, ranks=ranks, whom=whom)
        assert 0 < done < CHEAP_CELLS, done
        self.check_resume(ranks=2 if whom == "worker" else 0)

    @pytest.mark.parametrize("ranks, whom", [(2, None), (3, "worker")])
    def test_ranks_that_write_by_themselves(self, ranks, whom):
        done = self.stop(CHEAP + PARALLEL, ranks=ranks, whom=whom)
        assert 0 < done < CHEAP_CELLS, done
        self.check_resume(ranks=ranks if whom else 0)

    @pytest.mark.parametrize("ranks, whom", [(0, None), (2, "first"), (2, "worker"), (2, None)])
    def test_cells_of_half_a_second(self, ranks, whom):
        self.stop(SLOW, ranks=ranks, whom=whom, cell=0.5)
        os.remove(self.path("map.h5"))

    @pytest.mark.parametrize("ranks, whom", [(0, None), (2, "worker"), (2, None)])
    def test_many_slow_cells_at_a_time(self, ranks, whom):
        # A chunk of 25 s: the stop must not wait for its end.
        self.stop(SLOW, *CHUNKS, ranks=ranks, whom=whom, cell=0.5)
        os.remove(self.path("map.h5"))

    def test_cells_that_become_slow(self):
        # Chunks by measured time hold hundreds of the cheap cells, and then of cells of 0.1 s.
        config = null_sweep(2, 3000, 3e-5, "choose: {fault: slow}\n", fault_every=2).replace(
            "from: 0, to: 1, points: 2}", "values: [1, 0]}")
        for ranks in (0, 2):
            process = self.begin(config, "--checkpoint", "0", ranks=ranks)
            time.sleep(0.5)
            self.tell(process)
            self.check_end(process, cell=0.1)
            os.remove(self.path("map.h5"))

    @pytest.mark.parametrize("ranks", [0, 3])
    def test_more_signals_change_nothing(self, ranks):
        process = self.begin(SLOW, ranks=ranks)
        for _ in range(3):
            self.tell(process)
            time.sleep(0.05)
        self.check_end(process, cell=0.5)
        os.remove(self.path("map.h5"))

    @pytest.mark.parametrize("ranks, extra", [(0, ""), (0, PARALLEL), (2, ""), (2, PARALLEL)])
    def test_signals_until_the_end(self, ranks, extra):
        # Signals come also while the run writes, closes its file, and leaves MPI.
        process = self.begin(CHEAP + extra, ranks=ranks)
        while process.poll() is None:
            for rank in ranks_of(self) if ranks else [process.pid]:
                signal_if_alive(rank, signal.SIGUSR1)
            time.sleep(0.002)
        self.check_end(process)
        self.check_resume()

    def test_a_stop_while_the_file_is_made(self):
        # 9 bytes per cell, 1.8 GB: seconds of writing.
        self.write("x.yaml", null_sweep(20000, 10000))
        process = self.start("run", "x.yaml", "-o", "map.h5", "--progress", "none")
        self.wait_for(lambda: robust.partial_files(self.path("map.h5")), "the beginning of a map")
        time.sleep(0.3)
        process.send_signal(signal.SIGUSR1)
        start = time.monotonic()
        process.communicate(timeout=120)
        assert process.returncode == STOPPED
        assert time.monotonic() - start < patience(2)
        assert self.files() in (["x.yaml"], ["map.h5", "x.yaml"])


class Hanging(Stops):
    """A rank that hangs, here a stopped process, must not hold up the others: the job ends with the code by which a
    batch system starts it again, and the file has all cells but those of that rank."""

    def hang(self, config, *options, ranks=3):
        process = self.begin(config, "--patience", "1", *options, ranks=ranks)
        os.kill(ranks_by_number(self)[-1], signal.SIGSTOP)
        return process

    def check_hanging_end(self, process, ranks, more=0.0):
        """The checks of every stop, with `more` seconds in addition to the patience of a second."""
        start = time.monotonic()
        _, stderr = process.communicate(timeout=120)
        # mpirun itself gives processes two seconds between SIGTERM and SIGKILL.
        assert time.monotonic() - start < patience(2 + 1 + 2 + more)
        self.check_code(process, stderr)
        assert re.search(f"rank {ranks - 1} is given up: .* silent for .* s; .* stay pending", stderr)
        assert stderr.count("is given up") == 1, stderr
        assert "stopped early; go on with --resume" in stderr
        self.wait_for(lambda: not marked_processes(self.folder), "the end of all ranks")
        robust.opens_with_every_reader(self.path("map.h5"))
        done = robust.count_right_cells(self.path("map.h5"))
        assert 0 < done < CHEAP_CELLS, done

    @pytest.mark.parametrize("ranks, extra", [(2, ""), (3, ""), (3, PARALLEL)])
    def test_a_signal_ends_the_others(self, ranks, extra):
        process = self.hang(CHEAP + extra, "--checkpoint", "0.2", ranks=ranks)
        time.sleep(0.5)
        self.tell(process)
        self.check_hanging_end(process, ranks)
        self.check_resume()

    @pytest.mark.parametrize("extra", ["", PARALLEL])
    def test_the_limit_ends_the_others(self, extra):
        process = self.hang(CHEAP + extra, "--checkpoint", "0.2", "--time-limit", "3")
        self.check_hanging_end(process, 3, more=3)
        self.check_resume()

    def test_a_rank_in_a_long_cell_is_waited_for(self):
        # Cells of half a second, and a patience of less; each rank has answered once.
        process = self.begin(SLOW, "--patience", "0.1", "--checkpoint", "0", ranks=2)
        self.wait_for_cells(4)
        self.tell(process)
        _, stderr = process.communicate(timeout=120)
        self.check_code(process, stderr)
        assert "given up" not in stderr


class Terminations(Stops):
    def test_sigterm_to_mpirun(self):
        # mpirun leaves the ranks a second, and returns an exit code of its own.
        for extra in ("", PARALLEL):
            process = self.begin(CHEAP + extra, "--checkpoint", "0.2", ranks=3)
            process.terminate()
            process.communicate(timeout=60)
            self.wait_for(lambda: not marked_processes(self.folder), "the end of all ranks")
            robust.opens_with_every_reader(self.path("map.h5"))
            assert robust.count_right_cells(self.path("map.h5")) > 0
            self.check_resume()

    def test_sigterm_to_mpirun_with_slow_cells(self):
        process = self.begin(SLOW, "--checkpoint", "0", ranks=2)
        self.wait_for_cells(1)
        process.terminate()
        process.communicate(timeout=60)
        self.wait_for(lambda: not marked_processes(self.folder), "the end of all ranks")
        robust.opens_with_every_reader(self.path("map.h5"))
        robust.count_right_cells(self.path("map.h5"))


class TimeLimits(Stops):
    @pytest.mark.parametrize("ranks, extra", [(0, ""), (3, ""), (0, PARALLEL), (3, PARALLEL)])
    def test_the_limit_stops_by_itself(self, ranks, extra):
        for limit in ("0.5s", "2s", "8s"):  # a busy machine may not come to a cell within the shortest
            process = self.begin(CHEAP + extra, "--time-limit", limit, ranks=ranks)
            done = self.check_end(process)
            if done:
                break
        assert 0 < done < CHEAP_CELLS, done
        self.check_resume()

    @pytest.mark.parametrize("ranks, options", [(0, ()), (2, ()), (2, CHUNKS), (0, CHUNKS)])
    def test_the_limit_with_slow_cells(self, ranks, options):
        process = self.begin(SLOW, "--time-limit", "0.5", *options, ranks=ranks)
        self.check_end(process, cell=0.5)
        os.remove(self.path("map.h5"))

    def test_a_limit_that_is_not_reached(self):
        self.run_config(CHEAP, "map.h5", "--time-limit", "55m", ranks=2, code=OK)
        assert self.digest("map.h5") == self.wanted
