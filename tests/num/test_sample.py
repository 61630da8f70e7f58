"""Sampled axes against SciPy: the Sobol sequence in the first sixteen dimensions, bit for bit except for the random
shift, which is the same for all points of a dimension; normal quantiles; Latin hypercubes; Saltelli's design."""
import re

import numpy as np
import pytest
import xarray
from scipy.stats import norm, truncnorm
from scipy.stats.qmc import Sobol

from support import BAD_INPUT, Case, needs_beam

POINTS = 1024
NAMES = ["x", "y"]


class Sample(Case):
    def points(self, params, how="sobol", seed=1, points=POINTS, model="model: 'null'"):
        self.write("s.yaml", f"{model}\naxes:\n"
                   f"  - {{sample: {how}, points: {points}, seed: {seed}, params: [{params}]}}\n")
        self.good("run", "s.yaml", "-o", "s.h5", "--force", "--progress", "none")
        with xarray.open_dataset(self.path("s.h5")) as data:
            return data.load()

    @needs_beam
    def test_sobol(self):
        """Samples of the beam, which has enough parameters; each is uniform over a part of its range."""
        names = ["position", "length", "radius", "striker_radius", "modulus", "striker_modulus",
                 "poisson_ratio", "striker_poisson_ratio", "internal_damping", "external_damping",
                 "mass_per_length", "second_moment", "pin_position", "angular_velocity",
                 "tolerance", "window"]
        low = {name: 0.25 if "poisson" in name else 1.0 for name in names}
        low.update(position=0.0, tolerance=1e-4)
        high = {name: 0.5 if "poisson" in name else 2.0 for name in names}
        high.update(position=1.0, tolerance=1e-3)
        params = ", ".join(f"{{param: {n}, distribution: uniform, from: {low[n]!r}, to: {high[n]!r}}}"
                           .replace("e-0", ".0e-") for n in names)
        data = self.points(params, model="model: beam\nchoose: {solver: newmark}\ncell_budget: 1",
                           points=256)
        wanted = Sobol(16, scramble=False).random(256)
        for d, name in enumerate(names):
            unit = (data[name].values - low[name]) / (high[name] - low[name])
            bits = np.floor(unit * 2**20).astype(np.int64)
            shift = bits ^ np.floor(wanted[:, d] * 2**20).astype(np.int64)
            assert np.ptp(shift) <= 1, name  # 1: rounding of the last bit

    def test_normal(self):
        params = ", ".join(f"{{param: {n}, distribution: normal, mean: 3, sd: 0.5}}" for n in NAMES)
        uniform = ", ".join(f"{{param: {n}, distribution: uniform, from: 0, to: 1}}" for n in NAMES)
        data, unit = self.points(params), self.points(uniform)
        for name in NAMES:
            np.testing.assert_allclose(data[name], 3 + 0.5 * norm.ppf(unit[name]), rtol=1e-13)
            assert float(data[name].mean()) == pytest.approx(3, abs=2e-3)
            assert float(data[name].std()) == pytest.approx(0.5, abs=5e-3)

    def test_normal_that_is_cut_off(self):
        """At one end or at both, in the middle and far out on either side."""
        uniform = "{param: x, distribution: uniform, from: 0, to: 1}"
        unit = self.points(uniform).x.values
        for low, high in ((2.5, 3.2), (None, 2.9), (3.4, None), (4.5, 5), (1, 1.5), (None, 1.2), (4.9, None)):
            ends = "".join(f", {key}: {end}" for key, end in (("from", low), ("to", high)) if end is not None)
            data = self.points(f"{{param: x, distribution: normal, mean: 3, sd: 0.5{ends}}}")
            a, b = (-np.inf if low is None else (low - 3) / 0.5, np.inf if high is None else (high - 3) / 0.5)
            wanted = truncnorm.ppf(unit, a, b, loc=3, scale=0.5)
            np.testing.assert_allclose(data.x, wanted, rtol=1e-11, err_msg=ends)
            assert ((data.x >= (low or 0)) & (data.x <= (high or 9))).all()
            words = data.x.attrs["distribution"]
            for end in (low, high):
                assert (end is None or f"{end:g}" in words.split("deviation 0.5")[1]) is True, words

    def test_latin(self):
        uniform = ", ".join(f"{{param: {n}, distribution: uniform, from: 0, to: 1}}"
                            for n in NAMES)
        data = self.points(uniform, how="latin", points=500)
        for name in NAMES:
            assert sorted(np.floor(data[name].values * 500)) == list(range(500))
        assert abs(np.corrcoef(data.x, data.y)[0, 1]) < 0.15

    def test_saltelli(self):
        """Groups of a, a with one parameter of b, b: points of the Sobol sequence in twice as many dimensions."""
        params = ", ".join(f"{{param: {n}, distribution: uniform, from: 0, to: 1}}" for n in NAMES)
        data = self.points(params, how="saltelli", points=64)
        assert data.sizes["sample"] == 64 * 4
        assert data["sample"].attrs["design"] == "saltelli"
        groups = np.stack([data[name].values.reshape(64, 4) for name in NAMES], axis=-1)
        a, b = groups[:, 0], groups[:, 3]
        np.testing.assert_array_equal(groups[:, 1], np.stack([b[:, 0], a[:, 1]], axis=1))
        np.testing.assert_array_equal(groups[:, 2], np.stack([a[:, 0], b[:, 1]], axis=1))
        wanted = Sobol(4, scramble=False).random(64)
        for d, unit in enumerate((a[:, 0], a[:, 1], b[:, 0], b[:, 1])):
            shift = np.floor(unit * 2**20).astype(np.int64) ^ np.floor(wanted[:, d] * 2**20).astype(
                np.int64)
            assert np.ptp(shift) <= 1, d
        self.bad("check", self.write("s.yaml", "model: 'null'\naxes:\n  - {sample: saltelli, "
                                     f"points: 16000000, seed: 1, params: [{params}]}}\n"),
                 says=["which makes a saltelli sample of 64000000 points"])

    def test_a_sample_that_leaves_the_range_is_reported_once(self):
        self.write("s.yaml", "model: 'null'\naxes:\n  - {sample: sobol, points: 512, seed: 1, params: "
                   "[{param: cost, distribution: normal, mean: 0, sd: 1}]}\n")
        said = self.bad("check", "s.yaml")
        assert said.count("outside its range") == 1
        assert re.search(r"\(drawn for point \d+ of the sample, from 0; 'from' and 'to' cut a distribution off\)", said)
        self.write("s.yaml", "model: 'null'\naxes:\n  - {sample: sobol, points: 512, seed: 1, params: "
                   "[{param: cost, distribution: normal, mean: 0, sd: 1, from: 0}]}\n")
        assert "standard deviation 1 s, from 0 s\n" in self.good("check", "s.yaml")

    def test_seed_and_dimension(self):
        uniform = "{param: x, distribution: uniform, from: 0, to: 1}"
        one, two, again = (self.points(uniform, seed=s) for s in (1, 2, 1))
        assert one.value.dims == ("sample",)
        assert one.sizes["sample"] == POINTS
        assert (one.x.values == again.x.values).all()
        assert (one.x.values != two.x.values).any()
        # A resume with another seed is refused, with a message that names the seed.
        self.write("s.yaml", open(self.path("s.yaml"), encoding="utf-8").read()
                   .replace("seed: 1", "seed: 3"))
        self.bad("run", "s.yaml", "-o", "s.h5", "--resume", "--progress", "none", says=["seed 3"])

    def test_bad_samples(self):
        good = "{param: x, distribution: uniform, from: 0, to: 1}"
        for params, rest, says in (
                (good.replace("uniform", "cauchy"), "", "unknown distribution 'cauchy'"),
                (good.replace("to: 1", "to: 0"), "", "'to' must be above 'from'"),
                ("{param: x, distribution: normal, mean: 0, sd: -1}", "", "sd"),
                ("{param: x, distribution: normal, mean: 0}", "", "missing key 'sd'"),
                ("{param: x, distribution: normal, mean: 0, sd: 1, from: 2, to: 1}", "", "'to' must be above 'from'"),
                ("{param: x, distribution: normal, mean: 0, sd: 1, from: 6}", "", "less than a millionth"),
                ("{param: cost, distribution: normal, mean: 0, sd: 1}", "", "outside"),
                (good + ", " + good, "", "on an axis already"),
                (good, ", spacing: log", "'spacing' does not go with 'sample'"),
                ("", "", "empty")):
            self.write("s.yaml", "model: 'null'\naxes:\n  - {sample: sobol, points: 8, seed: 1, "
                       f"params: [{params}]{rest}}}\n")
            self.bad("check", "s.yaml", code=BAD_INPUT, says=[says])
