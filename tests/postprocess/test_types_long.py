"""mypy --strict: a program that uses every public name, and the public modules with the rooms that they stand on."""
import os
import shutil
import subprocess

import pytest

import package
from support import Case

USER = """import impactsweep
import pandas as pd
import xarray as xr


def everything(path: str) -> int:
    data: xr.Dataset = impactsweep.open(path, degrees=True)
    cells: xr.Dataset = impactsweep.solve("compliant", body="pendulum", angle="30 deg", friction=0.3, stiffness_ratio=1.21)
    history: pd.DataFrame = impactsweep.trace("compliant", body="pendulum", angle="30 deg", friction=0.3, stiffness_ratio=1.21)
    made: xr.Dataset = impactsweep.run({"model": "rigid"}, out=path, ranks=2)
    frame: pd.DataFrame = impactsweep.table(made)
    found: xr.Dataset = impactsweep.compare(path, path)
    indices: xr.Dataset = impactsweep.sensitivity(data)
    best = impactsweep.fit(path, "rigid", over={"friction": (0, 1)})
    ranked, fits = impactsweep.rank(path, [{"theory": "rigid"}])
    names: dict[str, str] = impactsweep.theories()
    unit: str = impactsweep.describe("rigid").inputs["friction"].unit
    contact = impactsweep.convert("yade", tc=1e-3, en=0.9)
    measured = impactsweep.impacts.read(path)
    address: str | None = impactsweep.report(data, "map.html").path
    text: str = impactsweep.explore("rigid").html
    own = impactsweep.rigid(body="rod", angle=0.3)
    try:
        return len(history) + len(frame) + len(names) + len(fits) + len(measured) + len(unit) + len(found) + len(indices) + len(text)
    except impactsweep.InputError as reason:
        raise SystemExit(str(reason)) from None
    finally:
        print(cells, best, ranked, contact, own, address)
"""
MODULES = ("__init__.py", "__main__.py", "errors.py", "checks.py", "inference/impacts.py", "library", "maps/csv_files.py")


@pytest.mark.skipif(not shutil.which("mypy"), reason="mypy is not installed")
class Strict(Case):
    def mypy(self, user):
        self.write("user.py", user)
        words = ["mypy", "--strict", "--ignore-missing-imports", "--follow-imports=silent", "--cache-dir", self.path("cache"),
                 self.path("user.py"), *(os.path.join("impactsweep", name) for name in MODULES)]
        return subprocess.run(words, cwd=package.POSTPROCESS, capture_output=True, text=True, check=False,
                              env=dict(os.environ, MYPYPATH=package.POSTPROCESS))

    def test_a_program_and_the_public_modules(self):
        done = self.mypy(USER)
        assert done.stdout.startswith("Success"), done.stdout + done.stderr
        done = self.mypy(USER.replace('names: dict[str, str]', 'names: dict[str, int]'))
        assert "user.py" in done.stdout and "Incompatible types in assignment" in done.stdout
