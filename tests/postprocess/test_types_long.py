"""mypy --strict: a program that uses every public name, and the public modules with the rooms that they stand on."""
import os
import shutil
import subprocess

import pytest

import package
import impactsweep
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
STRICT = ("__init__.py", "__main__.py", "errors.py", "checks.py", "display", "inference/impacts.py", "library", "maps/csv_files.py",
          "maps/codes.py")
# They call xarray and h5py, which type few of their functions.
CALLERS = ("guest.py", "solving", "inference", "maps/contents.py", "maps/dataset.py", "maps/rows.py", "maps/compare.py", "maps/shown.py",
           "maps/shown_history.py", "maps/sequences.py")
UNTYPED_LIBRARIES = ("--allow-untyped-calls", "--no-warn-return-any", "--allow-subclassing-any")


@pytest.mark.skipif(not shutil.which("mypy"), reason="mypy is not installed")
class Strict(Case):
    def mypy(self, *words):
        words = ["mypy", "--strict", "--ignore-missing-imports", "--follow-imports=silent", "--cache-dir",
                 os.path.join(self.shared, "cache"), *words]
        return subprocess.run(words, cwd=package.POSTPROCESS, capture_output=True, text=True, check=False,
                              env=dict(os.environ, MYPYPATH=package.POSTPROCESS))

    def test_a_program(self):
        """It finds the types by py.typed, and what it gets wrong is found."""
        assert os.path.exists(os.path.join(package.POSTPROCESS, "impactsweep", "py.typed"))
        self.write("user.py", USER)
        done = self.mypy(self.path("user.py"))
        assert done.stdout.startswith("Success"), done.stdout + done.stderr
        self.write("user.py", USER.replace("names: dict[str, str]", "names: dict[str, int]"))
        done = self.mypy(self.path("user.py"))
        assert "user.py" in done.stdout and "Incompatible types in assignment" in done.stdout

    def test_the_modules_of_public_names(self):
        """Every module that has a public name is among them."""
        known = {os.path.join(package.POSTPROCESS, "impactsweep", one) for one in STRICT + CALLERS}
        for place in set(impactsweep._PLACES.values()):
            path = os.path.join(package.POSTPROCESS, "impactsweep", place.replace(".", os.sep))
            assert f"{path}.py" in known or os.path.dirname(path) in known, place
        for names, options in ((STRICT, ()), (CALLERS, UNTYPED_LIBRARIES)):
            done = self.mypy(*options, *(os.path.join("impactsweep", name) for name in names))
            assert done.stdout.startswith("Success"), done.stdout + done.stderr
