"""Kills of ranks while mpirun recovers: the run goes on without them. Shared by test_deaths.py and
test_deaths_long.py."""
import os
import random
import re
import signal
import subprocess
import time

import h5py
import pytest
import robust
from robust import Case, dust, null_sweep, ranks_by_number, ranks_of
from support import environment

RECOVERY = "OMPI_MCA_orte_enable_recovery"
# About 1.5 s of cells on one core. Between cells the ranks look for messages, and so let others have the core; cells
# of 2 ms make that rare.
CHEAP = null_sweep(25, 30, 3e-3)
SLOW = null_sweep(6, 10, 0.03)
# About 5 s of cells: time to see marks and to kill before the end.
LONG = null_sweep(12, 20, 0.03)
PARALLEL = "write: parallel\n"
DUST = dust(1000, "1e-3")
SEARCH = """model: compliant
search:
  find: maximum
  of: kinematic_restitution
  over: {param: angle, from: 1 deg, to: 89 deg, samples: 64}
choose: {body: pendulum}
axes:
  - {param: friction, from: 0.05, to: 1.5, points: 100}
  - {param: stiffness_ratio, from: 0.5, to: 2, points: 4}
"""
LOST = re.compile(r"rank (\d+) (?:has died|is given up, as it has been silent for [^;]*);(.*)")
# Rank 1 kills itself; the others say that they live on, if the launcher lets them.
TRIAL = ("mpirun", "-n", "2", "sh", "-c",
         '[ "${OMPI_COMM_WORLD_RANK:-$PMI_RANK}" != 1 ] || kill -9 $$; sleep 1; echo lives')


class Deaths(Case):
    """Runs of one sweep, whose ranks die."""
    recovers = False  # whether this mpirun can go on without a rank, as that of Open MPI does

    @classmethod
    def setup_class(cls):
        super().setup_class()
        trial = subprocess.run(TRIAL, capture_output=True, text=True, timeout=60,
                               env=dict(environment(cls.shared), **{RECOVERY: "1"}))
        cls.recovers = "lives" in trial.stdout

    def needs_recovery(self):
        if not self.recovers:
            pytest.skip("this mpirun ends the job when a rank dies")

    def setup_method(self):
        super().setup_method()
        os.environ[RECOVERY] = "1"
        self.ending.callback(os.environ.pop, RECOVERY)

    def begin(self, config, *options, ranks):
        self.write("x.yaml", config)
        for name in ("map.h5", "code"):
            if os.path.exists(self.path(name)):
                os.remove(self.path(name))
        self.wanted = self.wanted_digest(config.replace(PARALLEL, ""))
        process = self.start("run", "x.yaml", "-o", "map.h5", "--exit-code", "code", "--progress",
                             "none", *options, ranks=ranks)
        self.wait_for_file("map.h5")
        self.wait_for(lambda: len(ranks_of(self)) == ranks, "all ranks")
        return process

    def wait_for_cells(self):
        """Waits until the ranks compute."""
        def marked():
            with h5py.File(self.path("map.h5"), "r", locking=False) as file:
                outcome = file["outcome" if "outcome" in file else "points/point_outcome"]
                return (outcome[()] > 0).any()
        self.wait_for(marked, "the first cells", 60)

    def code(self):
        with open(self.path("code")) as file:
            return int(file.read())

    def finish(self, process, lost, anywhere=False):
        """The run ends with the right map and names the ranks that it has lost, and no others; they may also die when
        nothing is left to do, and then are not missed. anywhere: they may have died before the first cell."""
        stdout, stderr = process.communicate(timeout=300)
        if anywhere and self.code() == 75:
            assert "died while the run was starting" in stderr
            self.wait_for(lambda: not ranks_of(self), "the end of all ranks")
            self.good("run", "x.yaml", "-o", "map.h5", "--resume", "--progress", "none")
            assert self.digest("map.h5") == self.wanted, stderr
            return stdout, stderr, []
        assert self.code() == 0, stderr
        if self.recovers:
            assert process.returncode == 0, stderr
        assert self.digest("map.h5") == self.wanted, stderr
        assert robust.is_marked_complete(self.path("map.h5"))
        named = [int(rank) for rank, _ in LOST.findall(stderr)]
        assert len(named) == len(set(named)), stderr
        assert set(named) <= set(lost), stderr
        self.wait_for(lambda: not ranks_of(self), "the end of all ranks")
        return stdout, stderr, named

    def kill_at_random(self, rng, config, ranks, victims, span, *options):
        """Kills so many ranks at random moments. Returns the ranks that the run has missed."""
        self.needs_recovery()
        process = self.begin(config, *options, ranks=ranks)
        processes = ranks_by_number(self)
        chosen = rng.sample(range(1, ranks), victims)
        for moment, rank in zip(sorted(rng.uniform(0, span) for _ in chosen), chosen):
            time.sleep(moment / victims)
            try:
                os.kill(processes[rank], signal.SIGKILL)
            except ProcessLookupError:
                pass
        return self.finish(process, chosen, anywhere=True)[2]


def campaign(case, seed, runs):
    """So many runs with random victims; returns a line of figures."""
    rng = random.Random(seed)
    kinds = [(CHEAP, 2), (CHEAP + PARALLEL, 2), (SLOW, 1.2), (DUST, 1), (SEARCH, 0.5)]
    killed = missed = 0
    for run in range(runs):
        config, span = kinds[run % len(kinds)]
        ranks = rng.choice([2, 3, 4, 6])
        victims = rng.choice([1, 1, ranks - 1, rng.randrange(1, ranks)])
        checkpoint = rng.choice(["0", "0.2", "10"])
        missed += len(case.kill_at_random(rng, config, ranks, victims, span, "--checkpoint",
                                          checkpoint))
        killed += victims
    return f"{runs} runs, {killed} ranks killed, {missed} of them missed, every digest the same"
