#!/usr/bin/python3
"""Memory that runs out, at some allocations of every command; test_memory_long.py takes all of them."""
import sys
import unittest

sys.dont_write_bytecode = True
from memory import COMMANDS, OWN, Memory


class Some(Memory):
    def test_the_program_and_its_readers(self):
        for name in COMMANDS:
            with self.subTest(command=name):
                self.assertGreater(self.campaign(name, OWN, most=10), 4)


if __name__ == "__main__":
    unittest.main()
