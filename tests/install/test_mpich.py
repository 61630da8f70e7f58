"""A program that MPICH and a serial HDF5 made, without PETSc: the same cells, and tests of ranks, files and codes.
test_mpich_long.py runs all of the quick tests."""
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
from build_case import BuildCase, needed_by
from builds import BUILDS
from matrix import own_launcher

# Where MPICH has shown to differ: its launcher's codes, ranks that die, writers that wait, files of serial HDF5.
SCRIPTS = ("cmd/test_stand_ins", "cmd/test_writers", "robust/test_parts", "robust/test_refuse", "store/test_format")


class Mpich(BuildCase):
    def test_program(self):
        # The archive of HDF5: so the tests start the program in half the time; builds of test_builds.py have the library.
        program = self.check_program("mpich", options=["-DIMPACT_STATIC=on"])
        said = subprocess.run([program, "--version"], capture_output=True, text=True).stdout
        assert re.search(r"\nlibraries  MPICH Version: \d+\.\d+[\d.]*, HDF5 \d+\.\d+\.\d+ serial, ", said)
        assert "libmpich.so.12" in needed_by(program)
        assert "openmpi" not in "".join(needed_by(program))
        settings = dict(own_launcher(BUILDS["mpich"], self.path("launcher")), IMPACTSWEEP=program,
                        IMPACT_BUILD=self.path("build"), IMPACT_PETSC="OFF")
        for script in SCRIPTS:
            done = subprocess.run([sys.executable, "-m", "pytest", os.path.join(os.path.dirname(HERE), script + ".py")],
                                  capture_output=True, text=True, env=settings)
            assert done.returncode == 0, done.stdout[-3000:]
            assert re.search(r"\b[1-9]\d* passed", done.stdout)
