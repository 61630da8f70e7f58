"""Ranks that die or hang while mpirun recovers cost the cells that they had, not the run."""
import os
import random
import re
import signal
import time
from unittest import mock

import pytest
import deaths
from deaths import CHEAP, DUST, LONG, PARALLEL, SEARCH, SLOW, Deaths
from robust import ranks_by_number, ranks_of


class Killed(Deaths):
    def kill(self, config, ranks, victims, checkpoint="0"):
        self.needs_recovery()
        process = self.begin(config, "--checkpoint", checkpoint, ranks=ranks)
        processes = ranks_by_number(self)
        self.wait_for_cells()
        for rank in victims:
            os.kill(processes[rank], signal.SIGKILL)
        return self.finish(process, victims)

    def test_one_of_three(self):
        _, stderr, named = self.kill(CHEAP, 3, [2])
        assert named == [2], stderr
        assert re.search(r"rank 2 has died; the cells \d+ to \d+, \d+ to \d+ are computed again", stderr)

    @pytest.mark.parametrize("config, variables", [(CHEAP, {}), (CHEAP + PARALLEL, {}), (CHEAP + PARALLEL,
                                                                                         {"IMPACTSWEEP_SHARES": "1"})])
    def test_all_but_rank_0(self, config, variables):
        with mock.patch.dict(os.environ, variables):
            stdout, stderr, named = self.kill(config, 3, [1, 2], checkpoint="0.2")
            assert sorted(named) == [1, 2], stderr
            # The census counts every cell once.
            assert re.search(r"outcome +solved +750 +100\.00 %", stdout)
            assert "750 cells computed" in stdout

    @pytest.mark.parametrize("config", [SLOW, DUST, SEARCH])
    def test_slow_cells_refined_maps_and_searches(self, config):
        _, stderr, named = self.kill(config, 3, [1])
        assert named == [1] or config == SEARCH, stderr

    def test_random_moments(self):
        rng = random.Random(24)
        self.kill_at_random(rng, CHEAP + PARALLEL, 4, 2, 1.5, "--checkpoint", "0.2")

    @pytest.mark.parametrize("computing, codes", [(True, ["started\n"]), (False, ["started\n", "75\n"])])
    def test_rank_0(self, computing, codes):
        """Where it dies before all ranks have met, another one may say that the job can be submitted again."""
        process = self.begin(LONG, "--checkpoint", "0", ranks=3)
        rank_0 = ranks_by_number(self)[0]
        if computing:
            self.wait_for_cells()
        os.kill(rank_0, signal.SIGKILL)
        process.communicate(timeout=60)
        self.wait_for(lambda: not ranks_of(self), "the end of all ranks")
        with open(self.path("code"), encoding="utf-8") as file:
            assert file.read() in codes
        self.good("run", "x.yaml", "-o", "map.h5", "--resume", "--progress", "none")
        assert self.digest("map.h5") == self.wanted

    def test_a_stop_after_a_death(self):
        self.needs_recovery()
        process = self.begin(CHEAP, "--checkpoint", "0", ranks=3)
        processes = ranks_by_number(self)
        self.wait_for_cells()
        os.kill(processes[1], signal.SIGKILL)
        time.sleep(0.6)
        os.kill(processes[0], signal.SIGUSR1)
        process.communicate(timeout=60)
        assert self.code() == 75
        self.good("run", "x.yaml", "-o", "map.h5", "--resume", "--progress", "none", ranks=2)
        assert self.digest("map.h5") == self.wanted

    def test_without_recovery_the_job_ends(self):
        del os.environ[deaths.RECOVERY]
        try:
            process = self.begin(SLOW, ranks=3)
            os.kill(ranks_by_number(self)[1], signal.SIGKILL)
            self.end_of(process, 60)
            assert process.returncode in ((137, -signal.SIGKILL) if self.recovers else (9,))
        finally:
            os.environ[deaths.RECOVERY] = "1"


class Hanging(Deaths):
    def hang(self, config, *options):
        options = options or ("--give-up", "2", "--checkpoint", "0")
        process = self.begin(config, *options, ranks=3)
        victim = ranks_by_number(self)[2]
        self.wait_for_cells()
        os.kill(victim, signal.SIGSTOP)
        return process, victim

    def check_given_up(self, process):
        """On a busy machine the other rank may wait as long for a core."""
        _, stderr, named = self.finish(process, [1, 2])
        assert 2 in named, stderr

    @pytest.mark.parametrize("config", [CHEAP, CHEAP + PARALLEL])
    def test_a_stopped_rank_is_given_up(self, config):
        process, _ = self.hang(config, "--give-up", "2", "--checkpoint", "0.2")
        self.check_given_up(process)

    def test_what_it_sends_later_is_ignored(self):
        process, victim = self.hang(SLOW.replace("0.02", "0.05"))
        while "rank 2 is given up" not in process.stderr.readline():
            assert process.poll() is None, "nothing was given up"
        try:
            os.kill(victim, signal.SIGCONT)
        except ProcessLookupError:
            pass  # the run has ended, and the rank with it
        self.finish(process, [1])

    def test_a_rank_that_wakes_up_in_time_is_kept(self):
        process, victim = self.hang(CHEAP, "--give-up", "60", "--checkpoint", "0")
        time.sleep(1)
        os.kill(victim, signal.SIGCONT)
        _, stderr, named = self.finish(process, [])
        assert named == [], stderr

    def test_too_short(self):
        self.write("x.yaml", CHEAP)
        self.bad("run", "x.yaml", "-o", "map.h5", "--give-up", "1",
                 says="--give-up 1: is not a time of at least 2s")
