"""Curves of searches for junctions and turning points follow each point along an axis: they end where it ends, and cross where
points exchange their order; single places of a map of the plane too."""
import os
import re
import subprocess

import h5py
import line_maps
import netCDF4
import numpy as np
import pytest
import small_maps as maps
from impactsweep.figures import over_maps
from impactsweep.maps import contents

PROGRAM = os.path.abspath(os.environ["IMPACTSWEEP"])
FRICTION = np.linspace(0.1, 1, 10)
ROD = """model: rigid
choose: {body: rod, law: poisson}
search:
  over:
    - {param: angle, from: -85 deg, to: 85 deg}
    - {param: velocity_ratio, from: -3, to: 3}
  find: junction
  of: mode
axes:
  - {param: friction, values: [0.3, 0.6]}
fixed: {restitution: 0.5}
"""


class Following(line_maps.Lines):
    def write(self, points, find="junction", friction=FRICTION):
        """points: [(angle in degrees, velocity ratio, {output: value})] over the friction, NaN where there is none; the file has
        them in the order of their angles, as a search does."""
        n, names = len(friction), sorted({name for point in points for name in point[2]})
        columns = {name: np.full((n, len(points)), np.nan) for name in ("at_angle", "at_velocity_ratio", *names)}
        for x in range(n):
            there = sorted((point[0][x], point[1][x], k) for k, point in enumerate(points) if np.isfinite(point[0][x]))
            for number, (angle, ratio, k) in enumerate(there):
                columns["at_angle"][x, number], columns["at_velocity_ratio"][x, number] = np.radians(angle), ratio
                for name in names:
                    columns[name][x, number] = points[k][2].get(name, 0)
        path = self.path("search.h5")
        maps.write_map(path, {"friction": (friction, "1")}, {"outcome": (np.ones(n, "i1"), {})})
        with netCDF4.Dataset(path, "a") as file:
            file.search = f"{find} of mode over angle -90 to 90 deg and velocity_ratio -3 to 3"
            file.fingerprint = (f"search\t{find} of mode, over angle from {-np.pi / 2!r} to {np.pi / 2!r} (64 samples), over "
                                "velocity_ratio from -3 to 3 (64 samples), tolerance 1e-12, at most 8\n")
            file.createDimension("root_number", len(points))
            file.createVariable("root_number", "i8", ("root_number",))[:] = np.arange(len(points))
            file["root_number"].impactsweep_role = "dimension"
            for name, values in columns.items():
                variable = file.createVariable(name, "f8", ("friction", "root_number"), fill_value=False)
                variable[:] = values
                variable.units = "rad" if name == "at_angle" else "1"
                if name == "turning_kind":
                    variable.flag_values, variable.flag_meanings = np.arange(3.0), "none largest smallest"
        return path

    def curves(self, path, *fields):
        """The set of lines without gaps, each a tuple of the values of outputs along the friction, None where there is none."""
        words = [word for name in fields or ("at_angle",) for word in ("--field", name)]
        values = self.family(path, "--x", "friction", *words).values
        found = np.stack([values[name][:, 0, 0] for name in fields or ("at_angle",)], axis=1)
        lines = []
        for row in found:
            starts = np.flatnonzero(np.diff(np.isfinite(row[0]), prepend=False)).tolist() + [row.shape[1]]
            lines += [np.where((np.arange(row.shape[1]) >= low) & (np.arange(row.shape[1]) < high), row, np.nan).ravel()
                      for low, high in zip(starts[::2], starts[1::2])]
        return {tuple(None if np.isnan(one) else round(one, 6) for one in line) for line in lines}

    def wanted(self, *curves):
        return {tuple(None if np.isnan(one) else round(one, 6) for one in np.concatenate([np.atleast_1d(part) for part in curve]))
                for curve in curves}

    def test_a_curve_ends_where_its_point_ends(self):
        steady, short, other = np.linspace(-60, -50, 10), np.where(FRICTION < 0.55, 10 - 20 * FRICTION, np.nan), 40 + 10 * FRICTION
        late = np.where(FRICTION > 0.75, -80.0, np.nan)
        level = np.zeros(10)
        points = [(steady, level, {}), (short, level, {}), (other, level, {}), (late, level, {})]
        assert self.curves(self.write(points)) == self.wanted([steady], [short], [other], [late])

    def test_points_that_exchange_their_order_keep_their_curves(self):
        rising, falling = np.linspace(-20, 30, 10), np.linspace(25, -15, 10)
        points = [(rising, np.full(10, 2.0), {}), (falling, np.full(10, -1.0), {})]
        assert self.curves(self.write(points), "at_angle", "at_velocity_ratio") == self.wanted(
            [rising, np.full(10, 2.0)], [falling, np.full(10, -1.0)])

    @pytest.mark.parametrize("friction", [FRICTION, FRICTION[::-1]], ids=["rising", "falling"])
    def test_an_axis_in_any_order(self, friction):
        short = np.where(friction < 0.55, -30 - 10 * friction, np.nan)
        other = 20 + 10 * friction
        way = 1 if friction[0] < friction[1] else -1
        found = self.curves(self.write([(short, 0 * short, {}), (other, 0 * other, {})], friction=friction))
        assert found == self.wanted([short[::way]], [other[::way]])

    def test_a_point_far_off_is_another_one(self):
        """Where one point ends and the next one begins at the same step, no curve joins them."""
        first, second = np.where(FRICTION < 0.55, -70.0, np.nan), np.where(FRICTION > 0.55, 70.0, np.nan)
        level = np.zeros(10)
        assert self.curves(self.write([(first, level, {}), (second, level, {})])) == self.wanted([first], [second])

    def test_the_values_that_meet_tell_points_apart(self):
        """Two junctions pass each other between two points of the axis, nearer than either of them moves."""
        here, there = np.linspace(-2, 2, 10) * 9, np.linspace(2, -2, 10) * 9
        level = np.zeros(10)
        points = [(here, level, {"meets_1": 1, "meets_2": 2, "meets_3": 3, "energy": 1}),
                  (there, level, {"meets_1": 1, "meets_2": 4, "meets_3": 5, "energy": 2})]
        assert self.curves(self.write(points), "at_angle", "energy") == self.wanted(
            [here, np.full(10, 1.0)], [there, np.full(10, 2.0)])

    def test_a_largest_place_never_becomes_a_smallest_one(self):
        """Two turning points are at one place; where one of them ends, the curve of the other goes on."""
        place, level = np.linspace(-20, 20, 10), np.zeros(10)
        short = np.where(FRICTION < 0.55, place, np.nan)
        points = [(short, level, {"turning_kind": 1, "side_above": 2, "side_below": 6, "energy": 1}),
                  (place, level, {"turning_kind": 2, "side_above": 3, "side_below": 5, "energy": 2})]
        assert self.curves(self.write(points, "turning"), "energy") == self.wanted(
            [np.where(np.isfinite(short), 1.0, np.nan)], [np.full(10, 2.0)])

    def test_sides_of_turning_points_tell_them_apart(self):
        place, level = np.linspace(-20, 20, 10), np.zeros(10)
        short = np.where(FRICTION > 0.55, place, np.nan)
        points = [(short, level, {"turning_kind": 1, "side_above": 2, "side_below": 6, "energy": 1}),
                  (place, level, {"turning_kind": 1, "side_above": 3, "side_below": 5, "energy": 2})]
        assert self.curves(self.write(points, "turning"), "energy") == self.wanted(
            [np.where(np.isfinite(short), 1.0, np.nan)], [np.full(10, 2.0)])

    def test_a_slice_and_curves_by_number_are_as_stored(self):
        rising, falling = np.linspace(-20, 30, 10), np.linspace(25, -15, 10)
        path = self.write([(rising, np.full(10, 2.0), {}), (falling, np.full(10, -1.0), {})])
        for words in (("--slice", "root_number=0"), ("--curves", "root_number")):
            values = self.family(path, "--field", "at_angle", *words).values["at_angle"]
            np.testing.assert_allclose(values[0, 0, 0], np.minimum(rising, falling))

    def test_an_output_of_many_points_is_no_horizontal_axis(self):
        rising = np.linspace(-20, 30, 10)
        path = self.write([(rising, 0 * rising, {}), (rising + 9, 0 * rising, {})])
        words = (path, "--x", "at_angle", "--field", "at_velocity_ratio")
        assert "'at_angle' has several values in each cell; take one with --slice root_number=NUMBER" in self.refuse(*words)
        assert self.family(*words, "--slice", "root_number=1").values["at_velocity_ratio"].shape == (1, 1, 1, 10)

    def test_curves_across_a_map_follow_points(self):
        steady, short = np.linspace(40, 50, 10), np.where(FRICTION < 0.55, -10.0, np.nan)
        with contents.open_map(self.write([(steady, 0 * steady, {}), (short, 0 * short, {})])) as data:
            found = [y for _, y in over_maps.curves_across(data, ["friction", "angle"])]
        assert {tuple(np.round(np.nan_to_num(y), 6)) for y in found} == {tuple(np.round(np.nan_to_num(y), 6)) for y in (steady, short)}

    def test_junctions_of_a_rigid_rod_keep_the_modes_that_meet(self):
        """All come in threes at one angle, sorted otherwise at another friction."""
        with open(self.path("rod.yaml"), "w", encoding="utf-8") as file:
            file.write(ROD)
        subprocess.run([PROGRAM, "run", "rod.yaml", "-o", "rod.h5", "--progress", "none"], cwd=self.folder, check=True,
                       stdout=subprocess.DEVNULL)
        with h5py.File(self.path("rod.h5")) as file:
            count = [int(n) for n in file["root_count"]]
            meets = np.stack([file[name][()] for name in sorted(file) if re.fullmatch(r"meets_\d+", name)], axis=-1)
            places = np.stack([np.degrees(file["at_angle"][()]), file["at_velocity_ratio"][()]], axis=-1)
        values = self.family(self.path("rod.h5"), "--field", "at_angle", "--field", "at_velocity_ratio").values
        seen = []
        for angle, ratio in zip(values["at_angle"][:, 0, 0], values["at_velocity_ratio"][:, 0, 0]):
            if np.isfinite(angle).all():
                seen.append([np.argmin(np.hypot(*(places[x, :count[x]] - (angle[x], ratio[x])).T)) for x in (0, 1)])
        assert len(seen) == min(count) > 8
        for one, other in seen:
            assert set(meets[0, one]) == set(meets[1, other])
