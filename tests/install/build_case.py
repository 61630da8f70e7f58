"""Tests of builds: a program that computes what the program of the suite computes."""
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "cmd"))
from builds import BUILDS, Build, digest
from support import PROGRAM, Case, environment


def needed_by(file):
    """Names of the shared libraries that the linker noted."""
    text = subprocess.run(["objdump", "-p", file], capture_output=True, text=True, check=True).stdout
    return {line.split()[1] for line in text.splitlines() if "NEEDED" in line}


class BuildCase(Case):
    def make(self, name, kind="Debug", **settings):
        build = BUILDS[name]
        if build.missing():
            self.skipTest(f"{build.missing()} is not installed")
        return build.make(self.path("build"), kind=kind, **settings)

    def check_program(self, name, without_petsc=True, **settings):
        program = self.make(name, **settings)
        self.assertEqual(digest(BUILDS[name], program, PROGRAM, self.work, environment(self.folder)),
                         digest(Build("here"), PROGRAM, PROGRAM, self.work, environment(self.folder)))
        if without_petsc:
            result = subprocess.run([program, "cell", "beam", "position=0.3"], capture_output=True, text=True)
            self.assertEqual(result.returncode, 2)
            self.assertIn("unknown theory 'beam' here (it needs PETSc; a program built with PETSc has it)",
                          result.stderr)
            self.assertTrue(subprocess.run([program, "--version"], capture_output=True,
                                           text=True).stdout.endswith("no PETSc\n"))
        return program
