"""Maps of cases: several theories on one grid. Every case is the map of its own theory, bit for bit, with the same
digest however the map was computed."""
import json
import os
import signal

import numpy as np
import pytest
from support import OK, STOPPED, Case

# Choices and parameters of each case; `restitution` of the springs is left to its default.
CASES = {
    "springs": ("compliant", {"law": "linear"}, {"normal_stiffness": 1}),
    "hertz": ("compliant", {"law": "hertz"}, {"normal_stiffness": 1, "damping": 0.1}),
    "continuum": ("continuum", {}, {"normal_stiffness": 1, "friction": 0.5}),
    "stronge": ("rigid", {"law": "energetic"}, {"restitution": 0.9}),
    "brach": ("viscoelastic", {}, {"normal_stiffness": 1000, "damping": 0.2}),
}
AXES = """  - {param: angle, from: -60 deg, to: -20 deg, points: 9}
  - {param: velocity_ratio, from: -1, to: 1, points: 8}
"""
SEARCH = """search: {over: {param: angle, from: 1 deg, to: 89 deg, samples: 24}, find: boundary, of: mode, in: [wedge]}
"""
REFINE = """refine: {depth: 8, boundary: 2e-3}
"""
RANGES = """  - {param: angle, from: 1 deg, to: 89 deg}
  - {param: friction, from: 0.1, to: 1.5}
"""


def mapping(pairs):
    return "{" + ", ".join(f"{name}: {value}" for name, value in pairs.items()) + "}"


def united(names, body, axes, fixed, more=""):
    lines = [f"      {name}: " + mapping({"model": model, **choices, **values})
             for name, (model, choices, values) in CASES.items() if name in names]
    return (f"{more}axes:\n  - cases:\n" + "\n".join(lines) + f"\n{axes}choose: {{body: {body}}}\n"
            f"fixed: {mapping(fixed)}\n")


def alone(name, body, axes, fixed, knows, more=""):
    model, choices, values = CASES[name]
    fixed = {**{one: value for one, value in fixed.items() if one in knows}, **values}
    return f"model: {model}\nchoose: {mapping({'body': body, **choices})}\n{more}axes:\n{axes}fixed: {mapping(fixed)}\n"


KNOWS = {name: {"friction"} | (set() if name in ("stronge", "brach") else {"stiffness_ratio"}) for name in CASES}
FIXED = {"friction": 0.4, "stiffness_ratio": 1.21}


def names(variable):
    """Values of a category as names, of modes those by which theories agree; others as bits."""
    values = variable.values
    if "flag_values" not in variable.attrs:
        return np.ascontiguousarray(values).view(np.uint64) if values.dtype == float else values
    table = dict(zip(variable.attrs["flag_values"], variable.attrs.get("flag_common", variable.attrs["flag_meanings"]).split(),
                     strict=True))
    return np.vectorize(lambda code: table.get(code, "none"), otypes=[object])(values)


class TestCases(Case):
    def compare(self, data, case, single):
        """A case has the values of its own map, and none of the other outputs."""
        one = data.isel(case=list(CASES).index(case) if data.sizes["case"] == len(CASES) else case)
        assert np.array_equal(one.outcome.values, single.outcome.values)
        outputs = [name for name, v in data.variables.items() if v.attrs.get("impactsweep_role") == "output"]
        for name in outputs:
            if name in single:
                assert np.array_equal(names(one[name]), names(single[name])), (case, name)
            elif name != "tangential_end":
                values = one[name].values
                assert np.all(np.isnan(values) if values.dtype == float else values == 0), (case, name)
        return outputs

    def test_every_case_is_its_own_map(self):
        data = self.made(united(CASES, "rod", AXES, FIXED), name="all")
        assert dict(data.sizes)["case"] == len(CASES)
        for case in CASES:
            single = self.made(alone(case, "rod", AXES, FIXED, KNOWS[case]), name="one")
            outputs = self.compare(data, case, single)
            assert {"mode", "velocity_ratio_out", "tangential_end"} <= set(outputs)
        theories = {line.split(": ")[0]: line.split(": ")[1] for line in data.attrs["cases"].splitlines()}
        assert theories["hertz"] == "compliant body=rod law=hertz normal_stiffness=1 damping=0.1"

    def test_the_words_of_a_case_are_those_of_its_cells(self):
        text = united(["springs", "hertz", "stronge"], "pendulum", "  - {param: angle, values: [0.3, 1, 1.4]}\n",
                      {"friction": 0.7, "stiffness_ratio": 1.21})
        data = self.made(text)
        for i, (case, words) in enumerate(self.info("x.h5")["cases"].items()):
            shared = ["friction=0.7"] + (["stiffness_ratio=1.21"] if case != "stronge" else [])
            for k, angle in enumerate(data.angle.values):
                cell = self.cell(*words.split(), *shared, f"angle={float(angle)!r}")
                assert cell["energy_loss"] == float(data.energy_loss[i, k])
                theory = json.loads(self.good("models", words.split()[0], "--json"))
                assert theory["common_names"].get(cell["mode"], cell["mode"]) == names(data.mode)[i, k]

    def test_check_tells_what_only_some_cases_know(self):
        self.write("x.yaml", united(["springs", "stronge"], "rod", AXES, FIXED))
        said = self.good("check", "x.yaml")
        assert "case springs           compliant body=rod law=linear normal_stiffness=1\n" in said
        assert "case stronge           rigid body=rod law=energetic restitution=0.9\n" in said
        assert "stiffness_ratio        1.21 (only springs)\n" in said
        assert "friction               0.4\n" in said

    def test_query_and_export_know_the_names_of_cases(self):
        self.made(united(["springs", "stronge"], "rod", AXES, FIXED))
        assert self.good("query", "x.h5", "case == stronge").startswith("72 of 144 cells satisfy")
        said = self.good("query", "x.h5", "tangential_end == reversed and case == springs")
        assert "tangential_end           reversed" in said
        table = self.good("export", "x.h5", "--slice", "case=stronge", "--fields", "mode").splitlines()
        assert len(table) == 73 and all(",energetic" not in line for line in table)

    def test_one_case_by_override(self):
        text = united(["springs", "stronge"], "rod", AXES, FIXED)
        both = self.made(text)
        one = self.made(text, "--set", "case=stronge", name="y")
        assert "case" not in one.sizes
        assert np.array_equal(names(one.mode), names(both.mode)[1])


FORMULAS = """axes:
  - cases:
      springs: {model: compliant, body: rod, stiffness_ratio: {equals: 1 + friction / 2}, velocity_ratio: = sin(angle) * 2}
      stronge: {model: rigid, body: rod, law: energetic, restitution: = 1 - mass / 10, mass: 2}
  - {param: angle, from: 1 deg, to: 80 deg, points: 7}
  - {param: friction, values: [0.2, 0.7, 1.1]}
fixed: {velocity_ratio: 0.8}
"""
BODIES = """axes:
  - cases:
      springs: {model: compliant, inertia_coupling: 0.4}
      stronge: {model: rigid, law: energetic, restitution: 0.9}
  - {param: body, values: [rod, pendulum, general]}
  - {param: angle, from: 1 deg, to: 80 deg, points: 7}
fixed: {velocity_ratio: 1, friction: 0.6, stiffness_ratio: 1.21, inertia_coupling: 0.3}
"""


class TestWithinCases(Case):
    """Choices on axes beside cases, formulas in cases, and what --set changes in them."""

    def cells(self, data, name, *axes):
        """The words of every cell of a map of cases, from its attribute and its coordinates, and its value."""
        lines = dict(line.split(": ", 1) for line in data.attrs["cases"].splitlines())
        stacked = data[name].stack(cell=("case", *axes))
        tables = {axis: dict(zip(data[axis].attrs["flag_values"], data[axis].attrs["flag_meanings"].split()))
                  for axis in ("case", *axes) if "flag_values" in data[axis].attrs}
        for i in range(stacked.size):
            place = {axis: stacked[axis].values[i] for axis in ("case", *axes)}
            place = {axis: tables[axis][value] if axis in tables else float(value) for axis, value in place.items()}
            yield lines[place.pop("case")].split(), place, float(stacked.values[i])

    def test_formulas_of_a_case_are_those_of_its_cells(self):
        data = self.made(FORMULAS)
        assert data.attrs["cases"].splitlines()[0].endswith("stiffness_ratio==1+friction/2 velocity_ratio==sin(angle)*2")
        seen = set()
        for words, place, value in self.cells(data, "velocity_ratio_out", "angle", "friction"):
            more = [] if "velocity_ratio==sin(angle)*2" in words else ["velocity_ratio=0.8"]
            cell = self.cell(*words, *more, *(f"{axis}={number!r}" for axis, number in place.items()))
            assert cell["velocity_ratio_out"] == value or (cell["velocity_ratio_out"] is None and np.isnan(value))
            seen.add(value)
        assert len(seen) > 20
        assert {"same_direction", "reversed"} <= set(names(data.tangential_end).ravel())
        self.made(FORMULAS, ranks=3, name="y")
        assert self.digest("x.h5") == self.digest("y.h5")

    def test_the_sign_of_a_velocity_that_a_formula_gives(self):
        data = self.made(FORMULAS.replace("sin(angle) * 2", "-3 - friction"))
        outer = data.isel(case=0)
        after = outer.velocity_ratio_out.values
        end = np.where(np.abs(after) <= 1e-12, "zero", np.where(after < 0, "same_direction", "reversed"))
        assert np.array_equal(names(outer.tangential_end), end) and (after < 0).any()

    def test_a_search_over_what_a_formula_reads(self):
        """The root of a case is that of its own search, whose theory follows the same formula."""
        search = "search: {over: {param: angle, from: 1 deg, to: 89 deg, samples: 24}, find: boundary, of: mode, in: [wedge]}\n"
        rest = "axes:\n%s  - {param: friction, values: [0.7, 1.3]}\n"
        case = "  - cases:\n      springs: {model: compliant, body: pendulum, stiffness_ratio: {equals: 1 + sin(angle) / 9}}\n"
        data = self.made(search + rest % case)
        one = self.made("model: compliant\nchoose: {body: pendulum}\n" + search + rest % "" +
                        "fixed: {stiffness_ratio: {equals: 1 + sin(angle) / 9}}\n", name="y")
        assert np.array_equal(names(data.root)[0], names(one.root)) and one.root_count.sum() > 1

    def test_a_choice_on_an_axis_beside_cases(self):
        data = self.made(BODIES)
        assert dict(data.sizes) | {"case": 2, "body": 3, "angle": 7} == dict(data.sizes)
        for i, (theory, law) in enumerate((("compliant", ""), ("rigid", ", law: energetic"))):
            values = "stiffness_ratio: 1.21, inertia_coupling: 0.4" if i == 0 else "restitution: 0.9, inertia_coupling: 0.3"
            single = self.made(f"model: {theory}\n" + ("choose: {law: energetic}\n" if law else "") + "axes:\n" +
                               BODIES.partition("restitution: 0.9}\n")[2].partition("fixed")[0] +
                               f"fixed: {{velocity_ratio: 1, friction: 0.6, {values}}}\n", name="y")
            for name in ("mode", "velocity_ratio_out", "energy_loss", "normal_impulse"):
                assert np.array_equal(names(data[name])[i], names(single[name])), (theory, name)
        ends = set(names(data.tangential_end).ravel())
        assert {"same_direction", "reversed"} <= ends
        self.made(BODIES, ranks=3, name="z")
        assert self.digest("x.h5") == self.digest("z.h5")

    def test_the_commands_of_a_choice_on_an_axis(self):
        self.made(BODIES)
        self.made(BODIES, "--set", "springs.inertia_coupling=0.5", "--set", "stronge.restitution=0.8", name="y")
        found = json.loads(self.good("diff", "x.h5", "y.h5", "--json", code=1))
        loss = found["outputs"]["energy_loss"]
        for command, value in zip(loss["commands"], (loss["first_value"], loss["second_value"]), strict=True):
            assert json.loads(self.good(*command.split()[1:], "--json"))["energy_loss"] == value, command
        said = self.good("diff", "x.h5", "y.h5", "--json", code=1)
        assert "body=" in said and list(found["origins"]) == ["case springs", "case stronge"]

    def test_one_option_by_override(self):
        whole, one = self.made(BODIES), self.made(BODIES, "--set", "body=pendulum", name="y")
        assert "body" not in one.sizes
        assert np.array_equal(names(one.mode), names(whole.mode)[:, 1])
        some = self.made(BODIES, "--set", "body=[general, rod]", name="z")
        assert np.array_equal(names(some.mode), names(whole.mode)[:, [2, 0]])
        assert ", allowed: rod, pendulum, general" in self.bad("check", "x.yaml", "--set", "body=lamina")

    def test_choices_and_parameters_of_a_case_by_override(self):
        text = united(["springs", "stronge"], "rod", AXES, FIXED)
        changed = self.made(text, "--set", "springs.law=hertz", "--set", "springs.damping=0.1",
                            "--set", "stronge.restitution==friction/2")
        assert changed.attrs["cases"].splitlines() == [
            "springs: compliant body=rod law=hertz normal_stiffness=1 damping=0.1",
            "stronge: rigid body=rod law=energetic restitution==friction/2"]
        written = text.replace("law: linear", "law: hertz, damping: 0.1").replace("restitution: 0.9", "restitution: 0.2")
        same = self.made(written, name="y")
        for name in ("mode", "velocity_ratio_out", "energy_loss"):
            assert np.array_equal(names(changed[name]), names(same[name])), name
        pendulum = AXES.splitlines(keepends=True)[0].replace("-60 deg, to: -20", "20 deg, to: 60")
        text = united(["springs", "stronge"], "rod", pendulum, FIXED)
        assert " body=pendulum" in self.made(text, "--set", "body=pendulum", name="z").attrs["cases"]


class TestWays(Case):
    """Digests are the same for ranks, stops and parts."""

    def config(self, points):
        return united(["springs", "hertz", "stronge"], "rod",
                      f"  - {{param: angle, from: -80 deg, to: 80 deg, points: {points}}}\n"
                      "  - {param: friction, from: 0, to: 1.5, points: 100}\n",
                      {"velocity_ratio": 0.7, "stiffness_ratio": 1.21})

    def test_ranks_and_parts(self):
        self.made(self.config(30))
        digests = {self.digest("x.h5")}
        for ranks in (1, 3):
            self.made(self.config(30), ranks=ranks, name="y")
            digests.add(self.digest("y.h5"))
        for part in (1, 2, 3):
            self.good("run", "x.yaml", "-o", f"{part}.h5", "--part", f"{part}/3", "--progress", "none")
        self.good("join", "joined.h5", "1.h5", "2.h5", "3.h5")
        assert digests == {self.digest("joined.h5")}

    def test_a_kill_and_a_resume(self):
        self.made(self.config(600))
        self.write("y.yaml", self.config(600))
        words = ["run", "y.yaml", "-o", "y.h5", "--progress", "none"]
        process = self.start(*words)
        self.wait_for(lambda: os.path.exists(self.path("y.h5")) and os.path.getsize(self.path("y.h5")) > 1000,
                      "a map")
        process.send_signal(signal.SIGKILL)
        process.wait()
        self.good(*words, "--resume")
        assert self.digest("x.h5") == self.digest("y.h5")

    def test_a_time_limit_and_another_case(self):
        self.write("x.yaml", self.config(400))
        words = ["-o", "x.h5", "--progress", "none"]
        result = self.sweep("run", "x.yaml", *words, "--time-limit", "0.3")
        assert result.returncode in (OK, STOPPED)
        self.write("y.yaml", self.config(400).replace("damping: 0.1", "damping: 0.2"))
        message = self.bad("run", "y.yaml", *words, "--resume")
        assert "case hertz: the file has compliant body=rod law=hertz normal_stiffness=1 damping=0.1; results version" in message
        self.good("run", "x.yaml", *words, "--resume")
        self.made(self.config(400), name="z")
        assert self.digest("x.h5") == self.digest("z.h5")


class TestSearchesAndRefinements(Case):
    def test_every_case_has_the_roots_of_its_own_search(self):
        axes, some = "  - {param: friction, from: 0.2, to: 1.4, points: 5}\n", ["springs", "hertz", "stronge"]
        data = self.made(united(some, "pendulum", axes, {"stiffness_ratio": 1.21}, SEARCH))
        for i, case in enumerate(some):
            single = self.made(alone(case, "pendulum", axes, {"stiffness_ratio": 1.21}, KNOWS[case], SEARCH), name="y")
            for name in ("root", "root_count", "energy_loss", "root_lower", "root_upper"):
                if name in single:
                    assert np.array_equal(names(data[name])[i], names(single[name])), (case, name)
            assert int(single.root_count.sum()) > 0

    def test_every_case_has_its_own_refinement(self):
        some = ["springs", "stronge"]
        data = self.made(united(some, "pendulum", RANGES, {"stiffness_ratio": 1.21}, REFINE))
        for i, case in enumerate(some):
            single = self.made(alone(case, "pendulum", RANGES, {"stiffness_ratio": 1.21}, KNOWS[case], REFINE), name="y")
            assert np.array_equal(names(data.mode)[i], names(single.mode))
        digest = self.digest("x.h5")
        self.made(united(some, "pendulum", RANGES, {"stiffness_ratio": 1.21}, REFINE), ranks=3)
        assert digest == self.digest("x.h5")


class TestSpace(Case):
    @pytest.mark.parametrize("body", ["ellipsoid3d", "rod3d"])
    def test_bodies_in_space(self, body):
        cases = "      swerve: {model: swerve, law: poisson, restitution: 0.8}\n      springs: {model: compliant3d}\n"
        rest = ("  - {param: heading, from: 0 deg, to: 80 deg, points: 5}\n"
                "  - {param: friction, from: 0.1, to: 1, points: 4}\n"
                f"choose: {{body: {body}}}\nfixed: {{velocity_ratio: 1, %s}}\n")
        data = self.made("axes:\n  - cases:\n" + cases + rest % "angle: 30 deg, stiffness_ratio: 1.21")
        assert "tangential_end" not in data
        one = self.made("model: swerve\naxes:\n" + (rest % "angle: 30 deg, restitution: 0.8").replace(
            "}\nfixed", ", law: poisson}\nfixed"), name="y")
        for name in ("heading_out", "mode", "velocity_ratio_out", "tangential_impulse"):
            assert np.array_equal(names(data[name])[0], names(one[name])), name
