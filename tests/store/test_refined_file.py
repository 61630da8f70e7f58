"""The file of a refined map through h5py, netCDF-4 and xarray, and its exports."""
import csv
import io
import json
import os
import re
import subprocess

import h5py
import netCDF4
import numpy as np
import pytest
import scipy.ndimage
import xarray
from support import BAD_INPUT, Case

CONFIG = """model: compliant
choose: {body: rod, law: linear}
refine: {base: 16, depth: 7, boundary: 1e-3, audit: 100}
axes:
  - {param: angle, from: -89 deg, to: 89 deg}
  - {param: velocity_ratio, from: -5, to: 5}
fixed: {stiffness_ratio: 1.21, friction: 0.8}
outputs: [mode, sequence, kinematic_restitution]
"""
SPACE = """model: compliant
choose: {body: rod, law: linear}
refine: {base: 8, depth: 4, boundary: 0.02}
axes:
  - {param: angle, from: 10 deg, to: 80 deg}
  - {param: velocity_ratio, from: -2, to: 2}
  - {param: friction, from: 0.1, to: 1}
fixed: {stiffness_ratio: 1.21}
outputs: [mode]
"""
PLAIN = """model: compliant
choose: {body: pendulum, law: linear}
refine: {base: 8, depth: 4, boundary: 0.01, audit: 10}
axes:
  - {param: stiffness_ratio, values: [1.21, 1]}
  - {param: angle, from: 20 deg, to: 25 deg}
  - {param: friction, from: 1, to: 1.1}
outputs: [mode]
"""
PLACES = "angle,angle_low,angle_high,friction,friction_low,friction_high"
IN_DEGREES = "angle [deg],angle_low [deg],angle_high [deg]"
GROUPS = ("points", "boundaries", "junctions", "shares", "refinements", "labels", "regions", "borders")


class Files(Case):
    @classmethod
    def setup_class(cls):
        super().setup_class()
        cls.map = os.path.join(cls.shared, "map.h5")

    def setup_method(self):
        super().setup_method()
        if not os.path.exists(self.map):
            self.run_config(CONFIG, self.map, "--progress", "none")


class Readers(Files):
    def test_the_root_is_an_ordinary_map(self):
        for engine in ("netcdf4", "h5netcdf"):
            with xarray.open_dataset(self.map, engine=engine) as file:
                assert dict(file.sizes) == {"angle": 129, "velocity_ratio": 129}
                assert file["mode"].dims == ("angle", "velocity_ratio")
                assert len(file.to_dataframe()) == 129 * 129

    def test_every_group_is_one_table(self):
        for engine in ("netcdf4", "h5netcdf"):
            for group in GROUPS:
                with xarray.open_dataset(self.map, engine=engine, group=group) as file:
                    rows = [name for name in file.sizes if name != "refined_axis"]
                    assert len(rows) == 1
                    table = file.drop_dims("refined_axis", errors="ignore").to_dataframe()
                    assert len(table) == file.sizes[rows[0]]

    def test_regions_are_those_of_the_flat_grid(self):
        with h5py.File(self.map) as file:
            names = file.attrs["labels"].split()
            codes = dict(zip(file["mode"].attrs["flag_meanings"].decode().split(), file["mode"].attrs["flag_values"]))
            flat, found, n = file["mode"][()], np.zeros(file["mode"].shape, int) - 1, 0
            for code in np.unique(flat):
                parts, number = scipy.ndimage.label(flat == code)
                found[parts > 0] = parts[parts > 0] + n - 1
                n += number
            table = {name: column[()] for name, column in file["regions"].items() if name.startswith("region_")}
            assert len(table["region_number"]) == n > 3
            axes = [np.flatnonzero(file[name][()] == place) for name in ("angle", "velocity_ratio")
                    for place in table[f"region_{name}"]]
            inside = np.concatenate(axes).reshape(2, n)
            regions = found[inside[0], inside[1]]
            assert sorted(regions) == list(range(n))
            for row, region in enumerate(regions):
                assert flat[inside[0, row], inside[1, row]] == codes[names[table["region_label"][row]]]
                places = np.nonzero(found == region)
                assert table["region_nodes"][row] == len(places[0])
                assert table["region_angle_low"][row] == file["angle"][places[0].min()]
                assert table["region_velocity_ratio_high"][row] == file["velocity_ratio"][places[1].max()]
            pairs = {}
            for one, other in ((found[1:], found[:-1]), (found[:, 1:], found[:, :-1])):
                for a, b in zip(one[one != other], other[one != other]):
                    pairs[min(a, b), max(a, b)] = pairs.get((min(a, b), max(a, b)), 0) + 1
            borders = {tuple(sorted((regions[one], regions[other]))): pairs for one, other, pairs in zip(
                *(file[f"borders/border_{name}"][()] for name in ("one", "other", "pairs")))}
            assert borders == pairs
        info = self.info(self.map)["refinements"][0]
        assert (info["regions"], info["borders"]) == (n, len(pairs))
        rows = list(csv.DictReader(io.StringIO(self.good("export", self.map, "--regions"))))
        assert [int(row["nodes"]) for row in rows] == list(table["region_nodes"])
        assert len(list(csv.DictReader(io.StringIO(self.good("export", self.map, "--borders"))))) == len(pairs)

    def test_netcdf_and_h5py_read_the_same(self):
        def compare(group, path):
            for name, variable in group.variables.items():
                stored = file[f"{path}/{name}"]
                np.testing.assert_array_equal(variable[...], stored[()], err_msg=name)
                assert variable.dimensions == tuple(dim[0].name.split("/")[-1] if len(dim) else name
                                                    for dim in stored.dims)
            for name, part in group.groups.items():
                if name != "run":
                    compare(part, f"{path}/{name}")
        with netCDF4.Dataset(self.map) as whole, h5py.File(self.map) as file:
            whole.set_auto_mask(False)
            compare(whole, "")
        subprocess.run(["ncdump", "-h", self.map], check=True, stdout=subprocess.DEVNULL)

    def test_points_are_those_of_the_lattice(self):
        with xarray.open_dataset(self.map, group="points") as points:
            lattice = points["point_lattice"].values / 2**31
            np.testing.assert_allclose(points["point_velocity_ratio"], -5 + 10 * lattice[:, 1],
                                       rtol=0, atol=1e-14)
            np.testing.assert_allclose(np.degrees(points["point_angle"]), -89 + 178 * lattice[:, 0],
                                       rtol=0, atol=1e-12)
            assert len(np.unique(lattice, axis=0)) == len(lattice)

    def test_brackets_divide_their_labels(self):
        """The two ends of the bracket of a vertex are points whose modes are its labels."""
        with h5py.File(self.map) as file:
            names = file.attrs["labels"].split()
            codes = dict(zip(file["mode"].attrs["flag_meanings"].decode().split(),
                             file["mode"].attrs["flag_values"]))
            points = {key: mode for key, mode in zip(
                zip(file["points/point_angle"][()], file["points/point_velocity_ratio"][()]),
                file["points/point_mode"][()])}
            ends = [list(zip(file[f"boundaries/boundary_angle_{end}"][()],
                             file[f"boundaries/boundary_velocity_ratio_{end}"][()]))
                    for end in ("low", "high")]
            left, right = (file[f"boundaries/boundary_{side}"][()] for side in ("left", "right"))
            for i, (low, high) in enumerate(zip(*ends)):
                wanted = {codes[names[left[i]]], codes[names[right[i]]]}
                assert {points[low], points[high]} == wanted
                assert low[0] == high[0] or low[1] == high[1]
                assert abs(high[0] - low[0]) / np.radians(178) + abs(high[1] - low[1]) / 10 <= 1e-3 * (1 + 1e-9)

    def test_shares_add_up(self):
        found = self.info(self.map)["refinements"][0]
        assert sum(share["share"] for share in found["shares"].values()) == pytest.approx(1, abs=5e-8)
        with h5py.File(self.map) as file:
            mode = file["mode"][()]
            names = dict(zip(file["mode"].attrs["flag_meanings"].decode().split(),
                             file["mode"].attrs["flag_values"]))
        for name, share in found["shares"].items():
            assert np.mean(mode == names[name]) == pytest.approx(share["share"], abs=0.02)


class Export(Files):
    def rows(self, *words):
        return list(csv.DictReader(io.StringIO(self.good("export", self.map, *words))))

    def test_the_grid(self):
        assert len(self.rows()) == 129 * 129

    def test_boundaries_as_csv_and_as_shapes(self):
        rows = self.rows("--boundary")
        shapes = json.loads(self.good("export", self.map, "--boundary", "--format", "geojson"))
        assert (shapes["axes"], shapes["units"]) == (["angle", "velocity_ratio"], ["rad", "1"])
        at = 0
        for feature in shapes["features"]:
            places = feature["geometry"]["coordinates"]
            known = feature["properties"]
            places = [places] if feature["geometry"]["type"] == "Point" else places
            assert len(places) == len(known["brackets"])
            for place, (low, high) in zip(places, known["brackets"]):
                row = rows[at]
                assert [row["left"], row["right"]] == [known["left"], known["right"]]
                assert place == [float(row["angle"]), float(row["velocity_ratio"])]
                assert low == [float(row["angle_low"]), float(row["velocity_ratio_low"])]
                assert high == [float(row["angle_high"]), float(row["velocity_ratio_high"])]
                at += 1
        assert at == len(rows)
        assert len(shapes["features"]) > 3

    def test_points(self):
        rows = self.rows("--points", "--degrees")
        with h5py.File(self.map) as file:
            assert len(rows) == file["points/point_outcome"].size
            np.testing.assert_allclose([float(row["angle [deg]"]) for row in rows],
                                       np.degrees(file["points/point_angle"][()]), rtol=1e-15)
        assert {row["outcome"] for row in rows} == {"solved"}

    def test_junctions(self):
        rows = self.rows("--junctions")
        assert len(rows) == self.info(self.map)["refinements"][0]["junctions"]
        for row in rows:
            assert int(row["labels"]) >= 2
            assert float(row["angle_low"]) <= float(row["angle"])
        shapes = json.loads(self.good("export", self.map, "--junctions", "--format", "geojson"))
        assert len(shapes["features"]) == len(rows)

    def test_tables_without_rows_have_their_heads(self):
        """A map of one mode has no boundaries and no junctions; what reads tables needs their columns."""
        self.run_config(PLAIN, "one.h5", "--progress", "none")
        for words, head in ((("--boundary",), f"refinement,number,left,right,{PLACES},stiffness_ratio"),
                            (("--junctions", "--degrees"),
                             f"refinement,{PLACES.replace('angle,angle_low,angle_high', IN_DEGREES)},labels," +
                             ",".join(f"label_{i}" for i in range(1, 9)) + ",stiffness_ratio")):
            assert self.good("export", "one.h5", *words) == head + "\n"
            shapes = json.loads(self.good("export", "one.h5", *words, "--format", "geojson"))
            assert (shapes["axes"], shapes["features"]) == (["angle", "friction"], [])
        assert "\nLINES 0 0\n" in self.good("export", "one.h5", "--vtk")

    def test_formats_follow_the_name_and_files_are_guarded(self):
        for words, name, start in ((("--boundary",), "b.geojson", '{"type"'),
                                   (("--boundary",), "b.csv", "number,left,right,angle"),
                                   (("--boundary",), "b.vtk", "# vtk"), (("--vtk",), "s.vtk", "# vtk"),
                                   (("--junctions",), "j.json", '{"type"'),
                                   (("--points",), "p.csv", "angle,velocity_ratio,lattice_1")):
            for _ in range(2):  # the command replaces its own file
                self.good("export", self.map, *words, "-o", name)
                with open(self.path(name)) as file:
                    assert file.readline().startswith(start)
        self.write("mine.csv", "1,2\n")
        self.bad("export", self.map, "--boundary", "-o", "mine.csv", code=BAD_INPUT,
                 says="export did not write it")

    def test_options_that_do_not_go_together(self):
        for words, says in ((("--boundary", "--points"), "exclude each other"),
                            (("--points", "--format", "vtk"), "points are written as CSV"),
                            (("--points", "-o", "p.vtk"), "to a file whose name ends in .csv"),
                            (("--boundary", "--slice", "angle=0"), "are about cells of the grid"),
                            (("--points", "--hex"), "are about cells of the grid")):
            self.bad("export", self.map, *words, code=BAD_INPUT, says=says)
        self.write("y.yaml", "model: 'null'\naxes: [{param: x, from: 0, to: 1, points: 2}]\n")
        self.good("run", "y.yaml", "-o", "plain.h5", "--progress", "none")
        for word in ("--boundary", "--junctions", "--points", "--vtk"):
            self.bad("export", "plain.h5", word, code=BAD_INPUT, says="was not refined")


class Outcomes(Case):
    """A refinement that judges by the outcome: which inverse masses a body can have, b12^2 < b11 b22."""
    CONFIG = """model: rigid
choose: {body: matrix, law: energetic}
refine: {base: 16, depth: 6, boundary: 1e-6, tolerance: 1e-3, on: %s}
axes:
  - {param: b11, values: [0.25, 1, 4]}
  - {param: b12, from: -1.5, to: 1.5}
  - {param: velocity_ratio, from: -2, to: 2}
fixed: {b22: 1, restitution: 0.6, friction: 0.3}
outputs: [mode]
"""

    def run(self, on):
        self.run_config(self.CONFIG % on, f"{on[0]}.h5", "--progress", "none")
        return json.loads(self.good("info", f"{on[0]}.h5", "--json"))

    def rows(self, word):
        return list(csv.DictReader(io.StringIO(self.good("export", "o.h5", word))))

    def test_it_alone(self):
        assert self.run("outcome")["complete"]
        limits = {"0": .5, "1": 1}
        vertices = self.rows("--boundary")
        assert {row["refinement"] for row in vertices} == set(limits)
        for row in vertices:
            low, high = sorted(abs(float(row[name])) for name in ("b12_low", "b12_high"))
            assert low <= limits[row["refinement"]] <= high < low + 4e-6, row
            assert sorted((row["left"], row["right"])) == ["outside", "solved"]
        assert [row["label"] for row in self.rows("--regions")] == 2 * ["outside", "solved", "outside"] + ["solved"]
        # The regions outside vanish where their last nodes but those of the edge are solved.
        events = self.rows("--events")
        assert [(row["kind"], row["label_1"]) for row in events] == 2 * [("vanished", "outside")]
        for row in events:
            assert float(row["b11_first"]) <= (1.5 - 3 / 64) ** 2 <= float(row["b11_last"])

    def test_beside_an_output_it_changes_nothing(self):
        names = ("points", "shares", "junctions", "regions")
        mode, both = self.run("mode"), self.run("[outcome, mode]")
        assert [both[name] for name in names if name in both] == [mode[name] for name in names if name in mode]
        with h5py.File(self.path("m.h5")) as one, h5py.File(self.path("[.h5")) as other:
            assert set(other["labels"]) == set(one["labels"])
            for name in ("mode", "outcome", "labels/label_outcome", "labels/label_mode"):
                np.testing.assert_array_equal(other[name][()], one[name][()])

    def test_a_deeper_one_knows_its_points(self):
        self.run("outcome")
        said = self.run_config(self.CONFIG.replace("depth: 6", "depth: 7") % "outcome", "o.h5", "--resume", "--progress", "none")
        assert re.search(r"(?m)^[\d,]+ points computed", said)
        self.good("run", "x.yaml", "-o", "whole.h5", "--progress", "none")
        with h5py.File(self.path("whole.h5")) as one, h5py.File(self.path("o.h5")) as other:
            for name in ("outcome", "points/point_outcome", "boundaries/boundary_b12"):
                np.testing.assert_array_equal(np.sort(other[name][()], None), np.sort(one[name][()], None))


class Directions(Case):
    """Rigid pendulums of any restitution wedge where the tangent of their angle is at most the friction."""
    CONFIG = """model: rigid
choose: {{body: pendulum, law: energetic}}
refine: {{base: 16, depth: 4, boundary: {boundary}, audit: 0}}
axes:
  - {{param: angle, from: {angle[0]} deg, to: {angle[1]} deg}}
  - {{param: friction, from: {friction[0]}, to: {friction[1]}, spacing: {spacing}}}
{last}
outputs: [mode]
"""
    PLANE, SPACE = "fixed: {restitution: 0.7}", "  - {param: restitution, from: 0.1, to: 0.9}"
    FALLING = SPACE.replace("from: 0.1, to: 0.9", "from: 0.9, to: 0.1")
    DIRECTIONS = pytest.mark.parametrize("angle, friction, spacing", [
        (angle, friction, spacing) for angle in ((2, 80), (80, 2)) for friction in ((0.01, 3), (3, 0.01))
        for spacing in ("linear", "log")])

    def run(self, last, **words):
        self.run_config(self.CONFIG.format(last=last, **words), "x.h5", "--progress", "none", "--force")

    def age(self):
        """Makes the map one of an older version, whose sides hold on the lattice."""
        with h5py.File(self.path("x.h5"), "r+") as file:
            del file.attrs["sides"]
            for one, other in (("boundaries/boundary_left", "boundaries/boundary_right"),
                               ("triangles/triangle_below", "triangles/triangle_above")):
                if one in file and ("triangles" in one or "triangles" not in file):
                    file[one][...], file[other][...] = file[other][()], file[one][()]

    def check_lines(self):
        rows = list(csv.DictReader(io.StringIO(self.good("export", "x.h5", "--boundary"))))
        at, number = (np.array([[float(row[name]) for name in names] for row in rows]) for names in (("angle", "friction"), ("number",)))
        joined = np.flatnonzero(number[1:, 0] == number[:-1, 0])
        assert len(joined) > 20
        way, uphill = (at[1:] - at[:-1])[joined], np.stack([-np.cos(at[joined, 0]) ** -2, np.ones(len(joined))], 1)
        to_left = way[:, 0] * uphill[:, 1] - way[:, 1] * uphill[:, 0] > 0
        assert {(rows[i]["left"], bool(left)) for i, left in zip(joined, to_left)} <= {("wedge", True), ("restitution_reverse", False)}
        shapes = json.loads(self.good("export", "x.h5", "--boundary", "--format", "geojson"))["features"]
        assert {one["properties"]["left"] for one in shapes} == {row["left"] for row in rows}
        return self.good("export", "x.h5", "--vtk")

    @DIRECTIONS
    def test_sides_of_lines_hold_in_values(self, angle, friction, spacing):
        self.run(self.PLANE, boundary=1e-4, angle=angle, friction=friction, spacing=spacing)
        text = self.check_lines()
        if (angle[0] > angle[1]) != (friction[0] > friction[1]):
            self.age()
            assert self.check_lines() == text

    @DIRECTIONS
    @pytest.mark.parametrize("last", [SPACE, FALLING], ids=["rising", "falling"])
    def test_sides_of_triangles_hold_in_values(self, angle, friction, spacing, last):
        self.run(last, boundary=1e-3, angle=angle, friction=friction, spacing=spacing)
        self.check_triangles()
        if (last == self.FALLING) != ((angle[0] > angle[1]) != (friction[0] > friction[1])):
            self.age()
            self.check_triangles()

    def check_triangles(self):
        text = self.good("export", "x.h5", "--vtk").split("\n")
        labels = dict(re.findall(r" (\d+) (\w+)", text[1].partition("labels:")[2]))
        n = int(text[4].split()[1])
        at = np.array([line.split() for line in text[5:5 + n]], float)
        cells = int(text[5 + n].split()[1])
        corner = np.array([line.split()[1:] for line in text[6 + n:6 + n + cells]], int)
        below = text.index(f"below 1 {cells} int") + 1
        one, other, third = (at[corner[:, k]] for k in range(3))
        normal = np.cross(other - one, third - one)
        middle = (one + other + third) / 3
        above = normal[:, 1] - normal[:, 0] / np.cos(middle[:, 0]) ** 2 > 0
        right = above == np.array([labels[code] == "restitution_reverse" for code in text[below:below + cells]])
        area = np.linalg.norm(normal, axis=1)
        assert cells > 100 and {"wedge", "restitution_reverse"} == set(labels.values())
        assert area[right].sum() > 0.999 * area.sum()  # a triangle shorter than the tolerance may turn either way


class Outer(Case):
    """Boundaries of several refinements bear the values of the axes that are not refined."""
    CONFIG = """model: rigid
choose: {body: rod}
refine: {base: 16, depth: 4, boundary: 1e-2, audit: 0}
axes:
  - {param: law, values: [newton, energetic]}
  - {param: angle, from: -80 deg, to: 80 deg}
  - {table: cases.csv, name: case}
  - {param: initial_spin, values: [1, -1]}
  - {param: friction, from: 0.01, to: 3}
fixed: {velocity_ratio: 1}
outputs: [mode]
"""

    def test_values_of_outer_axes(self):
        self.write("cases.csv", "restitution, normal_speed [m/s]\n0.3, 1\n0.5, 2\n0.7, 3\n")
        self.run_config(self.CONFIG, "x.h5", "--progress", "none")
        wanted = [(law, 0.3 + 0.2 * case, case + 1.0, spin) for law in ("newton", "energetic") for case in range(3) for spin in (1, -1)]
        for word in ("--boundary", "--regions", "--junctions", "--filaments"):
            text = self.good("export", "x.h5", word)
            assert text.split("\n")[0].endswith(",law,restitution,normal_speed,initial_spin"), text.split("\n")[0]
            rows = list(csv.DictReader(io.StringIO(text)))
            assert word not in ("--boundary", "--regions") or len({row["refinement"] for row in rows}) == 12
            for row in rows:
                law, *numbers = wanted[int(row["refinement"])]
                assert row["law"] == law
                assert [float(row[name]) for name in ("restitution", "normal_speed", "initial_spin")] == pytest.approx(numbers, rel=1e-15)
        shapes = json.loads(self.good("export", "x.h5", "--boundary", "--format", "geojson"))
        assert shapes["outer"] == ["law", "restitution", "normal_speed", "initial_spin"]
        assert shapes["outer_units"] == ["1", "1", "m/s", "rad/s"]
        for one in shapes["features"]:
            known = one["properties"]
            assert [known[name] for name in shapes["outer"]] == [wanted[known["refinement"]][0], *map(
                pytest.approx, wanted[known["refinement"]][1:])]
        numbers = [one["properties"]["refinement"] for one in shapes["features"]]
        self.check_model(self.good("export", "x.h5", "--vtk").split("\n"), wanted, numbers)

    def check_model(self, text, wanted, refinements):
        n = len(refinements)
        start = text.index(f"CELL_DATA {n}")
        assert text[start + 1] == "FIELD labels 6"
        arrays = {text[at].split()[0]: (text[at].split()[1:], text[at + 1:at + 1 + n])
                  for at in range(start + 2, start + 2 + 6 * (n + 1), n + 1)}
        assert list(arrays) == ["left", "right", "refinement", "restitution", "normal_speed%20[m/s]", "initial_spin%20[rad/s]"]
        assert arrays["refinement"] == (["1", str(n), "int"], list(map(str, refinements)))
        for place, name in enumerate(list(arrays)[3:], 1):
            head, values = arrays[name]
            assert head == ["1", str(n), "double"]
            assert list(map(float, values)) == pytest.approx([wanted[i][place] for i in refinements], rel=1e-15)


class Levels(Case):
    """A refinement on a level has the output in its grid, where it tells the labels apart."""
    CONFIG = """model: compliant
choose: {body: rod, law: linear}
refine: {base: 16, depth: 7, boundary: 1e-3, audit: 100, on: %s}
axes:
  - {param: angle, from: 70 deg, to: -70 deg}
  - {param: friction, from: 0.02, to: 2, spacing: log}
fixed: {stiffness_ratio: 1.3, velocity_ratio: 1}
outputs: [mode, energy_loss, kinematic_restitution]
"""

    def run(self, on, *words):
        self.run_config(self.CONFIG % on, "x.h5", "--progress", "none", *words)
        return self.info("x.h5")

    @pytest.mark.parametrize("on, outputs", [
        ("{output: energy_loss, level: 0.2}", ["energy_loss"]),
        ("[mode, {output: energy_loss, level: 0.2}, {output: kinematic_restitution, jump: 0.05}]", ["energy_loss", "mode"])],
        ids=["level", "modes and level"])
    def test_the_grid_tells_labels_apart(self, on, outputs):
        self.run(on)
        with h5py.File(self.path("x.h5")) as file:
            grid = [name for name, one in file.items() if one.attrs.get("impactsweep_role") == b"output"]
            assert sorted(grid) == outputs
            flat = (file["energy_loss"][()] >= 0.2) + 2 * (file["mode"][()].astype(int) if "mode" in grid else 0)
            names = file.attrs["labels"].split()
            axes = [np.flatnonzero(file[name][()] == place) for name in ("angle", "friction")
                    for place in file[f"regions/region_{name}"]]
            labels, nodes = file["regions/region_label"][()], file["regions/region_nodes"][()]
            inside = np.concatenate(axes).reshape(2, len(labels))
            for row, place in enumerate(inside.T):
                parts, _ = scipy.ndimage.label(flat == flat[tuple(place)])
                assert (parts == parts[tuple(place)]).sum() == nodes[row]
                assert ("energy_loss>=0.2" in names[labels[row]]) == flat[tuple(place)] % 2
            points = file["points/point_lattice"][()] / 2**24
            here = (points == np.floor(points)).all(1) & (np.arange(len(points)) < len(points) - 100)
            np.testing.assert_array_equal(file["energy_loss"][()][tuple(points[here].astype(int).T)],
                                          file["points/point_energy_loss"][()][here])
        assert len(self.good("query", "x.h5", "energy_loss >= 0.2", "-o", "-").split("\n")) > 2
        assert nodes.sum() == flat.size

    def test_a_deeper_one_has_the_bytes_of_one_run(self):
        self.run("[mode, {output: energy_loss, level: 0.2}]")
        self.write("x.yaml", self.CONFIG.replace("depth: 7", "depth: 8") % "[mode, {output: energy_loss, level: 0.2}]")
        self.good("run", "x.yaml", "-o", "x.h5", "--resume", "--progress", "none")
        self.good("run", "x.yaml", "-o", "y.h5", "--progress", "none")
        self.good("diff", "x.h5", "y.h5")
        with h5py.File(self.path("x.h5")) as one, h5py.File(self.path("y.h5")) as other:
            assert one["energy_loss"].shape == (257, 257)
            np.testing.assert_array_equal(one["energy_loss"][()] >= 0.2, other["energy_loss"][()] >= 0.2)


class Surfaces(Case):
    def test_a_surface_for_paraview(self):
        self.run_config(SPACE, "map.h5", "--progress", "none")
        text = self.good("export", "map.h5", "--vtk").split("\n")
        points = next(i for i, line in enumerate(text) if line.startswith("POINTS"))
        n = int(text[points].split()[1])
        head = text[points + n + 1].split()
        assert head[0] == "POLYGONS"
        corners = np.array([line.split() for line in text[points + n + 2:][:int(head[1])]], int)
        assert np.all(corners[:, 0] == 3) and np.all(corners[:, 1:] < n)
        with h5py.File(self.path("map.h5")) as file:
            assert len(corners) == file["triangles/triangle_below"].size
            assert n == file["boundaries/boundary_number"].size
            data = text[points + n + 2 + len(corners):]
            assert data[:3] == [f"CELL_DATA {len(corners)}", "FIELD labels 2", f"below 1 {len(corners)} int"]
            assert data[3 + len(corners)] == f"above 1 {len(corners)} int"
            np.testing.assert_array_equal(np.array(data[4 + len(corners):][:len(corners)], int),
                                          file["triangles/triangle_above"][()])
