#!/usr/bin/python3
"""test_beam_independent.py at more positions."""
import os
import sys
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import test_beam_independent as few


class More(few.Independent):
    LEFT_OUT = [0.2 + 0.8 * i / 29 for i in range(30)]
    BY_SPRING = [0.3, 0.6, 0.68, 0.75, 0.8]
    DAMPED = [0.25, 0.4, 0.55, 0.68, 0.8, 0.9, 1.0]


if __name__ == "__main__":
    unittest.main()
