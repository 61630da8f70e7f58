"""`diff`: the cells in which two maps differ, against the same comparison in numpy."""
import csv
import io
import json
import os
import re
import shlex
import subprocess
import sys

import h5py
import numpy
import pytest
import xarray
from support import BAD_INPUT, OK, PROGRAM, Case
from two_maps import FOLLOWED, FOLLOWED_BY, FOLLOWED_ROWS, FOLLOWED_TABLE, FOLLOWING, LAWS, MAP, OPTIONS, ROWS, TABLE

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "guest"))
from guests import SCRIPT

DIFFERENT = 1
CASES = """axes:
  - cases:
      springs: {{model: compliant, law: linear}}
      hertz:   {{model: compliant, law: hertz, damping: {damping}}}
      damped:  {{model: compliant, law: hertz}}
      stronge: {{model: rigid, law: energetic, restitution: 1}}
  - {{param: angle, from: 1 deg, to: 89 deg, points: 9}}
choose: {{body: rod}}
fixed: {{velocity_ratio: 1, stiffness_ratio: 1.21, friction: 0.4, damping: 0.3}}
outputs: [mode, energy_loss]
"""
UNIFORM = """model: rigid
choose: {{body: rod, law: energetic}}
{refine}axes:
  - {{param: angle, from: 0 deg, to: 80 deg{points}}}
  - {{param: friction, from: 0, to: 2{points}}}
fixed: {{velocity_ratio: 0.4, restitution: 0.5}}
outputs: [mode, energy_loss]
"""
REPEATED = """model: compliant
axes: [{{table: {table}.csv, name: case}}, {{param: stiffness_ratio, values: [1, 1.21, 3]}}]
fixed: {{velocity_ratio: 0.4}}
outputs: [mode, energy_loss]
"""


class Diff(Case):
    def setup_method(self):
        super().setup_method()
        self.shared_map(MAP.format(law="linear", points=40), "linear.h5")
        self.shared_map(MAP.format(law="hertz", points=40), "hertz.h5")

    def found(self, *words, code=DIFFERENT):
        return json.loads(self.good("diff", *words, "--json", code=code))

    def test_modes_that_mean_the_same_are_equal_in_two_theories(self):
        """With little friction a rod slips to the end, by either theory: `slide` is `gross_slip`."""
        axes = "axes: [{param: angle, from: 0 deg, to: 10 deg, points: 9}]\noutputs: [mode]\n"
        for name, head in (("rigid", "model: rigid\nchoose: {body: rod, law: energetic}\nfixed: {restitution: 1, "),
                           ("springs", "model: compliant\nchoose: {body: rod}\nfixed: {stiffness_ratio: 1.21, ")):
            for friction in (0.02, 0.5):
                self.run_config(f"{head}friction: {friction}, velocity_ratio: 1}}\n{axes}", f"{name}-{friction}.h5")
        assert ",slide," in self.good("export", "rigid-0.02.h5", "--fields", "mode")
        assert self.found("rigid-0.02.h5", "springs-0.02.h5", code=0)["outputs"]["mode"]["cells"] == 0
        found = self.found("rigid-0.5.h5", "springs-0.5.h5")["outputs"]["mode"]
        assert found["cells"] > 0 and "slide" not in {one["from"] for one in found["changes"] if one["to"] == "gross_slip"}

    def changed(self, name, source, change):
        """A copy of a map, changed through h5py."""
        with open(self.path(source), "rb") as one, open(self.path(name), "wb") as copy:
            copy.write(one.read())
        with h5py.File(self.path(name), "r+") as file:
            change(file)
        return name

    def test_equal(self):
        said = self.good("diff", "linear.h5", "linear.h5")
        assert said.endswith("all 1,240 cells that both maps have solved\n") and "differs" not in said
        assert self.found("linear.h5", "linear.h5", code=OK)["equal"]

    def test_counts_are_those_of_numpy(self):
        found = self.found("linear.h5", "hertz.h5")
        with xarray.open_dataset(self.path("linear.h5")) as one, xarray.open_dataset(self.path("hertz.h5")) as two:
            union = numpy.zeros(one.mode.shape, bool)
            for name in ("mode", "sequence", "energy_loss", "slip_loss"):
                a, b = one[name].values, two[name].values
                differs = (a != b) & ~((a != a) & (b != b))
                if differs.ndim > 2:
                    differs = differs.any(axis=2)
                assert found["outputs"][name]["cells"] == differs.sum(), name
                union |= differs
            gap = numpy.abs(one.energy_loss.values - two.energy_loss.values)
            assert found["outputs"]["energy_loss"]["largest"] == gap.max()
            names = dict(zip(one.mode.attrs["flag_values"], one.mode.attrs["flag_meanings"].split()))
            pairs = [(names[a], names[b]) for a, b in zip(one.mode.values.flat, two.mode.values.flat) if a != b]
        assert found["different"] == union.sum() > 0
        changes = {(one["from"], one["to"]): one["count"] for one in found["outputs"]["mode"]["changes"]}
        assert changes == {pair: pairs.count(pair) for pair in set(pairs)}
        assert found["origins"]["law"] == ["linear", "hertz"]
        assert found["outputs"]["outcome"]["cells"] == 0

    def test_the_commands_solve_the_cell_of_the_largest_difference(self):
        loss = self.found("linear.h5", "hertz.h5")["outputs"]["energy_loss"]
        assert len(loss["commands"]) == 2
        for command, value in zip(loss["commands"], (loss["first_value"], loss["second_value"])):
            words = command.split()
            assert words[0] == "impactsweep"
            cell = json.loads(self.good(*words[1:], "--json"))
            assert cell["energy_loss"] == value, command

    def test_the_commands_of_cases(self):
        self.shared_map(CASES.format(damping=0.1), "cases.h5")
        self.shared_map(CASES.format(damping=0.2), "others.h5")
        found = self.found("cases.h5", "others.h5")
        assert list(found["origins"]) == ["case hertz"]
        loss = found["outputs"]["energy_loss"]
        assert [command.split()[2:4] for command in loss["commands"]] == 2 * [["compliant", "body=rod"]]
        for command, value in zip(loss["commands"], (loss["first_value"], loss["second_value"])):
            assert json.loads(self.good(*command.split()[1:], "--json"))["energy_loss"] == value, command

    @pytest.mark.parametrize("config", OPTIONS)
    def test_the_command_of_every_cell_solves_it(self, config):
        self.write("rows.csv", TABLE)
        self.run_config(OPTIONS[config], "x.h5")
        with h5py.File(self.path("x.h5")) as file:
            stored = file["energy_loss"][:]
        for place in numpy.ndindex(stored.shape):
            def change(file, place=place):
                file["energy_loss"][place] += 1
            commands = self.found("x.h5", self.changed("y.h5", "x.h5", change))["outputs"]["energy_loss"]["commands"]
            assert len(commands) == 1  # of both maps
            words = shlex.split(commands[0])
            assert words[:2] == ["impactsweep", "cell"]
            assert self.cell(*words[2:])["energy_loss"] == stored[place], commands[0]

    def test_formulas_that_follow_one_another_without_end_have_an_end(self):
        """Formulas of a foreign map."""
        self.run_config(OPTIONS["formulas_of_others"], "x.h5")

        def change(file):
            file["energy_loss"][0] += 1
            file["initial_spin"].attrs["formula"] = "+".join(20 * ["initial_spin"])
        commands = self.found("x.h5", self.changed("y.h5", "x.h5", change))["outputs"]["energy_loss"]["commands"]
        assert len(commands) == 2 and len(commands[1]) < 10000

    def test_a_map_of_a_guest_has_no_commands(self):
        """A map does not name the program that is its theory."""
        self.write("script.py", SCRIPT)
        self.run_config(f"model: guest\ncommand: [{sys.executable}, script.py, none]\naxes: [{{param: x, values: [1, 2]}}]\n", "x.h5")

        def change(file):
            file["y"][0] += 1
        assert self.found("x.h5", self.changed("y.h5", "x.h5", change))["outputs"]["y"]["commands"] == []

    def test_the_table(self):
        self.good("diff", "linear.h5", "hertz.h5", "--fields", "mode", "-o", "cells.csv", "--degrees", code=DIFFERENT)
        with open(self.path("cells.csv"), encoding="utf-8") as file:
            rows = list(csv.DictReader(io.StringIO(file.read())))
        assert list(rows[0]) == ["angle [deg]", "friction", "mode_1", "mode_2", "outcome_1", "outcome_2"]
        assert len(rows) == self.found("linear.h5", "hertz.h5", "--fields", "mode")["different"]
        assert all(row["mode_1"] != row["mode_2"] for row in rows)
        self.good("diff", "linear.h5", "hertz.h5", "-o", "cells.csv", code=DIFFERENT)  # its own table is replaced

    def test_tolerances(self):
        def shift(file):
            file["energy_loss"][:] *= 1 + 1e-9
        self.changed("shifted.h5", "linear.h5", shift)
        assert self.found("linear.h5", "shifted.h5")["different"] > 1000
        for tolerance in (("--relative", "1e-8"), ("--absolute", "1e-8")):
            assert self.found("linear.h5", "shifted.h5", *tolerance, code=OK)["equal"]
        assert not self.found("linear.h5", "shifted.h5", "--relative", "1e-10")["equal"]

    def test_a_value_that_one_map_has(self):
        def leave_out(file):
            file["energy_loss"][3, :5] = numpy.nan
        self.changed("less.h5", "linear.h5", leave_out)
        for words in (("linear.h5", "less.h5"), ("less.h5", "linear.h5"), ("less.h5", "linear.h5", "--absolute", "1e9")):
            loss = self.found(*words)["outputs"]["energy_loss"]
            assert (loss["cells"], loss["defined_in_one"]) == (5, 5) and "largest" not in loss

    def test_categories_are_compared_by_name(self):
        def renumber(file):
            codes = file["mode"].attrs["flag_values"]
            file["mode"].attrs["flag_values"] = codes + numpy.int8(20)
            values = file["mode"][:]
            values[values > 0] += 20
            file["mode"][:] = values
        self.changed("other.h5", "linear.h5", renumber)
        assert self.found("linear.h5", "other.h5", code=OK)["equal"]

    def test_an_axis_that_one_map_lacks(self):
        self.shared_map(LAWS.format(points=40), "laws.h5")
        for one, other in (("laws.h5", "hertz.h5"), ("hertz.h5", "laws.h5"), ("linear.h5", "laws.h5")):
            found = self.found(one, other, "--fields", "mode,energy_loss", "--common", code=OK)
            assert (found["common"], found["different"], found["equal"]) == (1240, 0, True)
        assert not self.found("laws.h5", "hertz.h5", "--fields", "mode")["equal"]  # the map of two laws has more cells

    def test_rows_of_a_sample(self):
        for name, seed, law in (("one.h5", 1, "linear"), ("two.h5", 1, "hertz"), ("three.h5", 2, "hertz")):
            self.shared_map(ROWS.format(seed=seed, law=law), name)
        found = self.found("one.h5", "two.h5", "--fields", "energy_loss")
        assert found["common"] == 64 and 0 < found["different"] <= 64
        self.bad("diff", "one.h5", "three.h5", says=["the rows of 'sample' differ"])

    def test_rows_that_repeat_values(self):
        """A value of a column, and a whole row, may stand in several rows: a map has all cells in common with itself."""
        self.write("rows.csv", "angle [deg],friction,body\n30,0.3,rod\n30,0.4,rod\n20,0.4,pendulum\n30,0.3,rod\n20,0.4,rod\n")
        self.write("others.csv", "angle [deg],friction,body\n30,0.3,rod\n30,0.4,rod\n30,0.3,rod\n20,0.4,pendulum\n20,0.4,rod\n")
        for name in ("rows", "others"):
            self.write("x.yaml", REPEATED.format(table=name))
            for law in ("linear", "hertz"):
                self.good("run", "x.yaml", "-o", f"{name}-{law}.h5", "--set", f"law={law}")
        found = self.found("rows-linear.h5", "rows-linear.h5", code=OK)
        assert (found["common"], found["compared"], found["equal"]) == (15, 15, True)
        found = self.found("rows-linear.h5", "rows-hertz.h5", "--fields", "energy_loss")
        with h5py.File(self.path("rows-linear.h5")) as one, h5py.File(self.path("rows-hertz.h5")) as two:
            assert found["different"] == (one["energy_loss"][:] != two["energy_loss"][:]).sum() > 0
        self.bad("diff", "rows-linear.h5", "others-linear.h5", says=["the rows of 'case' differ"])

    @pytest.mark.parametrize("one, other, values", FOLLOWING)
    def test_axes_that_formulas_follow(self, one, other, values):
        """What follows an axis makes no rows of its values; cells are common where it is equal, too."""
        for name, (spacing, points, friction) in (("one.h5", one), ("other.h5", other)):
            self.run_config(FOLLOWED.format(spacing=spacing, points=points, friction=friction), name)
        for maps in (("one.h5", "other.h5"), ("other.h5", "one.h5")):
            if values:
                found = self.found(*maps, "--common", code=OK)
                assert (found["common"], found["compared"], found["equal"]) == (6 * values, 6 * values, True)
            else:
                self.bad("diff", *maps, says=["no value of 'stiffness_ratio' with the same 'friction'"])

    def test_rows_that_formulas_follow(self):
        """A row whose follower has another value in the other map is in none of the common cells."""
        self.write("rows.csv", FOLLOWED_TABLE)
        for name, friction in FOLLOWED_BY.items():
            self.run_config(FOLLOWED_ROWS.format(friction=friction), f"{name}.h5")
        for maps, common in ((("one.h5", "one.h5"), 3), (("one.h5", "two.h5"), 1), (("three.h5", "two.h5"), 1)):
            assert self.found(*maps, "--common", code=OK)["common"] == common

    def test_a_refined_map_whose_outer_axis_is_followed(self):
        config = ("model: compliant\nchoose: {body: rod}\nrefine: {base: 8, depth: 4}\naxes:\n  - {param: stiffness_ratio, from: 0.2, "
                  "to: 2, points: 4}\n  - {param: angle, from: 5 deg, to: 85 deg}\n  - {param: velocity_ratio, from: 0.1, to: 4}\n"
                  "fixed: {friction: FRICTION}\noutputs: [mode]\n")
        for name, friction in (("one", "{equals: 0.5 + 0 * stiffness_ratio}"), ("two", "0.5")):
            self.run_config(config.replace("FRICTION", friction), f"{name}.h5")
        for maps in (("one.h5", "two.h5"), ("two.h5", "one.h5")):
            assert self.found(*maps, code=OK)["common"] == 4 * 17 * 17

    def test_a_sample_for_sensitivity_repeats_values(self):
        self.run_config(ROWS.format(seed=1, law="linear").replace("sobol", "saltelli"), "x.h5")
        found = self.found("x.h5", "x.h5", code=OK)
        assert found["common"] == found["cells_of_each"][0] > 64 and found["equal"]

    def test_an_axis_of_a_foreign_map_that_repeats_a_value(self):
        """Several points of one map are at one of the other."""
        def repeat(file):
            file["angle"][:] = file["angle"][3]
        self.changed("many.h5", "linear.h5", repeat)
        one = MAP.format(law="linear", points=1).replace("from: 1 deg, to: 89 deg, points: 1", "values: [7.769230769230769 deg]")
        self.shared_map(one, "single.h5")
        for one, other, common in (("many.h5", "single.h5", 1240), ("single.h5", "many.h5", 31)):
            assert self.found(one, other, "--fields", "energy_loss")["common"] == common

    def test_refined_against_uniform(self):
        for name, refine, points in (("uniform.h5", "", ", points: 65"), ("coarse.h5", "", ", points: 9"),
                                     ("refined.h5", "refine: {base: 8, depth: 6}\n", "")):
            self.shared_map(UNIFORM.format(refine=refine, points=points), name)
        found = self.found("refined.h5", "uniform.h5", "--fields", "mode", code=OK)
        assert (found["common"], found["equal"]) == (65 * 65, True)
        found = self.found("coarse.h5", "refined.h5", "--common", "--fields", "mode", code=OK)
        assert (found["cells_of_each"], found["common"]) == ([81, 65 * 65], 81)

    def test_cells_that_are_not_solved(self):
        def leave_out(file):
            file["outcome"][:10] = 0
        self.changed("part.h5", "linear.h5", leave_out)
        found = self.found("linear.h5", "part.h5")
        assert (found["pending"], found["different"], found["equal"]) == (310, 0, False)
        assert self.found("linear.h5", "part.h5", "--common", code=OK)["equal"]

    def test_outputs_and_versions_that_one_map_has(self):
        def older(file):
            del file["slip_loss"]
            file.attrs["program_version"] = "0.0.9"
        self.changed("old.h5", "linear.h5", older)
        found = self.found("old.h5", "linear.h5")
        assert found["only_in_the_second"] == ["slip_loss"] and found["origins"]["version"][0] == "0.0.9"
        assert self.found("old.h5", "linear.h5", "--common", code=OK)["equal"]

    @pytest.mark.parametrize("values_differ", [False, True])
    def test_another_version_of_results(self, values_differ):
        """Maps of two revisions, of which one counts its results anew: the version is told, equal or not."""
        def older(file):
            written = file.attrs["fingerprint"]
            text = written.decode() if isinstance(written, bytes) else written
            file.attrs["fingerprint"] = re.sub(r"(results version\t)\d+", r"\g<1>99", text)
            if values_differ:
                loss = file["energy_loss"][...]
                loss.flat[7] = numpy.nextafter(loss.flat[7], 2)
                file["energy_loss"][...] = loss
        self.changed("old.h5", "linear.h5", older)
        found = self.found("old.h5", "linear.h5", code=DIFFERENT if values_differ else OK)
        assert found["origins"]["results version"][0] == "99" and found["different"] == values_differ
        if values_differ:
            assert found["outputs"]["energy_loss"]["cells"] == 1

    def test_bad_input(self):
        self.write("null.yaml", "model: 'null'\naxes:\n  - {param: x, values: [1, 2]}\nfixed: {y: 0}\n")
        self.good("run", "null.yaml", "-o", "null.h5")
        self.write("far.yaml", MAP.format(law="linear", points=40).replace("1 deg, to: 89", "1.5 deg, to: 88.3"))
        self.good("run", "far.yaml", "-o", "far.h5")
        self.write("no.h5", "no map")
        for words, says in ((("linear.h5", "null.h5"), ["has an axis 'angle'", "no common cells"]),
                            (("linear.h5", "far.h5"), ["no value of 'angle' is in both maps"]),
                            (("linear.h5",), ["a map is missing"]),
                            (("linear.h5", "no.h5"), ["no.h5"]),
                            (("linear.h5", "absent.h5"), ["absent.h5"]),
                            (("linear.h5", "hertz.h5", "--fields", "mood"), ["has no output 'mood'"]),
                            (("linear.h5", "hertz.h5", "--relative", "-1"), ["is not a number of 0 or more"]),
                            (("linear.h5", "hertz.h5", "-o", "hertz.h5"), ["is one of the maps"])):
            self.bad("diff", *words, code=BAD_INPUT, says=says)

    def test_an_answer_that_cannot_be_written_is_an_error(self):
        for other in ("linear.h5", "hertz.h5"):
            with open("/dev/full", "w", encoding="utf-8") as full:
                assert self.sweep("diff", "linear.h5", other, stdout=full).returncode == BAD_INPUT

    def test_damaged_maps_are_an_error_and_no_difference(self):
        with open(self.path("linear.h5"), "rb") as file:
            whole = file.read()
        random = numpy.random.default_rng(5)
        for _ in range(25):
            spoilt = bytearray(whole)
            for place in random.integers(0, min(len(spoilt), 20000), 40):
                spoilt[place] ^= int(random.integers(1, 256))
            with open(self.path("spoilt.h5"), "wb") as file:
                file.write(spoilt)
            result = subprocess.run([PROGRAM, "diff", "linear.h5", "spoilt.h5"], cwd=self.folder, timeout=120,
                                    capture_output=True, check=False)
            assert result.returncode in (OK, DIFFERENT, BAD_INPUT)
            assert (result.returncode == BAD_INPUT) == (b"error:" in result.stderr), result.stderr
        assert os.path.getsize(self.path("linear.h5")) == len(whole)
