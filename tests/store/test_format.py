"""The second reader of the format (format_reader.py, written from src/store/format.md) and the program see the same in
every kind of file: `export`, `query`, `info` and the digest. Where a byte of a file differs, the comparison notices."""
import csv
import gzip
import io
import os
import re
import shutil

HERE = os.path.dirname(os.path.abspath(__file__))
import format_reader
import h5py
import numpy as np
import pytest
from support import ROOT, ROOTS, STOPPED, Case, null_config

BODIES = """model: compliant
axes:
  - {param: body, values: [pendulum, rod]}
  - {param: angle, from: -10 deg, to: 80 deg, points: 5}
  - {table: cases.csv, name: case}
fixed: {friction: 0.6, velocity_ratio: 0.3}
"""
TABLE = "stiffness_ratio, normal_speed [m/s]\n1.21, 1\n0.1, 2\n"
PENDULUM = """model: compliant
choose: {body: pendulum}
axes:
  - {param: angle, from: 1 deg, to: 89 deg, points: 6}
  - {param: friction, from: 0.01, to: 1.5, points: 4, spacing: log}
fixed: {stiffness_ratio: 1.21}
"""
SAMPLE = """model: compliant
choose: {body: pendulum}
axes:
  - {param: law, values: [linear, coupled]}
  - sample: latin
    points: 5
    seed: 3
    params:
      - {param: angle, distribution: uniform, from: 10 deg, to: 80 deg}
      - {param: friction, distribution: normal, mean: 0.5, sd: 0.05}
fixed: {stiffness_ratio: 1.21, radius: {equals: length / 10}, length: {equals: 2 * friction}}
outputs: [mode, sequence, energy_loss, slip_loss]
precision: float32
"""
REFINED = """model: compliant
choose: {body: rod, law: linear}
refine: {base: 8, depth: 5, boundary: 1e-2, audit: 50}
axes:
  - {param: stiffness_ratio, values: [1.21, 1]}
  - {param: angle, from: -89 deg, to: 89 deg}
  - {param: velocity_ratio, from: -5, to: 5}
fixed: {friction: 0.8}
outputs: [mode, sequence, kinematic_restitution]
"""
SPACE = """model: compliant
choose: {body: rod, law: linear}
refine: {base: 4, depth: 3, boundary: 0.05}
axes:
  - {param: angle, from: 10 deg, to: 80 deg}
  - {param: velocity_ratio, from: -2, to: 2}
  - {param: friction, from: 0.1, to: 1}
fixed: {stiffness_ratio: 1.21}
outputs: [mode]
"""
STOPPED_REFINED = REFINED.replace("depth: 5", "depth: 20").replace("boundary: 1e-2", "boundary: 1e-7")
CELL = "compliant body=pendulum angle=30deg friction=0.3 stiffness_ratio=1.21".split()


def agrees(word, printed):
    """Whether a value of the reader is the one in a table, with every digit."""
    if isinstance(word, float):
        return printed != "" and (float(printed) == word or np.float32(printed) == np.float32(word) == word)
    return printed in ("", "-") if word is None else word == printed


class Format(Case):
    def run_map(self, config, *words, **options):
        self.write("cases.csv", TABLE)
        self.run_config(config, "map.h5", "--progress", "none", *words, **options)
        return self.path("map.h5")

    def run_partly(self, config, *words):
        """A map that is stopped with some of its cells done, however slow the machine is."""
        path, seconds = self.path("map.h5"), 0.3
        while not os.path.exists(path) or self.info(path)["done"] == 0:
            self.run_map(config, "--resume", "--time-limit", f"{seconds}s", *words, code=STOPPED)
            seconds *= 2
        return path

    def check_rows(self, rows, printed):
        """Each row of the program has the words of the reader; `rows`: dicts."""
        table = list(csv.DictReader(io.StringIO(printed)))
        assert len(rows) == len(table)
        for number, (row, line) in enumerate(zip(rows, table)):
            for name, found in line.items():
                assert agrees(row.get(name), found), f"row {number}, {name}: {row.get(name)}, {found}"

    def check_group(self, map, group, printed):
        """A table of findings or points; the program leaves the name of the row out of those of columns."""
        prefix = {"points": "point", "boundaries": "boundary", "junctions": "junction"}[group] + "_"
        columns = {name.removeprefix(prefix): values for name, values in map.table(group).items()}
        if group != "points":
            columns.update(self.outer_columns(map, columns))
        for number, values in enumerate(zip(*columns.pop("lattice", []))):
            columns[f"lattice_{number + 1}"] = [float(value) for value in values]
        self.check_rows([dict(zip(columns, values)) for values in zip(*columns.values())], printed)

    def outer_columns(self, map, columns):
        """The values of the axes that are not refined, by the number of the refinement."""
        refined = [name for name in map.sizes() if f"{name}_low" in columns]
        outer = {name: size for name, size in map.sizes().items() if name not in refined}
        at = dict(zip(outer, np.unravel_index(np.array(columns.get("refinement", []), int), tuple(outer.values())))) if outer else {}
        return {one.name: [one.word(one.values[k]) for k in at[one.dimensions[0]]] for one in map.of("axis", "column")
                if one.dimensions[0] in at and "points/point_" + one.name in map.datasets}

    def check_axes(self, map, told):
        assert sorted(axis["name"] for axis in told) == sorted(one.name for one in map.of("axis", "column"))
        for axis in told:
            one = map.datasets[axis["name"]]
            assert [one.dimensions[0], one.values.size, one.unit, one.spacing,
                    one.distribution] == [axis[key] for key in ("dimension", "size", "unit", "spacing", "distribution")]
            assert [one.word(one.values[0]), one.word(one.values[-1])] == [axis["from"], axis["to"]]

    def check_info(self, map, path):
        told = self.info(path)
        self.check_axes(map, told["axes"])
        assert {one.name: one.word(one.values) for one in map.of("fixed")} == told["fixed"]
        assert sorted(told["outputs"]) == (sorted(one.name.removeprefix("points/point_") for one in map.of("output"))
                                           if map.of("output") else told["outputs"])
        assert {one.name: one.formula for one in map.datasets.values() if one.formula} == told["formulas"]
        for key in ("theory", "title", "created", "host", "program_version", "residual_identity"):
            assert map.attributes[key] == told[key]
        if map.history:
            for name in ("phase", "event"):
                counted = {word: n for word, n in map.census(name).items() if word != "none"}
                assert counted == told["categories"][name]
            return
        assert (map.census(map.marks.name), map.is_complete(), map.sessions()) == (told["outcomes"], told["complete"],
                                                                                   told["sessions"])
        done = np.count_nonzero(map.marks.values)
        assert (map.marks.values.size, done) == (told.get("cells", map.marks.values.size), told["done"])
        if "mode" not in map.datasets:
            return  # a search, or points alone, of which the program tells no modes
        modes = map.census("mode")
        assert {word: n for word, n in modes.items() if word != "none"} == told["modes"]

    def check(self, path):
        """The whole comparison; returns the map as the reader sees it."""
        map = format_reader.open(path)
        self.check_info(map, path)
        assert map.digest() == self.digest(path)
        if map.of("outcome"):
            self.check_rows(list(map.rows()), self.good("export", path))
        if map.is_refined:
            self.check_group(map, "points", self.good("export", path, "--points"))
        if map.is_refined and map.is_complete():
            self.check_group(map, "boundaries", self.good("export", path, "--boundary"))
            self.check_group(map, "junctions", self.good("export", path, "--junctions"))
        return map


class Kinds(Format):
    def test_uniform_maps(self):
        path = self.run_map(BODIES)
        map = self.check(path)
        assert map.sizes() == {"body": 2, "angle": 5, "case": 2}
        self.run_map(BODIES + "outputs: [mode, sequence, energy_loss]\nprecision: float32\n", "--force")
        assert self.check(path).datasets["energy_loss"].values.dtype == np.float32
        self.run_map(PENDULUM, "--force", "--compress")
        self.check(path)

    def test_a_query_finds_the_cells_that_the_reader_finds(self):
        path = self.run_map(PENDULUM)
        rows = [row for row in self.check(path).rows() if row["mode"] == "wedge" and row["friction"] > 0.5]
        assert rows
        self.good("query", path, "mode == wedge and friction > 0.5", "-o", "found.csv")
        with open(self.path("found.csv"), encoding="utf-8") as file:
            self.check_rows(rows, file.read())

    def test_searches(self):
        map = self.check(self.run_map(ROOTS))
        assert "search" in map.attributes
        assert [one for one in map.of("dimension") if one.values[0] == 1]

    def test_samples_and_followers(self):
        map = self.check(self.run_map(SAMPLE))
        assert map.datasets["radius"].formula == "length / 10"

    def test_parts(self):
        for part in (1, 2):
            map = self.check(self.run_map(BODIES, "--part", f"{part}/2", "--force"))
            assert (map.attributes["part"], map.attributes["parts"]) == (str(part), "2")

    def test_unfinished_maps(self):
        map = self.check(self.run_partly(null_config(20000, "0.01"), "--checkpoint", "0"))
        assert not map.is_complete()
        assert 0 < np.count_nonzero(map.marks.values) < 20000

    def test_unfinished_refinements(self):
        map = self.check(self.run_partly(STOPPED_REFINED))
        assert not (map.of("outcome") or map.is_complete())

    def test_refined_maps(self):
        map = self.check(self.run_map(REFINED))
        assert map.sizes() == {"stiffness_ratio": 2, "angle": 33, "velocity_ratio": 33}
        whole = self.info(self.path("map.h5"))
        told, shares = whole["refinements"], map.table("shares")
        assert sum(len(one["shares"]) for one in told) == len(shares["share_label"])
        for number, label, area in zip(shares["share_refinement"], shares["share_label"], shares["share_area"]):
            assert told[int(number)]["shares"][label]["share"] == area
        plan = dict(line.split("\t") for line in map.attributes["refinement"].split("\n") if line)
        assert int(plan["depth"]) == whole["refine"]["depth"]

    def test_surfaces(self):
        map = self.check(self.run_map(SPACE))
        corners = [corner for k in (1, 2, 3) for corner in map.table("triangles")[f"triangle_corner_{k}"]]
        assert (min(corners), max(corners)) == (0, len(map.table("boundaries")["boundary_number"]) - 1)

    def test_histories(self):
        for words in ([], ["--with", "angle=40deg,friction=0.5"]):
            printed = self.good("trace", *CELL, *words, "--points", 20)
            printed = "".join(line for line in printed.splitlines(True) if not line.startswith("#"))
            self.good("trace", *CELL, *words, "--points", 20, "-o", "one.h5", "--force")
            map = self.check(self.path("one.h5"))
            rows = [dict(row, event=row["event"] if row["event"] != "none" else None) for row in map.rows()]
            self.check_rows(rows, printed)
            assert map.attributes["outcome"] == ", ".join(["solved"] * (1 + bool(words)))

    def test_maps_of_format_1(self):
        for name in ("pending", "part1", "part2"):
            with gzip.open(os.path.join(HERE, "format1", name + ".h5.gz")) as packed, \
                    open(self.path(name + ".h5"), "wb") as to:
                shutil.copyfileobj(packed, to)
            assert self.check(self.path(name + ".h5")).format == 1


class Mutants(Format):
    """Each change of a file, made behind the program's back after it was asked, is seen by the comparison."""

    def test_a_changed_file_does_not_agree(self):
        path = self.run_map(PENDULUM)
        digest, table = self.digest(path), self.good("export", path)

        def moved(file):
            file["energy_loss"][2, 1] = np.nextafter(file["energy_loss"][2, 1], 2)

        def marked(file):
            file["outcome"][0, 0] = 0

        def renamed(file):
            file["mode"].attrs["flag_meanings"] = file["mode"].attrs["flag_meanings"].replace(b"wedge", b"wodge")

        for change, hashed in ((moved, True), (marked, True), (renamed, False)):
            other = shutil.copy(path, self.path("other.h5"))
            with h5py.File(other, "r+") as file:
                change(file)
            map = format_reader.open(other)
            assert (map.digest() != digest) == hashed
            with pytest.raises(AssertionError):
                self.check_rows(list(map.rows()), table)

    def test_other_formats_are_refused(self):
        path = self.run_map(PENDULUM)
        with h5py.File(path, "r+") as file:
            file.attrs["impactsweep_format"] = 3
        with pytest.raises(format_reader.Refused):
            format_reader.open(path)

    def test_the_page_names_every_column_of_findings(self):
        """In the row of its table."""
        store = os.path.join(ROOT, "src", "store")
        with open(os.path.join(store, "findings.def")) as file:
            columns = re.findall(r"^([A-Z]+)\((\w+),", file.read(), re.MULTILINE)
        with open(os.path.join(store, "format.md")) as file:
            rows = dict(re.findall(r"^\| `(\w+)` \|(.*)$", file.read(), re.MULTILINE))
        named = {table.replace("boundaries", "boundarys").removesuffix("s").upper(): text for table, text in rows.items()}
        assert len(columns) > 40
        assert [(table, name) for table, name in columns if f"`{name}`" not in named[table]] == []

    def test_the_reader_is_short_and_by_itself(self):
        with open(os.path.join(HERE, "format_reader.py"), encoding="utf-8") as file:
            lines = file.read().splitlines()
        assert len(lines) <= 150
        assert [line for line in lines if line.startswith(("import", "from"))] == ["import hashlib", "import h5py",
                                                                                   "import numpy as np"]
