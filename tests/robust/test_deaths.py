#!/usr/bin/python3
"""Ranks that die or hang while mpirun recovers cost the cells that they had, not the run."""
import os
import random
import signal
import sys
import time
import unittest
from unittest import mock

sys.dont_write_bytecode = True
import deaths
from deaths import CHEAP, DUST, LONG, PARALLEL, SEARCH, SLOW, Deaths
from robust import ranks_of


class Killed(Deaths):
    def kill(self, config, ranks, victims, checkpoint="0"):
        self.needs_recovery()
        process = self.begin(config, "--checkpoint", checkpoint, ranks=ranks)
        processes = self.by_rank()
        self.wait_for_cells()
        for rank in victims:
            os.kill(processes[rank], signal.SIGKILL)
        return self.finish(process, victims)

    def test_one_of_three(self):
        _, stderr, named = self.kill(CHEAP, 3, [2])
        self.assertEqual(named, [2], stderr)
        self.assertRegex(stderr, r"rank 2 has died; the cells \d+ to \d+, \d+ to \d+ are computed again")

    def test_all_but_rank_0(self):
        for config, variables in ((CHEAP, {}), (CHEAP + PARALLEL, {}), (CHEAP + PARALLEL, {"IMPACTSWEEP_SHARES": "1"})):
            with self.subTest(config=config, variables=variables), mock.patch.dict(os.environ, variables):
                stdout, stderr, named = self.kill(config, 3, [1, 2], checkpoint="0.2")
                self.assertEqual(sorted(named), [1, 2], stderr)
                # The census counts every cell once.
                self.assertRegex(stdout, r"outcome +solved +750 +100\.00 %")
                self.assertIn("750 cells computed", stdout)

    def test_slow_cells_refined_maps_and_searches(self):
        for config in (SLOW, DUST, SEARCH):
            with self.subTest(config=config):
                _, stderr, named = self.kill(config, 3, [1])
                self.assertTrue(named == [1] or config == SEARCH, stderr)

    def test_random_moments(self):
        rng = random.Random(24)
        self.kill_at_random(rng, CHEAP + PARALLEL, 4, 2, 1.5, "--checkpoint", "0.2")

    def test_rank_0(self):
        """Where it dies before all ranks have met, another one may say that the job can be submitted again."""
        for computing, codes in ((True, ["started\n"]), (False, ["started\n", "75\n"])):
            with self.subTest(computing=computing):
                process = self.begin(LONG, "--checkpoint", "0", ranks=3)
                rank_0 = self.by_rank()[0]
                if computing:
                    self.wait_for_cells()
                os.kill(rank_0, signal.SIGKILL)
                process.communicate(timeout=60)
                self.wait_for(lambda: not ranks_of(self), "the end of all ranks")
                with open(self.path("code"), encoding="utf-8") as file:
                    self.assertIn(file.read(), codes)
                self.good("run", "x.yaml", "-o", "map.h5", "--resume", "--progress", "none")
                self.assertEqual(self.digest("map.h5"), self.digest_wanted)

    def test_a_stop_after_a_death(self):
        self.needs_recovery()
        process = self.begin(CHEAP, "--checkpoint", "0", ranks=3)
        processes = self.by_rank()
        self.wait_for_cells()
        os.kill(processes[1], signal.SIGKILL)
        time.sleep(0.6)
        os.kill(processes[0], signal.SIGUSR1)
        process.communicate(timeout=60)
        self.assertEqual(self.code(), 75)
        self.good("run", "x.yaml", "-o", "map.h5", "--resume", "--progress", "none", ranks=2)
        self.assertEqual(self.digest("map.h5"), self.digest_wanted)

    def test_without_recovery_the_job_ends(self):
        del os.environ[deaths.RECOVERY]
        try:
            process = self.begin(SLOW, ranks=3)
            os.kill(self.by_rank()[1], signal.SIGKILL)
            process.communicate(timeout=60)
            self.assertEqual(process.returncode, 137 if self.recovers else 9)
        finally:
            os.environ[deaths.RECOVERY] = "1"


class Hanging(Deaths):
    def hang(self, config, *options):
        options = options or ("--give-up", "2", "--checkpoint", "0")
        process = self.begin(config, *options, ranks=3)
        victim = self.by_rank()[2]
        self.wait_for_cells()
        os.kill(victim, signal.SIGSTOP)
        return process, victim

    def check_given_up(self, process):
        """On a busy machine the other rank may wait as long for a core."""
        _, stderr, named = self.finish(process, [1, 2])
        self.assertIn(2, named, stderr)

    def test_a_stopped_rank_is_given_up(self):
        for config in (CHEAP, CHEAP + PARALLEL):
            with self.subTest(config=config):
                process, _ = self.hang(config, "--give-up", "2", "--checkpoint", "0.2")
                self.check_given_up(process)

    def test_what_it_sends_later_is_ignored(self):
        process, victim = self.hang(SLOW.replace("0.02", "0.05"))
        while "rank 2 is given up" not in process.stderr.readline():
            self.assertIsNone(process.poll(), "nothing was given up")
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
        self.assertEqual(named, [], stderr)

    def test_too_short(self):
        self.write("x.yaml", CHEAP)
        self.bad("run", "x.yaml", "-o", "map.h5", "--give-up", "1",
                 says="--give-up 1: is not a time of at least 2s")


if __name__ == "__main__":
    unittest.main()
