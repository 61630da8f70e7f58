#!/usr/bin/python3
"""Memory that runs out, at all allocations of the program and of the libraries that read text: evenly chosen
ones where a command makes more than 600. Those inside HDF5 are left alone: HDF5 1.10 crashes at some."""
import sys
import unittest

sys.dont_write_bytecode = True
from memory import COMMANDS, OWN, Memory


class Every(Memory):
    def test_the_program_and_its_readers(self):
        for name in COMMANDS:
            with self.subTest(command=name):
                self.campaign(name, OWN, most=600)


if __name__ == "__main__":
    unittest.main()
