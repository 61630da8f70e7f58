#!/usr/bin/python3
"""A program that MPICH and a serial HDF5 made, without PETSc: all of the quick tests, and the same cells."""
import os
import subprocess
import sys
import unittest

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "cmd"))
sys.path.insert(0, HERE)
from build_case import BuildCase, needed_by
from builds import BUILDS
from matrix import passed


class Mpich(BuildCase):
    def test_quick_tests(self):
        program = self.check_program("mpich", kind="Release", tests=True)
        said = subprocess.run([program, "--version"], capture_output=True, text=True).stdout
        self.assertRegex(said, r"\nlibraries  MPICH Version: \d+\.\d+[\d.]*, HDF5 \d+\.\d+\.\d+ serial, ")
        self.assertIn("libmpich.so.12", needed_by(program))
        self.assertNotIn("openmpi", "".join(needed_by(program)))
        good, total, failed = passed(BUILDS["mpich"], self.path("build"), "-L", "quick")
        self.assertEqual(failed, [])
        self.assertEqual(good, total)
        self.assertGreater(total, 70)


if __name__ == "__main__":
    unittest.main()
