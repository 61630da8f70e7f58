#!/usr/bin/python3
"""Memory that runs out, at every allocation of the program and its libraries, one after another."""
import sys
import unittest

sys.dont_write_bytecode = True
from memory import ALL, COMMANDS, Memory


class Every(Memory):
    def test_every_allocation(self):
        for name in COMMANDS:
            with self.subTest(command=name):
                self.campaign(name, ALL)


if __name__ == "__main__":
    unittest.main()
