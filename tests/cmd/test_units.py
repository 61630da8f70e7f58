"""Units of mass, stiffness and speed, as `cell`, maps and `models` show them."""
import json
import math
import os
import re
import subprocess

import h5py
import numpy
import pytest

from support import ROOT, Case

CELL = ("compliant", "body=sphere", "velocity_ratio=1", "friction=0.2", "stiffness_ratio=1.21")
UNITS = {"mass": 2.0, "normal_stiffness": 8e6, "normal_speed": 3.0}
CONFIG = """model: compliant
choose: {body: %s}
axes:
  - {param: friction, from: 0, to: 1, points: 6}
%sfixed: {stiffness_ratio: 1.21, velocity_ratio: 1%s}
"""
SPEEDS = "  - {param: normal_speed, values: [1, 3, 7]}\n"


def words(*names):
    return [f"{name}={UNITS[name]}" for name in names]


def fixed(*names):
    return "".join(f", {name}: {UNITS[name]}" for name in names)


def unit_of(dataset):
    unit = dataset.attrs["units"]
    return unit.decode() if isinstance(unit, bytes) else unit

OF_BODIES = {"rad", "kg", "1/kg"}  # of B and what follows from it, whatever the units of the sweep

SI = """model: compliant
choose: {body: rod, law: linear}
axes:
  - {param: length, from: 0.0194, to: 0.5, points: 4}
  - {param: normal_stiffness, values: [4700, 2e6]}
  - {table: masses.csv, name: case}
fixed: {friction: 0.3, stiffness_ratio: 1.21, velocity_ratio: 1, angle: 0.5, normal_speed: 0.25}
"""
OTHER_UNITS = """model: compliant
choose: {body: rod, law: linear}
axes:
  - {param: length, from: 19.4 mm, to: 50 cm, points: 4}
  - {param: normal_stiffness, values: [4.7 N/mm, 2 MN/m]}
  - {table: grams.csv, name: case}
fixed: {friction: 0.3, stiffness_ratio: 1.21, velocity_ratio: 1, angle: 0.5, normal_speed: 250 mm/s}
"""


class Written(Case):
    """Values in units of the user are those in SI, to the last bit."""
    given = {"masses.csv": "mass, initial_spin\n0.037, 0\n2, 1\n", "grams.csv": "mass [g], initial_spin\n37, 0 deg/s\n2000, 1 rad/s\n"}

    def digest(self, config, *words):
        self.run_config(config, "x.h5", "--progress", "none", "--force", *words)
        return self.good("info", "x.h5", "--digest").splitlines()[-1]

    def test_configs_and_tables(self):
        assert self.digest(OTHER_UNITS) == self.digest(SI)

    def test_overrides(self):
        assert self.digest(SI, "--set", "length=19.4mm:50cm:4", "--set", "normal_speed=250 mm/s", "--set",
                           "normal_stiffness=[4.7 N/mm, 2 kN/mm]") == self.digest(SI)

    def test_searches_and_samples(self):
        search = SI.replace("axes:\n  - {param: length, from: 0.0194, to: 0.5, points: 4}\n", "axes:\n") + (
            "search: {over: {param: length, from: 0.0194, to: 0.5, samples: 8}, find: target, "
            "of: duration, value: 0.003}\n")
        other = search.replace("0.0194, to: 0.5", "19.4 mm, to: 50 cm").replace("value: 0.003", "value: 3 ms")
        assert self.digest(other) == self.digest(search)
        sample = SI.replace("{param: length, from: 0.0194, to: 0.5, points: 4}", "{sample: sobol, points: 4, seed: 1, "
                            "params: [{param: length, distribution: uniform, from: 0.0194, to: 0.5}]}")
        assert self.digest(sample.replace("0.0194, to: 0.5", "19.4 mm, to: 50 cm")) == self.digest(sample)

    def test_slices_and_limits_of_figures(self):
        config = SI + "figure: {as: lines, x: case, curves: normal_stiffness, field: [duration], slice: {length: %s}, " \
                      "limits: {duration: [0 ms, 0.1 s]}}\n"
        pictures = []
        for value in ("0.0194", "19.4 mm"):
            self.run_config(config % value, "x.h5", "--progress", "none", "--force")
            done = subprocess.run([os.path.join(ROOT, "postprocess", "plot.py"), "x.h5"], cwd=self.work, text=True,
                                  capture_output=True)
            assert done.returncode == 0, done.stderr
            with open(self.path("x.png"), "rb") as file:
                pictures.append(file.read())
        assert pictures[0] == pictures[1]
        self.bad("check", self.write("x.yaml", config % "19.4 kg"), says="has the unit of another quantity; its unit is m")
        done = subprocess.run([os.path.join(ROOT, "postprocess", "plot.py"), "x.h5", "--slice", "length=3kg"], cwd=self.work,
                              text=True, capture_output=True)
        assert (done.returncode, "the unit of 'length' is m" in done.stderr) == (2, True), done.stderr
        self.good("export", "x.h5", "--slice", "length=19.4mm")

    def test_words_of_cell(self):
        whole = ("compliant", "body=rod", "velocity_ratio=1", "friction=0.2", "stiffness_ratio=1.21", "angle=30deg")
        assert self.cell(*whole, "mass=37g", "length=75 mm", "normal_stiffness=4.7N/mm",
                         "normal_speed=30.48cm/s") == self.cell(*whole, "mass=0.037", "length=0.075",
                                                                "normal_stiffness=4700", "normal_speed=0.3048")
        self.bad("cell", *whole, "mass=3 mm", says="mass: '3 mm' has the unit of another quantity; its unit is kg")
        for word in ("friction=inf", "friction=-Infinity"):
            self.bad("cell", *whole[:3], *whole[4:], word, says="is not finite; its range is [0, inf)")


class Units(Case):
    def units(self):
        """{output: unit} of the theory."""
        theory = json.loads(self.good("models", "compliant", "--json"))
        return {output["name"]: output["unit"] for output in theory["outputs"]}

    def test_a_cell_follows_its_units(self):
        plain, full = self.cell(*CELL), self.cell(*CELL, *words(*UNITS))
        time = math.sqrt(UNITS["mass"] / UNITS["normal_stiffness"])
        factors = {"1": 1, "s": time, "N s": UNITS["mass"] * UNITS["normal_speed"]}
        checked = set()
        for name, unit in self.units().items():
            if unit in factors and isinstance(plain[name], float):
                checked.add(unit)
                assert full[name] == pytest.approx(plain[name] * factors[unit], abs=1e-14 * abs(full[name])), name
            elif plain[name] is None or isinstance(plain[name], str):
                assert full[name] == plain[name]
        assert checked == set(factors)

    def test_a_part_of_the_units_changes_values_but_shows_no_unit(self):
        for left in UNITS:
            some = [name for name in UNITS if name != left]
            assert not re.search(r"(?m)^duration.* s$", self.good("cell", *CELL, *words(*some)))
        assert re.search(r"(?m)^duration.* s$", self.good("cell", *CELL, *words(*UNITS)))
        # A parameter that is not given is 1.
        assert self.cell(*CELL, *words("mass", "normal_speed")) == self.cell(*CELL, *words("mass", "normal_speed"),
                                                                             "normal_stiffness=1")

    def test_the_mass_of_a_matrix_is_in_b(self):
        matrix = ("compliant", "body=matrix", "b11=1.75", "b12=0", "b22=0.5", "velocity_ratio=1",
                  "friction=0.2", "stiffness_ratio=1.21")
        text = self.good("cell", *matrix, *words("normal_stiffness", "normal_speed"))
        assert re.search(r"(?m)^normal_impulse.* N s$", text)
        sphere = self.cell(*CELL, *words(*UNITS))
        cell = self.cell(*matrix, *words("normal_stiffness", "normal_speed"))
        for name in ("normal_impulse", "tangential_impulse", "duration", "compression_time"):
            assert cell[name] == pytest.approx(sphere[name], abs=1e-13 * abs(sphere[name]))

    def run_map(self, name, body, axes, given):
        self.write(f"{name}.yaml", CONFIG % (body, axes, fixed(*given)))
        self.good("run", f"{name}.yaml", "-o", f"{name}.h5")
        return h5py.File(self.path(f"{name}.h5"))

    def stored(self, file):
        return {name: unit_of(file[name]) for name in self.units() if name in file}

    def test_a_map_has_units_when_all_are_given(self):
        expected = self.units()
        with self.run_map("full", "sphere", "", UNITS) as full, \
                self.run_map("plain", "sphere", "", ()) as plain:
            assert self.stored(full) == {name: expected[name] for name in self.stored(full)}
            assert set(self.stored(plain).values()) == {"1"} | OF_BODIES
            for name, unit in self.stored(full).items():
                if unit == "1":
                    assert full[name][()].tobytes() == plain[name][()].tobytes(), name

    def test_a_unit_may_be_an_axis(self):
        some = ("mass", "normal_stiffness")
        with self.run_map("swept", "sphere", SPEEDS, some) as file:
            assert unit_of(file["normal_impulse"]) == "N s"
            assert unit_of(file["normal_speed"]) == "m/s"
            impulse = file["normal_impulse"][()]
            numpy.testing.assert_allclose(impulse / [1, 3, 7], impulse[:, :1] * numpy.ones(3),
                                          rtol=1e-14)
        with self.run_map("speeds", "sphere", SPEEDS, ("mass",)) as file:
            assert set(self.stored(file).values()) == {"1"} | OF_BODIES

    def test_models_names_the_parameters_that_units_need(self):
        for form in ((), ("--markdown",)):
            page = self.good("models", "compliant", *form).replace("`", "")
            assert "if mass, normal_stiffness and normal_speed are all given" in page
        theory = json.loads(self.good("models", "compliant", "--json"))
        assert theory["unit_parameters"] == ["mass", "normal_stiffness", "normal_speed"]
        units = {p["name"]: p["unit"] for p in theory["parameters"]}
        assert (units["mass"], units["normal_speed"]) == ("kg", "m/s")
