#!/usr/bin/python3
"""Memory that runs out, at every allocation of every command, whoever makes it: in a program without MPI, as its
allocations are not ours, and which starts soon. IMPACT_SHARE=i/n takes only a part of them."""
import os
import sys
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "install"))
from builds import BUILDS
from commands import COMMANDS
from memory import ALL, Memory


@unittest.skipIf(BUILDS["alone"].missing(), "a serial HDF5 is not installed")
class Every(Memory):
    resumes = True

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.program = BUILDS["alone"].make(os.path.join(cls.shared, "build"))

    def test_all(self):
        for name in sorted({*COMMANDS} - {"parallel"}):  # which is "run" without MPI
            with self.subTest(command=name):
                self.assertGreater(self.campaign(name, ALL), 1000)


if __name__ == "__main__":
    unittest.main()
