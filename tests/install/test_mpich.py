#!/usr/bin/python3
"""The quick tests, all of them, in a program that MPICH and a serial HDF5 made, without PETSc."""
import os
import sys
import unittest

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "cmd"))
sys.path.insert(0, HERE)
from builds import BUILDS
from matrix import passed
from support import Case


class Mpich(Case):
    def test_quick_tests(self):
        build = BUILDS["mpich"]
        if build.missing():
            self.skipTest(f"{build.missing()} is not installed")
        build.make(self.path("build"), tests=True)
        good, total, failed = passed(build, self.path("build"), "-L", "quick")
        self.assertEqual(failed, [])
        self.assertEqual(good, total)
        self.assertGreater(total, 70)


if __name__ == "__main__":
    unittest.main()
