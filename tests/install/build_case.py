"""Tests of builds: a program that computes what the program of the suite computes."""
import os
import subprocess

import pytest

HERE = os.path.dirname(os.path.abspath(__file__))
import copies
import processors
from builds import BUILDS, Build, digest
from support import PROGRAM, Case, environment


def needed_by(file):
    """Names of the shared libraries that the linker noted."""
    text = subprocess.run(["objdump", "-p", file], capture_output=True, text=True, check=True).stdout
    return {line.split()[1] for line in text.splitlines() if "NEEDED" in line}


class BuildCase(Case):
    def make(self, name, environment=None, fuses=False, options=(), **settings):
        """Builds in the folder `build`; without tests a copy of the project. fuses: optimised, for a processor that can fuse a
        multiplication with an addition, where this is one and the suite has a cache: as bits/test_bits.py builds the kernels."""
        build = BUILDS[name]
        if build.missing():
            pytest.skip(f"{build.missing()} is not installed")
        if settings.get("tests"):
            return build.make(self.path("build"), environment=environment, options=options, **settings)
        copy, folder = copies.to_build(self.work)
        os.symlink(folder, self.path("build"))
        fuses = fuses and copies.has_cache() and not processors.lacking("x86-64-v3")
        kind = "Debug" if build.own_compiler() and not fuses else copies.kind()
        return build.make(folder, kind, environment={**(environment or os.environ), **copies.cache_of(copy)}, source=copy,
                          options=[*options, *["-DIMPACT_PROCESSOR=x86-64-v3"] * fuses])

    def check_program(self, name, without_petsc=True, **settings):
        program = self.make(name, **settings)
        assert (digest(BUILDS[name], program, PROGRAM, self.work, environment(self.folder)) ==
                digest(Build("here"), PROGRAM, PROGRAM, self.work, environment(self.folder)))
        if without_petsc:
            result = subprocess.run([program, "cell", "beam", "position=0.3"], capture_output=True, text=True)
            assert result.returncode == 2
            assert ("error: 'solver': this solver needs PETSc, which is not here; allowed: solver=collocation\n"
                    in result.stderr)
            words = ("cell", "beam", "solver=collocation", "position=0.3", "internal_damping=1e6", "--json")
            assert len({subprocess.run([one, *words], capture_output=True, text=True, check=True).stdout
                        for one in (program, PROGRAM)}) == 1
            assert subprocess.run([program, "--version"], capture_output=True, text=True).stdout.endswith("no PETSc\n")
        return program
