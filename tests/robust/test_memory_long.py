#!/usr/bin/python3
"""Memory runs out at all allocations of the program, of the libraries that read text, and of HDF5, or at evenly chosen
ones of a command with more than 600. IMPACT_SHARE=i/n takes only a part of them."""
import sys
import unittest

sys.dont_write_bytecode = True
from memory import COMMANDS, HDF5, OWN, WITH_HDF5, Memory


class Every(Memory):
    def test_the_program_and_its_readers(self):
        for name in COMMANDS:
            with self.subTest(command=name):
                self.campaign(name, OWN, most=600)

    def test_hdf5(self):
        for name in WITH_HDF5:
            with self.subTest(command=name):
                self.campaign(name, HDF5, most=600)


if __name__ == "__main__":
    unittest.main()
