"""Every argument of every public function with every hostile value: a result, or one clear error of the package."""
import copy
import datetime
import decimal
import fractions
import os
import pathlib
import pickle
import subprocess
import sys
import warnings

import package
import impactsweep
import numpy as np
import pytest
import pandas as pd
import xarray as xr
from impactsweep.inference import impacts
from support import BUILD, PROGRAM, Case

PENDULUM = {"body": "pendulum", "angle": 0.5, "friction": 0.3, "stiffness_ratio": 1.21}
CONFIG = {"model": "compliant", "choose": {"body": "pendulum"},
          "axes": [{"param": "angle", "from": "10 deg", "to": "80 deg", "points": 3}],
          "fixed": {"friction": 0.3, "stiffness_ratio": 1.21}, "outputs": ["mode", "energy_loss"]}
SAMPLE = {**CONFIG, "axes": [{"sample": "saltelli", "points": 8, "seed": 1, "params": [
    {"param": "angle", "distribution": "uniform", "from": "20 deg", "to": "40 deg"}]}]}
CONTACT = {"contact_velocity_t_before": [0.9] * 6, "contact_velocity_n_before": [-1.0] * 6,
           "contact_velocity_t_after": [0.7, 0.71, 0.72, 0.7, 0.69, 0.7], "contact_velocity_n_after": [0.6] * 6}
FIT = {"data": CONTACT, "theory": "rigid", "over": {"friction": (0.01, 0.5)}, "choose": {"body": "sphere", "law": "newton"},
       "fixed": {"restitution": 0.6}, "columns": {}, "per_impact": (), "loss": "median", "ranks": 0, "resamples": 1,
       "folds": 2, "level": 0.9, "seed": 0, "tolerance": None, "cell_budget": 0}


class Odd:
    """Raises wherever it is looked at."""

    def __repr__(self):
        raise RuntimeError("no text")

    def __float__(self):
        raise RuntimeError("no number")

    def __array__(self, *_):
        raise RuntimeError("no array")

    def __iter__(self):
        raise RuntimeError("no list")

    def __fspath__(self):
        raise RuntimeError("no path")


def hostile():
    """Values that no argument expects, and some that a few do."""
    itself = []
    itself.append(itself)
    nested = {}
    nested["nested"] = nested
    masked = np.ma.array([0.1, 0.2, 0.3], mask=[0, 1, 0])
    return [
        None, True, False, 0, 1, -1, 3, 2**31, 2**63, 2**64 + 1, -2**70, 10**400, 0.0, -0.0, 0.5, -1.5, 1e6, 1e300, 1e-320,
        float("nan"), float("inf"), -float("inf"), 1j, complex("nan"), "", "x", "0.3", "30 deg", "3 kg", "inf", "1e999",
        "a\0b", "\ud800", "é", "a" * 100_000, "a=b", "\n", "--help", "/", ".", "/nonexistent/x.h5", b"bytes", bytearray(b"b"),
        [], (), {}, set(), {1, 2}, {"a": 1}, {1: 2}, nested, itself, [itself], [None], [1, None], [[1, 2], [3]], ["a", 1],
        [1j], [True], ["30 deg", "x"], ["\ud800"], [10**400], [np.nan, 0.3], [object()], range(3), range(10**12),
        iter([1, 2]), (one for one in [0.3]), object(), Odd(), [Odd()], Odd, len, np, Exception("x"), NotImplemented, ...,
        slice(3), decimal.Decimal("0.3"), decimal.Decimal("NaN"), decimal.Decimal("sNaN"), fractions.Fraction(1, 3),
        datetime.date(2020, 1, 1), datetime.timedelta(1), pathlib.Path("x.h5"), np.float32(0.3), np.int8(1), np.bool_(True),
        np.complex128(1j), np.longdouble("1e4000"), np.datetime64("2020"), np.str_("x"), np.bytes_("x"), np.array(0.3),
        np.array("x"), np.array([]), np.array([0.3, np.inf]), np.array([0.1, np.nan]), np.array([1j]), np.array([b"x"]),
        np.array(["x", "y"]), np.array([(1, 2.0)], "i4,f8"), np.array(["2020"], "M8[D]"), np.array([True]),
        np.zeros((1,) * 32), np.zeros((0, 3)), np.array([0.3, "30 deg", None], object), masked, masked.astype(int),
        np.ma.masked, [masked, masked], np.ma.masked_all(2), np.rec.array([(1,)]), pd.Series([0.1, 0.2]),
        pd.Series(["a", None]), pd.Series([0.1, pd.NA], dtype="Float64"), pd.Series([1, 2], index=[0, 0]),
        pd.Series([1.0], index=pd.MultiIndex.from_tuples([("a", 1)])), pd.Categorical(["a"]), pd.Index([0.3]), pd.NA, pd.NaT,
        pd.DataFrame({"a": [1.0]}), xr.DataArray(0.3), xr.DataArray([0.3, np.nan], dims="x"), xr.DataArray([1j], dims="x"),
        xr.DataArray(["x"], dims="x"), xr.DataArray([0.3], dims="x", attrs={"units": "furlong"}),
        xr.DataArray([0.3], dims="x", attrs={"units": 3}), xr.DataArray([0.3], dims="x", coords={"x": [np.nan]}),
        xr.DataArray([0.3], dims="a b"), xr.DataArray([0.3], dims="mode"), xr.DataArray([0.3], dims="outcome"),
        xr.DataArray([0.3], dims="slip"), xr.DataArray([0.3], dims="body"), xr.DataArray([[0.3]], dims=("friction", "angle")),
        xr.Variable("x", [0.3]), xr.Dataset(), xr.Dataset({"outcome": ("x", [1])}),
    ]


class Hostile(Case):
    def setup_method(self):
        super().setup_method()
        os.environ.update({"IMPACTSWEEP": PROGRAM})
        impactsweep.run(SAMPLE, out=self.path("sample.h5")).close()

    def attempt(self, function, *values, **keywords):
        """The error of a call, if it is one of the package; other errors fail the test."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                function(*values, **keywords)
            except impactsweep.Error as reason:
                said = str(reason)
                assert 0 < len(said) < 3000, said[:300]
                assert reason.__cause__ is None
                said.encode()
                return said
            except KeyboardInterrupt:
                raise
            except BaseException as reason:
                raise AssertionError(f"{type(reason).__name__}: {str(reason)[:300]}") from reason
        return ""

    def try_each(self, function, base, names=None, positional=()):
        for name in names or base:
            for place, value in enumerate(hostile()):
                if name == "resamples" and isinstance(value, float) and value == 1e6:
                    continue  # is what it says, and takes as long
                given = {**base, name: value}
                self.attempt(function, *(given.pop(one) for one in positional), **given)

    def test_solve_and_the_functions_of_theories(self):
        base = {"theory": "compliant", "outputs": None, "cell_budget": 0, "degrees": False, "labels": True, "law": "linear",
                "length": 1.0, **PENDULUM}
        self.try_each(impactsweep.solve, base, positional=("theory",))
        self.try_each(impactsweep.compliant, PENDULUM)

    def test_pairs_of_arrays(self):
        others = [np.array([0.1, 0.2]), xr.DataArray([0.1, 0.2], dims="x"), np.array(["10 deg", "20 deg"])]
        for other in others:
            self.try_each(impactsweep.solve, {"theory": "compliant", **PENDULUM, "law": "linear", "angle": other},
                          names=("friction", "law"), positional=("theory",))

    def test_trace(self):
        self.try_each(impactsweep.trace, {"theory": "compliant", "points": 3, **PENDULUM}, positional=("theory",))

    def test_open_and_table(self):
        self.try_each(impactsweep.open, {"path": self.path("sample.h5"), "degrees": True, "labels": True})
        self.try_each(impactsweep.table, {"data": self.path("sample.h5"), "outputs": None})

    def test_describe(self):
        self.try_each(impactsweep.describe, {"theory": "rigid"})

    def test_indices(self):
        self.try_each(impactsweep.sensitivity, {"data": self.path("sample.h5"), "outputs": None, "resamples": 1, "level": 0.9,
                                                "seed": 0, "fewest": 20})
        self.try_each(impactsweep.sobol_indices, {"values": np.random.default_rng(1).random((8, 4)), "resamples": 1,
                                                  "level": 0.9, "seed": 0})

    def test_run(self):
        base = {"config": CONFIG, "out": self.path("map.h5"), "ranks": 1, "resume": True, "progress": False, "degrees": False,
                "labels": True, "set": None, "time_limit": None, "force": True}
        self.refused = 0
        calls = {**os.environ}
        self.ending.callback(os.environ.update, calls)
        os.environ["IMPACTSWEEP"] = self.fake()
        self.try_each(impactsweep.run, base)
        for value in hostile():
            self.attempt(impactsweep.run, {**CONFIG, "fixed": value})
            self.attempt(impactsweep.run, CONFIG, **{"set": {"friction": value}})

    def fake(self):
        """In place of the program: refuses, so that the test does not start thousands of them."""
        path = self.write("program", "#!/bin/sh\necho 'error: refused' >&2\nexit 2\n")
        os.chmod(path, 0o755)
        return path

    def test_fit_and_rank(self):
        self.try_each(impactsweep.fit, FIT, names=[name for name in FIT if name not in ("ranks", "resamples")])
        candidate = {name: FIT[name] for name in ("theory", "over", "choose", "fixed")}
        self.try_each(impactsweep.rank, {"data": CONTACT, "candidates": [candidate], "columns": {}},
                      names=("candidates", "columns"))
        for value in hostile():
            for inside in ({"over": {"friction": value}}, {"over": {"friction": (0.1, value)}},
                           {"fixed": {"restitution": value}}, {"choose": {"law": value}},
                           {"columns": {"contact_velocity_t_before": value}},
                           {"columns": {"contact_velocity_t_before": ("contact_velocity_t_before", value)}},
                           {"data": {**CONTACT, "contact_velocity_t_before": value}}):
                self.attempt(impactsweep.fit, **{**FIT, **inside})

    def test_impacts(self):
        self.try_each(impacts.read, {"data": CONTACT, "columns": {}})

    def test_unknown_keywords_are_refused_with_a_suggestion(self):
        for function, keyword, says in (
                (impactsweep.solve, "degres", "did you mean 'degrees'"), (impactsweep.trace, "ponts", "did you mean 'points'"),
                (impactsweep.compliant, "frction", "did you mean 'friction'"),
                (impactsweep.open, "degres", "did you mean 'degrees'"), (impactsweep.table, "output", "did you mean 'outputs'"),
                (impactsweep.describe, "thery", "did you mean 'theory'"),
                (impactsweep.sensitivity, "resample", "did you mean 'resamples'"),
                (impactsweep.sobol_indices, "sed", "did you mean 'seed'"), (impactsweep.theories, "all", "unknown keyword"),
                (impactsweep.run, "time_limt", "did you mean '--time-limit'"), (impactsweep.rank, "columns_", "columns"),
                (impactsweep.fit, "gyration_radius", r"write fixed=\{'gyration_radius': \.\.\.\}"),
                (impactsweep.fit, "law", "write choose="), (impactsweep.fit, "los", "did you mean 'loss'"),
                (impacts.read, "colums", "did you mean 'columns'")):
            base = {impactsweep.solve: {**PENDULUM}, impactsweep.trace: PENDULUM, impactsweep.compliant: PENDULUM,
                    impactsweep.open: {"path": "x"}, impactsweep.table: {"data": "x"}, impactsweep.describe: {},
                    impactsweep.sensitivity: {"data": "x"}, impactsweep.sobol_indices: {"values": [[1.0, 2, 3]]},
                    impactsweep.theories: {}, impactsweep.run: {"config": CONFIG}, impactsweep.fit: FIT,
                    impactsweep.rank: {"data": CONTACT, "candidates": [{"theory": "rigid", "over": {"friction": (0, 1)}}]},
                    impacts.read: {"data": CONTACT}}[function]
            values = ("compliant",) if function in (impactsweep.solve, impactsweep.trace) else ()
            with pytest.raises(impactsweep.InputError, match=says):
                function(*values, **base, **{keyword: 1})

    def test_ten_to_the_ten_cells_get_advice(self):
        with pytest.raises(impactsweep.TooManyCells,
                           match="10,000,000,000 cells .* a part of the cells at a time") as caught:
            impactsweep.solve("compliant", **{**PENDULUM, "angle": np.full((100_000, 1), 0.5),
                                              "friction": np.full(100_000, 0.3)})
        assert isinstance(caught.value, MemoryError)
        with pytest.raises(impactsweep.TooManyCells, match="more than the 2.40 of one call"):
            impactsweep.solve("compliant", **{**PENDULUM, "angle": np.full((10_000_000, 1), 0.5),
                                              "friction": np.full(10_000_000, 0.3)})

    def test_values_that_are_missing_are_told_as_such(self):
        for missing in (np.array([0.3, np.nan]), np.ma.array([0.3, 0.3], mask=[0, 1]), [0.3, None],
                        pd.Series([0.3, pd.NA], dtype="Float64"), xr.DataArray(np.ma.array([0.3, 9], mask=[0, 1]), dims="x")):
            with pytest.warns(impactsweep.Undefined, match="friction is NaN, missing or masked in 1 of 2 cells"):
                cells = impactsweep.solve("compliant", **{**PENDULUM, "friction": missing})
            assert cells.outcome.values.tolist() == ["solved", "not_finite"]
            assert np.isnan(cells.energy_loss.values).tolist() == [False, True]
        with pytest.raises(impactsweep.InputError, match="friction: 'nan' is not a number"):
            impactsweep.solve("compliant", **{**PENDULUM, "friction": np.nan})

    def test_units_are_read_wherever_a_parameter_is(self):
        plain = impactsweep.solve("compliant", **PENDULUM, length=0.0194, mass=0.1).inverse_mass_tt.item()
        for length in ("19.4 mm", ["19.4 mm"], np.array(["19.4mm", "19.4 mm"]), xr.DataArray(["0.0194"], dims="x")):
            cells = impactsweep.solve("compliant", **PENDULUM, length=length, mass="100 g")
            assert set(np.ravel(cells.inverse_mass_tt.values)) == {plain}
        cells = impactsweep.solve("compliant", **PENDULUM, mass=0.1,
                                  length=xr.DataArray([19.4], dims="x", attrs={"units": "mm"}))
        assert (cells.length.item(), cells.length.attrs["units"]) == (0.0194, "m")
        history = impactsweep.trace("compliant", **PENDULUM, length="19.4 mm", mass="100 g")
        assert history.attrs["outcome"] == "solved"
        for inputs, says in (({"friction": np.inf}, r"'inf' is not finite; its range is \[0, inf\)"),
                             ({"friction": [0.1, np.inf]}, r"its range is \[0, inf\)"),
                             ({"mass": "3 mm"}, "has the unit of another quantity; its unit is kg"),
                             ({"mass": xr.DataArray([1.0], dims="x", attrs={"units": "mm"})}, "its unit is kg")):
            with pytest.raises(impactsweep.InputError, match=says):
                impactsweep.solve("compliant", **{**PENDULUM, **inputs})


class Copies(Case):
    """What the package returns can go to other processes."""

    def check(self, data):
        other = pickle.loads(pickle.dumps(data))
        xr.testing.assert_identical(other.load(), data.copy(deep=True).load())
        assert other.mode.values.ravel()[0] == data.mode.values.ravel()[0]

    def test_maps_and_results(self):
        os.environ.update({"IMPACTSWEEP": PROGRAM})
        for degrees in (False, True):
            for labels in (False, True):
                impactsweep.run({**CONFIG, "outputs": ["mode", "sequence", "energy_loss", "principal_angle"]},
                                out=self.path("map.h5")).close()
                with impactsweep.open(self.path("map.h5"), degrees=degrees, labels=labels) as data:
                    self.check(data)
                    self.check(data.isel(angle=slice(1, 3)))
                    copy.deepcopy(data).load()
        for size in (3, 20_000):
            self.check(impactsweep.solve("compliant", **{**PENDULUM, "angle": np.linspace(0.1, 1.4, size)}))

    def test_functions_descriptions_and_fits(self):
        for name in impactsweep.theories():
            function = getattr(impactsweep, name)
            assert pickle.loads(pickle.dumps(function)) is function
            assert pickle.loads(pickle.dumps(impactsweep.describe(name))) == impactsweep.describe(name)
        for name in impactsweep.__all__:
            pickle.loads(pickle.dumps(getattr(impactsweep, name)))
        found = impactsweep.fit(**FIT)
        assert pickle.loads(pickle.dumps(found)).best == found.best
        with pytest.raises(impactsweep.InputError) as caught:
            impactsweep.open(self.path("none.h5"))
        assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)

    def test_other_processes_solve(self):
        code = ("import impactsweep, multiprocessing, functools\n"
                "if __name__ == '__main__':\n"
                "    multiprocessing.set_start_method('spawn')\n"
                f"    solve = functools.partial(impactsweep.solve, 'compliant', body='pendulum', friction=0.3, "
                "stiffness_ratio=1.21)\n"
                "    with multiprocessing.Pool(1) as pool:\n"
                "        found = pool.apply(impactsweep.compliant, (), dict(body='pendulum', friction=0.3, "
                "stiffness_ratio=1.21, angle=[0.5] * 20000))\n"
                "    print(found.mode.values[-1], len(found.mode))\n")
        self.write("many.py", code)
        done = subprocess.run([sys.executable, self.path("many.py")], capture_output=True, text=True,
                              env={**os.environ, "PYTHONPATH": package.POSTPROCESS,
                                   "IMPACTSWEEP_LIBRARY": os.path.join(BUILD, "libimpact.so.1")})
        assert (done.stdout, done.stderr) == ("slip_stick_slip_reversed 20000\n", "")
