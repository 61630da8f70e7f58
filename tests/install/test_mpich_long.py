"""All of the quick tests in a build by MPICH and a serial HDF5, without PETSc."""
import os

HERE = os.path.dirname(os.path.abspath(__file__))
from build_case import BuildCase
from builds import BUILDS
from matrix import passed


class Mpich(BuildCase):
    def test_quick_tests(self):
        self.check_program("mpich", kind="Release", tests=True)
        good, total, failed = passed(BUILDS["mpich"], self.path("build"), "-L", "quick")
        assert failed == []
        assert good == total
        assert total > 70
