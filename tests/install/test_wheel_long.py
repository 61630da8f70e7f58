"""The wheel: made twice, in two folders, with the same bytes; installed into an environment without our build, used, removed."""
import glob
import hashlib
import os
import re
import subprocess
import zipfile

import pytest

HERE = os.path.dirname(os.path.abspath(__file__))
from support import ROOT, Case, environment
from test_wheel import versions

USER = """
import impactsweep
from impactsweep.library import paths
print(paths.load_library()._name)
print(paths.find_program())
print(impactsweep.solve("compliant", body="pendulum", angle="30 deg", friction=0.3, stiffness_ratio=1.21).mode.item())
print(len(impactsweep.trace("compliant", body="pendulum", angle="30 deg", friction=0.3, stiffness_ratio=1.21)))
axes = [{"param": "angle", "from": "1 deg", "to": "89 deg", "points": 40}, {"param": "friction", "from": .05, "to": 1.5, "points": 30}]
found = impactsweep.run({"model": "compliant", "choose": {"body": "pendulum"}, "axes": axes, "fixed": {"stiffness_ratio": 1.21}},
                        out="map.h5")
print(float((found.mode == "wedge").mean()))
print(len(impactsweep.report(found).html), len(impactsweep.explore("rigid", "rigid.html").html), "wedge" in found._repr_html_())
"""


def make(folder, build):
    done = subprocess.run([os.path.join(ROOT, "jobs", "wheel.py"), folder, "--build", build], capture_output=True, text=True,
                          env=dict(os.environ, SOURCE_DATE_EPOCH="1700000000"), check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout.strip().split("\n")[-1]


def digest(path):
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


class Wheel(Case):
    @classmethod
    def setup_class(cls):
        super().setup_class()
        cls.wheel = make(os.path.join(cls.shared, "one"), os.path.join(cls.shared, "build-one"))

    def test_the_same_bytes_twice(self):
        assert digest(self.wheel) == digest(make(self.path("two"), self.path("build-of-another-name")))

    def test_what_is_in_it(self):
        with zipfile.ZipFile(self.wheel) as archive:
            names = set(archive.namelist())
            info = next(name for name in names if name.endswith("/WHEEL")).split("/")[0]
            with open(os.path.join(ROOT, "jobs", "packages", "copyright"), "rb") as notices:
                assert archive.read(f"{info}/NOTICE") == notices.read()
            archive.extractall(self.work)
        sources = {os.path.relpath(path, os.path.join(ROOT, "postprocess")) for path in
                   glob.glob(os.path.join(ROOT, "postprocess", "impactsweep", "**"), recursive=True)
                   if path.endswith((".py", ".json", "py.typed"))}
        added = {f"impactsweep/alone/{name}" for name in ("impactsweep", "libimpact.so.1", "plot.py", "fit.py", "required.py")}
        known = {f"{info}/{name}" for name in ("LICENSE", "NOTICE", "METADATA", "WHEEL", "RECORD", "entry_points.txt", "top_level.txt")}
        assert names ^ (sources | added | known) == set()
        newest = max((2, 17), *(one[:2] for name in ("impactsweep", "libimpact.so.1")
                                for one in versions(self.path(f"impactsweep/alone/{name}"))))
        assert f"-py3-none-manylinux_{newest[0]}_{newest[1]}_" in self.wheel
        needed = subprocess.run(["objdump", "-p", self.path("impactsweep/alone/impactsweep")], capture_output=True, text=True,
                                check=True).stdout
        assert set(re.findall(r"NEEDED +(\S+)", needed)) <= {"libc.so.6", "libm.so.6", "ld-linux-x86-64.so.2"}

    def test_installed_and_used(self):
        clean = {name: value for name, value in environment(self.folder).items()
                 if not name.startswith(("IMPACTSWEEP", "PYTHONPATH", "LD_", "PIP_"))}
        clean.update(PATH="/usr/bin:/bin", PIP_NO_INDEX="1", PIP_DISABLE_PIP_VERSION_CHECK="1")

        def good(*words):
            done = subprocess.run(words, cwd=self.work, env=clean, capture_output=True, text=True, check=False)
            assert done.returncode == 0, (words, done.stdout, done.stderr)
            return done.stdout
        good("/usr/bin/python3", "-m", "venv", "--system-site-packages", "env")
        good("env/bin/pip", "install", "--no-deps", self.wheel)
        library, program, mode, rows, wedged, pages = good("env/bin/python", "-c", USER).split("\n")[:6]
        inside = os.path.join(self.work, "env", "lib")
        assert library.startswith(inside) and program.startswith(inside)
        assert (mode, int(rows) > 10, float(wedged)) == ("slip_stick_slip_reversed", True, pytest.approx(.12, abs=.01))
        report, explore, shown = pages.split()
        assert min(int(report), int(explore)) > 100000 and shown == "True" and os.path.exists(self.path("rigid.html"))
        assert "no MPI, HDF5" in good("env/bin/impactsweep", "--version")
        good("env/bin/impactsweep", "plot", "map.h5")
        good("env/bin/impactsweep", "report", "map.h5", "-o", "map.html")
        good("env/bin/impactsweep", "explore", "-o", "explore.html")
        assert all(os.path.getsize(self.path(name)) > 10000 for name in ("map.png", "map.html", "explore.html"))
        good("env/bin/pip", "uninstall", "--yes", "impactsweep")
        assert glob.glob(self.path("env/lib/python3*/site-packages/impactsweep*")) == []
        assert not os.path.exists(self.path("env/bin/impactsweep"))
