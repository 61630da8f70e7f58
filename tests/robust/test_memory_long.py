#!/usr/bin/python3
"""Memory that runs out: at all allocations of the program and its readers (but 600 in a command at most,
evenly), and at some of those of HDF5, which makes up to 25,000."""
import sys
import unittest

sys.dont_write_bytecode = True
from memory import ALL, COMMANDS, OWN, Memory


class Every(Memory):
    def test_the_program_and_its_readers(self):
        for name in COMMANDS:
            with self.subTest(command=name):
                self.campaign(name, OWN, most=600)

    def test_libraries(self):
        """HDF5 1.10 itself crashes at some; what counts is that no wrong result is called right."""
        for name in COMMANDS:
            with self.subTest(command=name):
                self.campaign(name, ALL, most=100, codes=None)


if __name__ == "__main__":
    unittest.main()
