"""Ranks that die or hang before MPI has started: the limit of the run holds, and --exit-code tells scripts to try
again. test_deaths.py is about ranks that compute."""
import os
import signal
import subprocess

import pytest
import robust
from robust import null_sweep
from support import OK, STOPPED, Case, command, environment, marked_processes

LIMIT = 1
RECOVERY = "OMPI_MCA_orte_enable_recovery"
# Sends a signal to the rank, which the others then wait for in vain; rank 0 has begun by then.
UNLUCKY = """#!/usr/bin/env bash
if [ "${OMPI_COMM_WORLD_RANK:-$PMI_RANK}" = "$2" ]; then
    # A rank that dies takes the others with it: one of them has begun by then.
    until [ "$1$2" = STOP0 ] || grep -qs started code; do sleep 0.05; done
    kill -"$1" $$
fi
exec "${@:3}"
"""


class Start(Case):
    def setup_method(self):
        super().setup_method()
        self.write("x.yaml", null_sweep(10, 10))
        os.chmod(self.write("unlucky", UNLUCKY), 0o755)

    def code(self):
        with open(self.path("code"), encoding="utf-8") as file:
            return file.read()

    def lose(self, rank, how, recovery):
        """A run of three ranks, one of which dies or stops before it begins: the exit code of mpirun."""
        words = command(("run", "x.yaml", "-o", "map.h5", "--progress", "none", "--exit-code", "code",
                         "--time-limit", LIMIT), 3)
        words[3:3] = [self.path("unlucky"), how, str(rank)]
        settings = {**environment(self.folder), RECOVERY: recovery}
        done = subprocess.run(words, cwd=self.work, env=settings, stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, timeout=robust.patience(60), check=False)
        self.wait_for(lambda: not marked_processes(self.folder), "the end of all ranks", robust.patience(30))
        assert robust.partial_files(self.path("map.h5")) == []
        assert "map.h5" not in self.files(), done.stderr
        return done

    def test_a_rank_that_dies_or_stops(self):
        for how in ("KILL", "STOP"):
            for recovery in ("0", "1"):
                done = self.lose(1, how, recovery)
                assert self.code() == "started\n", done.stderr
                if (how, recovery) == ("STOP", "0"):
                    assert done.returncode == STOPPED, done.stderr
                os.remove(self.path("code"))
        self.good("run", "x.yaml", "-o", "map.h5", "--exit-code", "code", ranks=3)
        assert self.code() == "0\n"

    @pytest.mark.parametrize("recovery, before", [("0", ""), ("1", "0\n")])
    def test_a_first_rank_that_dies(self, recovery, before):
        """Rank 1 has said that the run began, also in place of the code of an earlier run."""
        self.write("code", before)
        done = self.lose(0, "KILL", recovery)
        assert done.returncode != OK, done.stderr
        assert self.code() == "started\n", done.stderr

    @pytest.mark.parametrize("recovery", ["0", "1"])
    def test_a_first_rank_that_stops(self, recovery):
        """It begins only when mpirun wakes it up to end it."""
        assert self.lose(0, "STOP", recovery).returncode != OK
        if "code" in self.files():
            assert self.code() == "started\n"


class Told(Case):
    """What --exit-code says while the run goes on, and at its end."""

    def test_started_and_then_the_code(self):
        self.write("x.yaml", null_sweep(20, 10, 0.05))
        for ranks in (0, 2):
            process = self.start("run", "x.yaml", "-o", "map.h5", "--exit-code", "code", ranks=ranks)
            self.wait_for_file("map.h5")
            with open(self.path("code"), encoding="utf-8") as file:
                assert file.read() == "started\n"
            process.send_signal(signal.SIGUSR1)
            process.communicate(timeout=60)
            with open(self.path("code"), encoding="utf-8") as file:
                assert file.read() == f"{STOPPED}\n"
            os.remove(self.path("map.h5"))

    def test_wrong_words_and_configs_are_told(self):
        self.write("x.yaml", "model: nonsense\n")
        for words in (("x.yaml", "-o", "map.h5"), ("x.yaml", "-o", "map.csv"), ("x.yaml", "-o", "map.h5", "--fast")):
            for ranks in (0, 2):
                self.sweep("run", *words, "--exit-code", "code", ranks=ranks)
                with open(self.path("code"), encoding="utf-8") as file:
                    assert file.read() == "2\n", words
