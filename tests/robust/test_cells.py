"""Cells that fail or hang: they are recorded or reported, and do not stop the others."""
import os
import re
import signal
import threading
import time

import h5py
import numpy as np
import robust
from robust import Case, null_sweep, outcome_codes, outcomes, patience, signal_if_alive
from support import OK, STOPPED, marked_processes

QUIET = ("--progress", "none")
SILENT = re.compile(r"impactsweep: rank (\d+) has been silent for (\S+) s; "
                    r"it has the cells (\d+) to (\d+)\n")


class Faults(Case):
    ROWS, COLUMNS, EVERY = 60, 20, 7

    def run_with_fault(self, fault, extra="", ranks=0):
        """The run ends well; every cell with the fault has its outcome, and all others are right."""
        self.write("x.yaml", null_sweep(self.ROWS, self.COLUMNS, 1e-6,
                                        f"choose: {{fault: {fault}}}\n{extra}",
                                        fault_every=self.EVERY))
        text = self.good("run", "x.yaml", "-o", "map.h5", "--force", *QUIET, ranks=ranks, code=OK)
        path = self.path("map.h5")
        with h5py.File(path, "r") as file:
            strikes = np.repeat((file["x"][:] % self.EVERY == 0)[:, None], self.COLUMNS, 1)
            value = file["value"][:]
        name = "budget" if fault == "hang" else fault
        assert name in text
        np.testing.assert_array_equal(outcomes(path),
                                      np.where(strikes, outcome_codes(path)[name], robust.SOLVED))
        assert robust.count_right_cells(path) == np.count_nonzero(~strikes)
        assert np.isnan(value[strikes]).all(), "values of cells that have none"
        assert robust.is_marked_complete(path)
        return self.digest("map.h5")

    def test_a_fault_is_recorded_and_the_rest_is_solved(self):
        for fault, extra in (("hang", "cell_budget: 2\n"), ("not_finite", ""),
                             ("library_error", "")):
            digests = set()
            for ranks, write in ((0, ""), (3, ""), (2, "write: parallel\n")):
                digests.add(self.run_with_fault(fault, extra + write, ranks))
            assert len(digests) == 1, fault

    def test_resume_does_not_repeat_faulty_cells(self):
        self.run_with_fault("not_finite")
        assert self.good("run", "x.yaml", "-o", "map.h5", "--resume") == "map.h5 is complete\n"

    def test_the_budget_ends_cells_of_real_physics(self):
        config = """model: compliant
choose: {body: general}
axes:
  - {param: angle, from: -85 deg, to: 85 deg, points: 30}
  - {param: friction, from: 0.05, to: 5, points: 30}
fixed: {stiffness_ratio: 1.21, velocity_ratio: 0.1, inertia_coupling: 0.6}
"""
        self.run_config(config, "whole.h5", *QUIET)
        self.run_config(config + "cell_budget: 6\n", "map.h5", *QUIET, ranks=2)
        codes = outcome_codes(self.path("map.h5"))
        ends = outcomes(self.path("map.h5"))
        assert set(np.unique(ends)) == {codes["solved"], codes["budget"]}
        with h5py.File(self.path("map.h5")) as cut, h5py.File(self.path("whole.h5")) as whole:
            solved = ends == codes["solved"]
            np.testing.assert_array_equal(cut["energy_loss"][:][solved],
                                          whole["energy_loss"][:][solved])
            assert np.isnan(cut["energy_loss"][:][~solved]).all()


class Silence(Case):
    """Rank 1 is given the first cells, and the very first ones hang."""
    CELLS, CHUNK = 3000, 10

    def hang(self, ranks, *options, extra=""):
        self.write("x.yaml", null_sweep(self.CELLS // 2, 2, 1e-5, "choose: {fault: hang}\n" + extra,
                                        fault_every=10 * self.CELLS))
        process = self.start("run", "x.yaml", "-o", "map.h5", *QUIET, "--chunk", str(self.CHUNK),
                             "--checkpoint", "0", *options, ranks=ranks)
        self.lines = []
        reader = threading.Thread(target=lambda: self.lines.extend(iter(process.stderr.readline,
                                                                       "")))
        reader.start()
        # This clean-up comes first, before that of support closes the streams.
        self.ending.callback(reader.join)
        self.ending.callback(lambda: [signal_if_alive(p, signal.SIGKILL) for p in marked_processes(self.folder)])
        return process

    def reports(self):
        return [found for found in map(SILENT.fullmatch, list(self.lines)) if found]

    def test_a_hanging_rank_is_reported_with_its_cells_once(self):
        for ranks, extra in ((3, ""), (2, "write: parallel\n")):
            start = time.monotonic()
            self.hang(ranks, "--silence", "1", extra=extra)
            self.wait_for(self.reports, "a report of the silent rank")
            assert time.monotonic() - start < patience(4)
            rank, seconds, first, last = self.reports()[0].groups()
            assert (rank, first, last) == ("1", "0", str(self.CHUNK - 1))
            assert float(seconds) >= 1
            time.sleep(1.5)
            assert len(self.reports()) == 1
            self.doCleanups_of_run()

    def doCleanups_of_run(self):
        for process in marked_processes(self.folder):
            signal_if_alive(process, signal.SIGKILL)
        self.wait_for(lambda: not marked_processes(self.folder), "the end of all ranks")
        os.remove(self.path("map.h5"))

    def test_the_other_ranks_go_on(self):
        self.hang(3, "--silence", "1")
        # All cells but those of the hanging rank: its chunk and the one that waits for it.
        self.wait_for_file("map.h5")
        self.wait_for(lambda: np.count_nonzero(outcomes(self.path("map.h5")) == 0) <=
                      2 * self.CHUNK, "the end of all other cells")
        assert robust.count_right_cells(self.path("map.h5")) == self.CELLS - 2 * self.CHUNK

    def test_a_silence_that_is_allowed_is_not_reported(self):
        self.hang(2, "--silence", "10m")
        time.sleep(3)
        assert self.reports() == []

    def test_a_stop_gives_the_rank_up_and_a_budget_completes_the_rest(self):
        # The two cells that hang end by their budget, 6 s each.
        process = self.hang(3, "--silence", "0.5", "--patience", "0.5", extra="cell_budget: 6000\n")
        self.wait_for(self.reports, "a report of the silent rank")
        process.send_signal(signal.SIGUSR1)
        assert process.wait(timeout=60) == STOPPED
        self.wait_for(lambda: not marked_processes(self.folder), "the end of all ranks")
        path = self.path("map.h5")
        robust.opens_with_every_reader(path)
        assert robust.count_right_cells(path) > 0
        codes = outcome_codes(path)
        assert set(outcomes(path)[0]) == {codes["pending"]}
        self.good("run", "x.yaml", "-o", "map.h5", "--resume", *QUIET, ranks=2, code=OK)
        assert set(outcomes(path)[0]) == {codes["budget"]}
        assert robust.count_right_cells(path) == self.CELLS - 2

    def test_a_busy_rank_is_not_silent(self):
        self.write("x.yaml", null_sweep(20, 100, 3e-3))
        process = self.start("run", "x.yaml", "-o", "map.h5", *QUIET, "--silence", "1",
                             "--time-limit", "2", ranks=2)
        _, stderr = process.communicate(timeout=60)
        assert process.returncode in (OK, STOPPED)
        assert "silent" not in stderr
