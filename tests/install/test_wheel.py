"""What jobs/wheel.py says of programs and libraries, and the command of the package; test_wheel_long makes a wheel."""
import importlib.util
import os
import platform
import re
import subprocess
import sys

import pytest

HERE = os.path.dirname(os.path.abspath(__file__))
from support import BUILD, PROGRAM, ROOT, Case, environment

POSTPROCESS = os.path.join(ROOT, "postprocess")


def script():
    """jobs/wheel.py as a module."""
    spec = importlib.util.spec_from_file_location("wheel_script", os.path.join(ROOT, "jobs", "wheel.py"))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def versions(path):
    """The versions of the C library that objdump finds in a file: another reader than the script's."""
    said = subprocess.run(["objdump", "-T", path], capture_output=True, text=True, check=True).stdout
    return {tuple(map(int, one.split("."))) for one in re.findall(r"\*UND\*.*GLIBC_([\d.]+)\)", said)}


class Tag(Case):
    def test_it_is_the_newest_version_that_a_symbol_needs(self):
        library = os.path.join(BUILD, "libimpact.so.1")
        newest = max([(2, 17), *(one[:2] for one in versions(library))])
        assert script().tag([library]) == f"manylinux_{newest[0]}_{newest[1]}_{platform.machine()}"

    def test_each_symbol_counts(self):
        """A function that came with glibc 2.34 moves the tag; one of another library is refused."""
        self.write("new.c", "int __libc_start_main(void); int new_one(void) { return __libc_start_main(); }\n")
        subprocess.run(["cc", "-shared", "-fPIC", "new.c", "-o", "libnew.so"], cwd=self.work, check=True)
        wheel = script()
        assert ("__libc_start_main", "2.34") in wheel.needs(self.path("libnew.so"))[1].items()
        assert wheel.tag([os.path.join(BUILD, "libimpact.so.1"), self.path("libnew.so")]).startswith("manylinux_2_34_")
        with pytest.raises(SystemExit, match="needs .*libhdf5|needs .*libmpi"):
            wheel.tag([PROGRAM])


class Command(Case):
    def call(self, *words):
        return subprocess.run([sys.executable, "-m", "impactsweep", *words], cwd=self.work, capture_output=True, text=True,
                              env=dict(environment(self.folder), PYTHONPATH=POSTPROCESS, PYTHONDONTWRITEBYTECODE="1"),
                              check=False)

    def test_words_go_to_the_program(self):
        cell = ("cell", "rigid", "body=rod", "angle=30deg", "friction=0.3", "restitution=0.5", "velocity_ratio=1", "--json")
        assert self.call(*cell).stdout == self.good(*cell)
        assert self.call("cell", "rigit").returncode == 2
        assert "impactsweep plot" in self.call("--help").stdout

    def test_scripts(self):
        history = self.path("one.csv")
        self.good("trace", "rigid", "body=rod", "angle=30deg", "friction=0.3", "restitution=0.5", "velocity_ratio=1", "-o", history)
        done = self.call("plot", history, "-o", self.path("one.png"))
        assert (done.returncode, os.path.exists(self.path("one.png"))) == (0, True), done.stderr
        done = self.call("plot", self.path("none.h5"))
        assert (done.returncode, done.stderr.count("\n")) == (2, 1)
        assert self.call("fit", "--help").stdout.startswith("usage: fit.py")
