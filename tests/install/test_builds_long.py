#!/usr/bin/python3
"""Builds with fewer or other libraries: the library with nothing but a compiler, the program without MPI, with MPICH,
without PETSc, with clang. Each program computes the digest of the program under test."""
import os
import shutil
import subprocess
import sys
import unittest

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "cmd"))
from support import PROGRAM, Case

CONFIG = """model: compliant
choose: {body: pendulum}
axes:
  - {param: angle, from: 1 deg, to: 89 deg, points: 60}
  - {param: friction, from: 0.01, to: 1.5, points: 50}
fixed: {stiffness_ratio: 1.21}
"""


class Builds(Case):
    def build(self, *options, environment=None):
        """Builds the project with these options; returns the folder."""
        folder = self.path("build")
        for words in (["cmake", "-S", TOP, "-B", folder, "-G", "Ninja", "-DIMPACT_TESTS=off",
                       "-DIMPACT_WERROR=on", *options], ["cmake", "--build", folder]):
            result = subprocess.run(words, capture_output=True, text=True, env=environment)
            self.assertEqual(result.returncode, 0, result.stdout[-3000:] + result.stderr[-3000:])
        return folder

    def digest(self, program, *launcher):
        config = self.path("pendulum.yaml")
        with open(config, "w") as file:
            file.write(CONFIG)
        map_file = self.path(os.path.basename(os.path.dirname(program)) + ".h5")
        result = subprocess.run([*launcher, program, "run", config, "-o", map_file, "--progress",
                                 "none"], capture_output=True, text=True)
        self.assertEqual(result.returncode, 0, result.stderr)
        said = subprocess.run([PROGRAM, "info", "--digest", map_file], capture_output=True, text=True)
        return [line.split()[1] for line in said.stdout.splitlines() if line.startswith("digest")]

    def check_without_petsc(self, program):
        result = subprocess.run([program, "cell", "beam", "position=0.3"], capture_output=True,
                                text=True)
        self.assertEqual(result.returncode, 2, result.stderr)
        self.assertIn("unknown theory 'beam' here (it needs PETSc; a program built with PETSc has it)",
                      result.stderr)
        version = subprocess.run([program, "--version"], capture_output=True, text=True)
        self.assertEqual(version.returncode, 0)

    def test_the_library_needs_only_a_compiler(self):
        tools = self.path("tools")
        os.mkdir(tools)
        for name in ("cc", "gcc", "as", "ld", "ar", "ranlib", "nm", "cmake", "ninja", "git"):
            if found := shutil.which(name):
                os.symlink(found, os.path.join(tools, name))
        folder = self.build("-DIMPACT_PROGRAM=off", environment={"PATH": tools})
        self.assertFalse(os.path.exists(os.path.join(folder, "impactsweep")))
        needed = subprocess.run(["objdump", "-p", os.path.join(folder, "libimpact.so")],
                                capture_output=True, text=True, check=True).stdout
        libraries = {line.split()[1] for line in needed.splitlines() if "NEEDED" in line}
        self.assertLessEqual(libraries, {"libc.so.6", "libm.so.6", "ld-linux-x86-64.so.2"})

    @unittest.skipUnless(shutil.which("h5cc"), "a serial HDF5 is not installed")
    def test_without_mpi(self):
        program = os.path.join(self.build("-DIMPACT_MPI=off"), "impactsweep")
        self.assertEqual(self.digest(program), self.digest(PROGRAM))
        self.check_without_petsc(program)
        needed = subprocess.run(["ldd", program], capture_output=True, text=True, check=True).stdout
        self.assertNotIn("libmpi", needed)
        self.assertNotIn("petsc", needed)

    @unittest.skipUnless(shutil.which("h5cc") and shutil.which("mpicc.mpich"),
                         "MPICH or a serial HDF5 is not installed")
    def test_mpich_and_serial_hdf5(self):
        program = os.path.join(self.build("-DMPI_C_COMPILER=mpicc.mpich", "-DIMPACT_PETSC=off",
                                          f"-DHDF5_C_COMPILER_EXECUTABLE={shutil.which('h5cc')}"),
                               "impactsweep")
        self.assertEqual(self.digest(program, "mpirun.mpich", "-n", "3"), self.digest(PROGRAM))
        self.check_without_petsc(program)

    def test_without_petsc(self):
        program = os.path.join(self.build("-DIMPACT_PETSC=off"), "impactsweep")
        self.assertEqual(self.digest(program), self.digest(PROGRAM))
        self.check_without_petsc(program)

    @unittest.skipUnless(shutil.which("clang"), "clang is not installed")
    def test_clang(self):
        program = os.path.join(self.build("-DCMAKE_C_COMPILER=clang"), "impactsweep")
        self.assertEqual(self.digest(program), self.digest(PROGRAM))


if __name__ == "__main__":
    unittest.main()
