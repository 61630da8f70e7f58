"""Sobol indices: of functions whose indices are known, compared with the numbers that SALib publishes, and of maps."""
import csv
import io
import os
import subprocess

import numpy as np
import pytest
from scipy.stats.qmc import Sobol

import package  # noqa: F401  (finds the package of the checkout)
from support import Case
import impactsweep

PENDULUM = """model: compliant
choose: {body: pendulum}
axes:
  - {param: law, values: [linear, hertz]}
  - {sample: saltelli, points: 256, seed: 3, params: [
      {param: angle, distribution: uniform, from: 8 deg, to: 40 deg},
      {param: friction, distribution: uniform, from: 0.2, to: 1}]}
fixed: {stiffness_ratio: 1.21}
outputs: [mode, kinematic_restitution, energy_loss]
"""

GENERAL = """model: compliant
choose: {body: general}
axes:
  - {sample: saltelli, points: 512, seed: 3, params: [
      {param: angle, distribution: uniform, from: -60 deg, to: 60 deg},
      {param: friction, distribution: uniform, from: 0.1, to: 1.5},
      {param: velocity_ratio, distribution: normal, mean: 0.5, sd: 0.5},
      {param: inertia_coupling, distribution: uniform, from: 0.2, to: 0.8}]}
fixed: {stiffness_ratio: 1.21}
outputs: [mode]
"""
# A B that is not positive definite is outside the domain: b12^2 > b11 b22.
HALF = """model: rigid
choose: {body: matrix, law: poisson}
axes:
  - {sample: saltelli, points: 256, seed: 3, params: [
      {param: b12, distribution: uniform, from: -1.2, to: 1.2},
      {param: friction, distribution: uniform, from: 0.2, to: 0.5}]}
fixed: {b11: 1, b22: 1, velocity_ratio: 0.5, restitution: 0.6}
outputs: [mode, velocity_ratio_out]
"""


def design(parameters, groups, skipped=0, seed=None):
    """[group][point][parameter] in (0, 1)."""
    sequence = Sobol(2 * parameters, scramble=seed is not None, seed=seed).random(groups + skipped)
    a, b = sequence[skipped:, :parameters], sequence[skipped:, parameters:]
    mixed = [np.where(np.arange(parameters) == k, b, a) for k in range(parameters)]
    return np.stack([a, *mixed, b], axis=1)


def ishigami(unit, a=7.0, b=0.1):
    x = np.pi * (2 * unit - 1)
    return np.sin(x[..., 0]) + a * np.sin(x[..., 1]) ** 2 + b * x[..., 2] ** 4 * np.sin(x[..., 0])


def ishigami_indices(a=7.0, b=0.1):
    """Closed forms of Ishigami and Homma 1990: first order, total."""
    one, two = (1 + b * np.pi**4 / 5) ** 2 / 2, a**2 / 8
    both = b**2 * np.pi**8 * (1 / 18 - 1 / 50)
    variance = one + two + both
    return np.array([[one, two, 0], [one + both, two, both]]) / variance


def sobol_g(unit, a):
    return np.prod((np.abs(4 * unit - 2) + a) / (1 + a), axis=-1)


def sobol_g_indices(a):
    part = 1 / (3 * (1 + a) ** 2)
    variance = np.prod(1 + part) - 1
    total = np.array([part[k] * np.prod(1 + np.delete(part, k)) for k in range(len(a))])
    return np.array([part, total]) / variance


class Functions:
    def check(self, values, known, accuracy):
        found = impactsweep.sobol_indices(values, resamples=100)
        for name, wanted in zip(("first_order", "total"), known):
            estimate, low, high = found[name]
            np.testing.assert_allclose(estimate, wanted, atol=accuracy, err_msg=name)
            assert (low - accuracy <= wanted).all() and (wanted <= high + accuracy).all()
            assert (low <= estimate + 1e-12).all() and (estimate <= high + 1e-12).all()

    def test_ishigami(self):
        self.check(ishigami(design(3, 2**14, seed=1)), ishigami_indices(), 5e-3)

    def test_sobol_g(self):
        a = np.array([0, 1, 4.5, 9, 99, 99])
        self.check(sobol_g(design(6, 2**14, seed=2), a), sobol_g_indices(a), 5e-3)

    def test_published_numbers_of_salib(self):
        """Ishigami's function with 1,024 groups, without the first 1,024 points of the sequence, as in SALib's
        documentation ("Basics", version 1.4), to the printed digits."""
        found = impactsweep.sobol_indices(ishigami(design(3, 1024, skipped=1024)), resamples=1)
        np.testing.assert_allclose(found["first_order"][0], [0.31683154, 0.44376306, 0.01220312], atol=5e-8)
        np.testing.assert_allclose(found["total"][0], [0.55586009, 0.44189807, 0.24467539], atol=5e-8)

    def test_intervals_contain_the_index_as_often_as_their_level_promises(self):
        known, held = ishigami_indices(), []
        for seed in range(40):
            a, b = np.random.default_rng(seed).random((2, 256, 3))
            mixed = [np.where(np.arange(3) == k, b, a) for k in range(3)]
            values = ishigami(np.stack([a, *mixed, b], axis=1))
            found = impactsweep.sobol_indices(values, resamples=200, seed=seed)
            held += [found[name][1] <= known[k] for k, name in enumerate(("first_order", "total"))]
            held += [found[name][2] >= known[k] for k, name in enumerate(("first_order", "total"))]
        assert np.mean(held) > 0.95

    def test_values_that_do_not_vary_have_no_indices(self):
        found = impactsweep.sobol_indices(np.full((64, 4), 0.3))
        assert np.isnan(found["total"]).all()

    def test_values_of_other_shapes_and_undefined_values_are_refused(self):
        for wrong in (np.full((8, 4), np.nan), np.zeros((8, 2)), np.zeros(8)):
            with pytest.raises(impactsweep.InputError):
                impactsweep.sobol_indices(wrong)


class Maps(Case):
    def mapped(self, config):
        self.good("run", self.write("x.yaml", config), "-o", "x.h5", "--progress", "none", "--force")
        return self.path("x.h5")

    def test_indices_of_a_map_are_those_of_every_output_and_mode(self):
        path = self.mapped(PENDULUM)
        found = impactsweep.sensitivity(path, resamples=50, fewest=0)
        assert found["parameter"].values.tolist() == ["angle", "friction"]
        assert found["law"].values.tolist() == ["linear", "hertz"]
        rows = list(csv.DictReader(io.StringIO(self.good("export", path))))
        modes = {row["mode"] for row in rows}
        assert set(found["quantity"].values) == {"kinematic_restitution", "energy_loss",
                                                 *(f"mode = {m}" for m in modes)}
        for law in ("linear", "hertz"):
            part = [row for row in rows if row["law"] == law]
            for quantity in found["quantity"].values:
                name, equals, mode = quantity.partition(" = ")
                values = np.array([(row[name] == mode) if equals else float(row[name] or "nan")
                                   for row in part], float).reshape(-1, 4)
                one = found.sel(law=law, quantity=quantity)
                assert float(one["undefined"]) == pytest.approx(np.isnan(values).mean(), abs=5e-8)
                used = values[np.isfinite(values).all(axis=1)]
                assert int(one["groups"]) == len(used)
                wanted = impactsweep.sobol_indices(used, resamples=50)
                for index in ("first_order", "total"):
                    for bound, row in zip(("", "_low", "_high"), wanted[index]):
                        np.testing.assert_array_equal(one[index + bound], row, quantity)
        assert float(found["undefined"].sel(quantity="kinematic_restitution").max()) > 0
        assert float(found["undefined"].sel(quantity="mode = wedge").max()) == 0

    def test_few_groups_are_told_with_the_reason(self):
        """Of a sample over angles and speeds half of which lie outside a theory's domain, cells that are not solved are
        told from cells whose mode leaves an output undefined."""
        path = self.mapped(HALF)
        with pytest.warns(impactsweep.Undefined, match=r"velocity_ratio_out: \d+ of 256 groups are used, "
                          r"because \d+ % of the cells are not solved; "):
            found = impactsweep.sensitivity(path, ["velocity_ratio_out"], resamples=5)
        rows = list(csv.DictReader(io.StringIO(self.good("export", path))))
        failed = np.mean([row["outcome"] != "solved" for row in rows])
        assert failed > 0.1
        assert float(found["failed"][0]) == pytest.approx(failed, abs=5e-8)
        assert float(found["undefined"][0]) == 0
        path = self.mapped(PENDULUM)
        with pytest.warns(impactsweep.Undefined,
                          match="kinematic_restitution: .* groups are used, because it is undefined"):
            found = impactsweep.sensitivity(path, ["kinematic_restitution"], resamples=5)
        assert float(found["failed"].max()) == 0
        assert float(found["undefined"].max()) > 0

    def test_rare_names_are_left_out_with_a_note(self):
        path = self.mapped(GENERAL)
        rows = list(csv.DictReader(io.StringIO(self.good("export", path))))
        shares = {mode: np.mean([row["mode"] == mode for row in rows]) for mode in {row["mode"] for row in rows}}
        few = {mode for mode, share in shares.items() if min(share, 1 - share) * 512 < 20}
        assert few and few < set(shares), shares
        with pytest.warns(impactsweep.Undefined, match="too few cells have it or have it not: .*mode = "):
            found = impactsweep.sensitivity(path, ["mode"], resamples=50)
        assert set(found["quantity"].values) == {f"mode = {mode}" for mode in set(shares) - few}
        assert {text.split()[2] for text in found.attrs["left_out"]} == few
        assert float((found["total_high"] - found["total_low"]).max()) < 1

    def test_the_figure_has_a_panel_for_every_output_that_varies(self):
        path = self.mapped(PENDULUM.replace("outputs: [mode, kinematic_restitution, energy_loss]\n", ""))
        done = subprocess.run([os.path.join(package.POSTPROCESS, "plot.py"), path, "--as", "sensitivity", "--slice",
                               "law=linear", "-o", self.path("all.svg")], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        with open(self.path("all.svg"), encoding="utf-8") as file:
            drawn = file.read()
        found = impactsweep.sensitivity(impactsweep.open(path).sel(law="linear"), resamples=1)
        varies = np.isfinite(found["total"]).any("parameter").values
        assert varies.sum() > 15
        for quantity in found["quantity"].values[varies]:
            for word in quantity.replace(" = ", "_").split("_")[:2]:
                assert word in drawn, quantity
        assert "do not vary" in done.stderr

    def test_other_samples_and_unknown_outputs_are_refused(self):
        path = self.mapped(PENDULUM.replace("saltelli", "sobol"))
        with pytest.raises(impactsweep.InputError, match="saltelli"):
            impactsweep.sensitivity(path)
        path = self.mapped(PENDULUM)
        with pytest.raises(impactsweep.InputError, match="did you mean 'energy_loss'"):
            impactsweep.sensitivity(path, ["enrgy_loss"])
        with pytest.raises(impactsweep.InputError, match="unknown output over the sample 'friction'"):
            impactsweep.sensitivity(path, ["friction"])
