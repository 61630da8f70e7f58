#!/usr/bin/python3
"""Memory runs out at some allocations of every command; test_memory_long.py has all of them."""
import os
import signal
import sys
import unittest

sys.dont_write_bytecode = True
from memory import COMMANDS, HDF5, OWN, WITH_HDF5, Memory
from robust import null_sweep


class Some(Memory):
    def test_the_program_and_its_readers(self):
        for name in COMMANDS:
            with self.subTest(command=name):
                self.assertGreater(self.campaign(name, OWN, most=10), 4)

    def test_hdf5(self):
        """A crash inside HDF5, or an end of the process by HDF5, is a failure like any other."""
        for name in WITH_HDF5:
            with self.subTest(command=name):
                self.assertGreater(self.campaign(name, HDF5, most=8), 4)

    def test_crashes_outside_hdf5_are_not_caught(self):
        self.write("slow.yaml", null_sweep(2, 100, cost=1))
        process = self.start("run", "slow.yaml", "-o", "slow.h5")
        self.wait_for_file("slow.h5")
        os.kill(process.pid, signal.SIGSEGV)
        self.assertEqual(process.wait(timeout=30), -signal.SIGSEGV)


if __name__ == "__main__":
    unittest.main()
