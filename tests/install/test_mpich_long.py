#!/usr/bin/python3
"""All of the quick tests in a build by MPICH and a serial HDF5, without PETSc."""
import os
import sys
import unittest

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "cmd"))
sys.path.insert(0, HERE)
from build_case import BuildCase
from builds import BUILDS
from matrix import passed


class Mpich(BuildCase):
    def test_quick_tests(self):
        self.check_program("mpich", kind="Release", tests=True)
        good, total, failed = passed(BUILDS["mpich"], self.path("build"), "-L", "quick")
        self.assertEqual(failed, [])
        self.assertEqual(good, total)
        self.assertGreater(total, 70)


if __name__ == "__main__":
    unittest.main()
