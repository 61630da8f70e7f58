#!/usr/bin/python3
"""The workers of a page, in threads of node."""
import os
import sys
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import node


class Workers(unittest.TestCase):
    def test_windows_calls_and_failures(self):
        self.assertEqual(int(node.run("workers.mjs", "")), 10)

    def test_a_picture_follows_what_is_solved(self):
        self.assertEqual(int(node.run("live.mjs", "")), 3)


if __name__ == "__main__":
    node.main()
