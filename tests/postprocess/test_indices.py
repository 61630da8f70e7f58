"""Sobol indices: of functions whose indices are known, compared with the numbers that SALib publishes, and of maps."""
import csv
import io
import os
import sys
import unittest

sys.dont_write_bytecode = True
import numpy as np
from scipy.stats.qmc import Sobol

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
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


class Functions(unittest.TestCase):
    def check(self, values, known, accuracy):
        found = impactsweep.sobol_indices(values, resamples=100)
        for name, wanted in zip(("first_order", "total"), known):
            estimate, low, high = found[name]
            np.testing.assert_allclose(estimate, wanted, atol=accuracy, err_msg=name)
            self.assertTrue((low - accuracy <= wanted).all() and (wanted <= high + accuracy).all())
            self.assertTrue((low <= estimate + 1e-12).all() and (estimate <= high + 1e-12).all())

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
        self.assertGreater(np.mean(held), 0.95)

    def test_values_that_do_not_vary_have_no_indices(self):
        found = impactsweep.sobol_indices(np.full((64, 4), 0.3))
        self.assertTrue(np.isnan(found["total"]).all())

    def test_values_of_other_shapes_and_undefined_values_are_refused(self):
        for wrong in (np.full((8, 4), np.nan), np.zeros((8, 2)), np.zeros(8)):
            with self.assertRaises(impactsweep.InputError):
                impactsweep.sobol_indices(wrong)


class Maps(Case):
    def mapped(self, config):
        self.good("run", self.write("x.yaml", config), "-o", "x.h5", "--progress", "none", "--force")
        return self.path("x.h5")

    def test_indices_of_a_map_are_those_of_every_output_and_mode(self):
        path = self.mapped(PENDULUM)
        found = impactsweep.sensitivity(path, resamples=50)
        self.assertEqual(found["parameter"].values.tolist(), ["angle", "friction"])
        self.assertEqual(found["law"].values.tolist(), ["linear", "hertz"])
        rows = list(csv.DictReader(io.StringIO(self.good("export", path))))
        modes = {row["mode"] for row in rows}
        self.assertEqual(set(found["quantity"].values),
                         {"kinematic_restitution", "energy_loss", *(f"mode = {m}" for m in modes)})
        for law in ("linear", "hertz"):
            part = [row for row in rows if row["law"] == law]
            for quantity in found["quantity"].values:
                name, equals, mode = quantity.partition(" = ")
                values = np.array([(row[name] == mode) if equals else float(row[name] or "nan")
                                   for row in part], float).reshape(-1, 4)
                one = found.sel(law=law, quantity=quantity)
                self.assertAlmostEqual(float(one["undefined"]), np.isnan(values).mean())
                used = values[np.isfinite(values).all(axis=1)]
                self.assertEqual(int(one["groups"]), len(used))
                wanted = impactsweep.sobol_indices(used, resamples=50)
                for index in ("first_order", "total"):
                    for bound, row in zip(("", "_low", "_high"), wanted[index]):
                        np.testing.assert_array_equal(one[index + bound], row, quantity)
        self.assertGreater(float(found["undefined"].sel(quantity="kinematic_restitution").max()), 0)
        self.assertEqual(float(found["undefined"].sel(quantity="mode = wedge").max()), 0)

    def test_other_samples_and_unknown_outputs_are_refused(self):
        path = self.mapped(PENDULUM.replace("saltelli", "sobol"))
        with self.assertRaisesRegex(impactsweep.InputError, "saltelli"):
            impactsweep.sensitivity(path)
        path = self.mapped(PENDULUM)
        with self.assertRaisesRegex(impactsweep.InputError, "did you mean 'energy_loss'"):
            impactsweep.sensitivity(path, ["enrgy_loss"])
        with self.assertRaisesRegex(impactsweep.InputError, "unknown output over the sample 'friction'"):
            impactsweep.sensitivity(path, ["friction"])


if __name__ == "__main__":
    unittest.main()
