"""Builds with less: the library with nothing but a compiler, the program without MPI, without PETSc, by
clang; the library for another processor. Each computes what the program of the suite computes;
test_mpich.py has the program with MPICH. Those of whose files the cache of the suite has none, now or for
another test, are not optimised, which is quicker and changes no bit; matrix.py makes them as users do."""
import os
import shutil
import subprocess
import sys

import pytest

HERE = os.path.dirname(os.path.abspath(__file__))
import copies
from build_case import BuildCase, needed_by
from builds import BUILDS, Build, cell
from support import BUILD, Case


class Builds(BuildCase):
    def test_the_library_needs_a_compiler_only(self):
        tools = self.path("tools")
        os.mkdir(tools)
        cache = ["ccache"] if copies.has_cache() else []
        for name in ("cc", "gcc", "as", "ld", "ar", "ranlib", "nm", "cmake", "ninja", "git", *cache):
            if found := shutil.which(name):
                os.symlink(found, os.path.join(tools, name))
        self.make("library", environment={"PATH": tools})
        assert not os.path.exists(self.path("build/impactsweep"))
        assert needed_by(self.path("build/libimpact.so")) <= {"libc.so.6", "libm.so.6", "ld-linux-x86-64.so.2"}

    def test_without_mpi(self):
        program = self.check_program("alone")
        assert "mpi" not in "".join(needed_by(program))

    def test_without_petsc(self):
        program = self.check_program("no-petsc")
        assert "libmpi.so.40" in needed_by(program)

    def test_petsc_needs_mpi(self):
        """It is made for an MPI itself; so a wish for both is an error, and is not given up in silence."""
        with pytest.raises(AssertionError, match="PETSc needs the program and MPI"):
            Build("alone", *BUILDS["alone"].options, "-DIMPACT_PETSC=on").make(self.path("build"))

    def test_clang(self):
        self.check_program("clang", without_petsc=False, fuses=True)

    def test_aarch64(self):
        """By a cross compiler; run by an emulator."""
        self.make("aarch64")
        said = cell(BUILDS["aarch64"], self.path("build/libimpact.a"), self.work)
        assert said == cell(BUILDS["library"], os.path.join(BUILD, "libimpact.a"), self.work)


class Matrix(Case):
    """The command of all builds; here only what it says, because it takes minutes."""

    def matrix(self, *words, **settings):
        return subprocess.run([sys.executable, os.path.join(HERE, "matrix.py"), *words], capture_output=True,
                              text=True, **settings)

    def test_a_build_that_lacks_a_tool_is_told(self):
        result = self.matrix("mpich", env=dict(os.environ, PATH=self.work))
        assert result.returncode == 1, result.stderr
        assert "| mpich | not built: mpicc.mpich is not installed |" in result.stdout

    def test_a_build_that_fails_is_told(self):
        tools = self.path("tools")
        os.mkdir(tools)
        os.symlink(shutil.which("cmake"), os.path.join(tools, "cmake"))
        result = self.matrix("library", "--folder", self.path("builds"), env={"PATH": tools})
        assert result.returncode == 1, result.stderr
        assert "| library | failed: library: " in result.stdout

    def test_names(self):
        result = self.matrix("mpihc")
        assert (result.returncode, result.stdout) == (2, "")
        assert "no builds mpihc; there are openmpi, mpich, alone, clang" in result.stderr
