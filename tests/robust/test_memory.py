"""Memory that runs out, at some allocations of every command; test_memory_long.py takes all of them."""
import os
import signal

import pytest
from commands import COMMANDS
from memory import HDF5, OWN, WITHOUT_HDF5, Memory
from robust import null_sweep

MANY = {"check": 100}  # in few of its allocations libyaml gives no reason


class Some(Memory):
    @pytest.mark.parametrize("name", COMMANDS)
    def test_the_program_and_its_readers(self, name):
        assert self.campaign(name, OWN, most=MANY.get(name, 10)) > 4

    def test_hdf5(self):
        """It may crash, or end the process: that is a failure like any other."""
        for name in COMMANDS:
            if name not in WITHOUT_HDF5:
                assert self.campaign(name, HDF5, most=8) > 4

    def test_crashes_elsewhere_take_their_course(self):
        self.write("slow.yaml", null_sweep(2, 100, cost=1))
        process = self.start("run", "slow.yaml", "-o", "slow.h5")
        self.wait_for_file("slow.h5")
        os.kill(process.pid, signal.SIGSEGV)
        assert process.wait(timeout=30) == -signal.SIGSEGV
