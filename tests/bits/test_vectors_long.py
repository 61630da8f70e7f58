#!/usr/bin/python3
"""The test vectors as other programs get them: 10,000 cells of every theory, law and body."""
import os
import sys
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import test_vectors
import vectors


class Vectors(unittest.TestCase):
    def test_checksums(self):
        made, known = test_vectors.checksums(1, vectors.POINTS, lambda name: True)
        self.assertGreater(len(known), 90)
        self.assertEqual(made, known)


if __name__ == "__main__":
    unittest.main()
