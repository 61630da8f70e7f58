"""100 drops to rest against the table bounce.csv."""
import csv
import json
import math
import os
import subprocess

import pytest

HERE = os.path.dirname(os.path.abspath(__file__))
PROGRAM = os.path.abspath(os.environ["IMPACTSWEEP"])
WHOLE = ("impacts", "first_point", "second_point", "largest_index", "largest_point", "settle_stick")
REAL = ("first_time", "first_speed", "first_impulse", "second_time", "second_impulse", "largest_impulse",
        "largest_time", "settle_time", "settle_x", "settle_angle", "settle_velocity_t", "settle_spin", "rest_time",
        "rest_x", "rest_angle", "rest_velocity_t", "rest_spin", "energy_loss", "friction_loss")
# In this cell, whose amplification is 4e6, either of two points may complete its chatter first: a change of the drop
# by its last digit decides.
EITHER_POINT = {50}


def table():
    with open(os.path.join(HERE, "bounce.csv"), newline="") as file:
        return list(csv.DictReader(line for line in file if not line.startswith("#")))


def words(row):
    """The words of the command line for a row."""
    sizes = {"sphere": [], "rod": [], "block": [f"width={row['shape_1']}"], "capsule": [f"slenderness={row['shape_1']}"],
             "points": [f"gyration_radius={row['shape_1']}"]}[row["shape"]]
    for k, corner in enumerate(filter(None, row["points"].split(";")), 1):
        distance, angle = corner.split(":")
        sizes += [f"corner_distance_{k}={distance}", f"corner_angle_{k}={angle}"]
    given = {"tilt": "angle"}
    same = ("law", "gravity", "restitution", "friction", "drop", "tilt", "velocity_t", "velocity_n", "spin")
    return [f"body={row['shape']}", *sizes, *(f"{name}={row[given.get(name, name)]}" for name in same)]


def body_of(row):
    """Corners or centres of discs as (r, beta), the radius of the discs, the square of the gyration radius."""
    size = float(row["shape_1"])
    if row["shape"] == "sphere":
        return [(0, 0)], 1, 0.4
    if row["shape"] == "rod":
        return [(0.5, 0), (0.5, math.pi)], 0, 1 / 12
    if row["shape"] == "block":
        corners = [(x, y) for x in (-size / 2, size / 2) for y in (-0.5, 0.5)]
        return [(math.hypot(x, y), math.atan2(y, x)) for x, y in corners], 0, (size ** 2 + 1) / 12
    if row["shape"] == "capsule":
        square = (8 / 15 + 0.75 * size + size ** 2 / 3 + size ** 3 / 12) / (4 / 3 + size)
        return [(size / 2, 0), (size / 2, math.pi)], 1, square
    return [tuple(map(float, corner.split(":"))) for corner in row["points"].split(";")], 0, size ** 2


def initial_energy(row):
    """The energy at the drop, of a body of mass 1 with the plane at 0."""
    points, radius, square = body_of(row)
    u, v, spin, tilt, gravity, drop = (float(row[name]) for name in
                                       ("velocity_t", "velocity_n", "spin", "angle", "gravity", "drop"))
    height = drop + radius - min(r * math.sin(tilt + beta) for r, beta in points)
    return gravity * height + (u * u + v * v + square * spin * spin) / 2


class Published:
    @pytest.mark.parametrize("row", table(), ids=lambda row: row["id"])
    def test_drop(self, row):
        done = subprocess.run([PROGRAM, "cell", "bounce", *words(row), "--json"], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        cell = json.loads(done.stdout)
        assert cell["outcome"] == "solved" and cell["mode"] == row["end"]
        assert cell["sequence"].replace(" ", "").replace(".", "") == row["sequence"]
        unit = dict.fromkeys(("energy_loss", "friction_loss"), initial_energy(row))
        for name in WHOLE:
            assert row[name] == "" or cell[name] == int(row[name]), name
        if int(row["id"]) not in EITHER_POINT:
            assert cell["settle_point"] == int(row["settle_point"])
        settled, rested = float(row["settle_amplification"] or 0), float(row["rest_amplification"] or 0)
        for name in REAL:
            if row[name] != "":
                amplification = settled if name.startswith("settle") else max(settled, rested)
                value = float(row[name])
                error = abs(cell[name] * unit.get(name, 1) - value) / max(1, abs(value))
                assert error <= 1e-12 * (1 + amplification), (name, cell[name], value)
        assert cell["residual"] < 1e-13
        assert cell["restitution_loss"] + cell["friction_loss"] == pytest.approx(cell["energy_loss"], abs=1e-14)
