"""`cell` against the pendulum's closed form, and `models`, which lists the inputs of `cell`."""
import json
import math
import os
import re

import pytest
from support import BAD_INPUT, BEAM, Case

PROJECT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
WEDGE, BACK = "wedge", "slip_stick_slip_reversed"
OUTPUTS = ("mode sequence kinematic_restitution kinetic_restitution energetic_restitution "
           "velocity_ratio_out normal_impulse tangential_impulse energy_loss body_energy_loss "
           "duration compression_time residual normal_work_compression normal_work_restitution "
           "tangential_work_compression tangential_work_restitution slip_loss trapped_energy "
           "normal_loss tangential_loss peak_normal_force peak_normal_force_time peak_tangential_force "
           "peak_tangential_force_time body_velocity_t body_velocity_n angular_velocity angular_velocity_2 "
           "inverse_mass_tt inverse_mass_tn inverse_mass_nn effective_mass mean_effective_mass body_coupling "
           "principal_angle").split()
NEEDS_SEPARATION = ("kinematic_restitution kinetic_restitution energetic_restitution "
                    "velocity_ratio_out normal_impulse tangential_impulse duration "
                    "compression_time normal_work_compression normal_work_restitution "
                    "tangential_work_compression tangential_work_restitution peak_normal_force "
                    "peak_normal_force_time peak_tangential_force "
                    "peak_tangential_force_time body_velocity_t body_velocity_n angular_velocity "
                    "angular_velocity_2").split()


def pendulum(angle, friction, ratio=1.21):
    return ("compliant", "body=pendulum", "law=linear", f"angle={angle}", f"friction={friction}",
            f"stiffness_ratio={ratio}")


def squared_restitution(tangent, friction, ratio):
    """The part of the kinetic energy that remains after slip, stick and slip back."""
    lever = friction * ratio * tangent
    return 1 - 2 * friction * (1 - lever) / ((tangent + friction) * (1 + lever))


class Cell(Case):
    def test_a_cell_agrees_with_the_closed_form(self):
        cell = self.cell(*pendulum("30deg", 0.3))
        tangent = math.tan(math.radians(30))
        squared = squared_restitution(tangent, 0.3, 1.21)
        e = cell["kinematic_restitution"]
        assert (cell["outcome"], cell["mode"], cell["sequence"]) == ("solved", BACK, "slip- stick slip+")
        assert e == pytest.approx(math.sqrt(squared), abs=1e-12)
        assert cell["energy_loss"] == pytest.approx(1 - squared, abs=1e-12)
        assert cell["velocity_ratio_out"] == pytest.approx(e / tangent, abs=1e-12)
        assert cell["energetic_restitution"] == pytest.approx(1, abs=1e-12)
        assert cell["residual"] <= 1e-12

    def test_json_has_the_outcome_and_then_every_output_in_order(self):
        cell = self.cell(*pendulum("30deg", 0.3))
        assert list(cell) == ["outcome"] + OUTPUTS
        assert [name for name in cell if cell[name] is None] == ["body_energy_loss", "normal_loss",
                                                                 "tangential_loss", "body_velocity_t",
                                                                 "body_velocity_n", "angular_velocity",
                                                                 "angular_velocity_2"]

    def test_the_body_energy_loss_is_defined_for_a_free_body(self):
        cell = self.cell("compliant", "body=sphere", "velocity_ratio=1", "friction=0.2",
                         "stiffness_ratio=1.21")
        assert [name for name in cell if cell[name] is None] == ["normal_loss", "tangential_loss", "angular_velocity_2"]
        assert 0 < cell["body_energy_loss"] < 1

    def test_the_mode_changes_at_the_critical_angle(self):
        for ratio, below, above in ((1.21, 11.585123, 11.585126), (0.1, 36.070198, 36.0702)):
            for angle, mode in ((below, WEDGE), (above, BACK)):
                cell = self.cell(*pendulum(f"{angle}deg", 1, ratio))
                assert (cell["outcome"], cell["mode"]) == ("solved", mode)

    def test_a_wedged_body_has_no_rebound(self):
        cell = self.cell(*pendulum("10deg", 0.6))
        assert (cell["outcome"], cell["mode"]) == ("solved", WEDGE)
        assert {name: cell[name] for name in NEEDS_SEPARATION} == dict.fromkeys(NEEDS_SEPARATION)
        assert cell["energy_loss"] == pytest.approx(0.883551, abs=5e-7)

    def test_a_cell_outside_the_domain_is_no_failure(self):
        words = ("compliant", "body=matrix", "b11=1", "b12=2", "b22=1", "velocity_ratio=1",
                 "friction=0.3", "stiffness_ratio=1.21")
        cell = self.cell(*words)
        assert list(cell) == ["outcome"] + OUTPUTS
        assert (cell["outcome"], cell["mode"]) == ("outside", "none")
        assert {name: cell[name] for name in OUTPUTS[2:]} == dict.fromkeys(OUTPUTS[2:]) | {"slip_loss": [None] * 8}
        told, _, _ = self.good("cell", *words).partition("of the theory")
        assert told.startswith("outcome                outside\n")
        assert "(" not in told, "the outcome is the reason for every output"

    def test_the_least_restitution_of_two_springs_is_told(self):
        for law, more, solved in (("restitution", (), (1e-12, 1)), ("yield_speed", ("normal_speed=1", "restitution=1e-11"), (1e-4, 1))):
            for value in solved:
                assert self.cell(*pendulum("50deg", 0.3), f"{law}={value!r}", *more)["outcome"] == "solved"
            assert self.cell(*pendulum("50deg", 0.3), f"{law}={solved[0] / 2!r}", *more)["outcome"] == "outside"
        listed = " ".join(self.good("models", "compliant").split())
        assert "a cell has the outcome outside where the coefficient, lowered by yield_speed, is below 1e-12" in listed

    def test_a_cell_that_fails_is_no_failure_of_the_program(self):
        assert self.cell("null", "fault=not_finite")["outcome"] == "not_finite"

    def test_degrees_and_radians_are_the_same(self):
        cells = [self.cell(*pendulum(angle, 0.3))
                 for angle in ("30deg", "30 deg", repr(math.radians(30)),
                               repr(math.radians(30)) + " rad")]
        assert cells == cells[:1] * 4

    def test_choices_with_a_default_may_be_left_out(self):
        words = [word for word in pendulum("30deg", 0.3) if word != "law=linear"]
        assert self.cell(*words) == self.cell(*pendulum("30deg", 0.3))

    def test_text_has_a_line_for_each_output(self):
        words = pendulum("30deg", 0.3)
        results, given = self.good("cell", *words).split("\n\n")
        lines = dict(line.split(None, 1) for line in results.splitlines())
        cell = self.cell(*words)
        assert list(lines) == list(cell)
        assert (lines["mode"], lines["sequence"]) == (BACK, "slip- stick slip+")
        assert lines["body_energy_loss"] == "- (does not exist for these choices)"
        assert re.search(r"(?m)^body +pendulum$", given)
        assert re.search(r"(?m)^angle +0\.5235988 rad \(30 deg\)$", given)
        assert re.search(r"(?m)^normal_speed +1 m/s \(default\)$", given)
        assert re.search(r"(?m)^kinematic_restitution +- \(undefined in this mode\)$",
                         self.good("cell", *pendulum("10deg", 0.6)))
        assert float(lines["energy_loss"]) == pytest.approx(cell["energy_loss"], abs=1e-11)

    def test_text_has_zeros_without_a_sign(self):
        text = self.good("cell", "rigid", "body=sphere", "friction=0", "restitution=1", "velocity_ratio=1")
        assert re.findall(r"(?m)^(tangential_impulse|energy_loss) +(\S+)", text) == [("tangential_impulse", "0"), ("energy_loss", "0")]

    def test_text_says_of_a_list_that_it_does_not_exist(self):
        text = self.good("cell", "compliant3d", "body=matrix3d", "b11=1", "b12=0", "b13=.1", "b22=1", "b23=.1", "b33=1", "friction=.3",
                         "stiffness_ratio=1.2", "velocity_ratio=1", "heading=.2")
        assert re.search(r"(?m)^body_velocity_t +- - \(does not exist for these choices\)$", text)
        assert re.search(r"(?m)^slip_loss( +\S+){8}$", self.good("cell", *pendulum("30deg", 0.3)))

    def test_text_has_the_word_of_a_number_that_has_one(self):
        words = ("cell", "compliant", "body=sphere", "law=dashpot", "stiffness_ratio=1.21", "friction=0.3",
                 "velocity_ratio=1", "normal_damping_ratio=0.2")
        assert "\ncontact_end            1 (elongation)\n" in self.good(*words, "contact_end=elongation")
        assert "\ncontact_end            0 (force) (default)\n" in self.good(*words)

    def test_text_has_units_when_every_scale_is_given(self):
        scales = ("mass=2", "normal_stiffness=1e6", "normal_speed=3")
        text = self.good("cell", *pendulum("30deg", 0.3), *scales)
        assert re.search(r"(?m)^duration +\S+ s$", text)
        assert re.search(r"(?m)^normal_impulse +\S+ N s$", text)
        assert not re.search(r"(?m)^duration +\S+ s$", self.good("cell", *pendulum("30deg", 0.3), *scales[:2]))

    def test_bad_cells_have_messages(self):
        whole = pendulum("30deg", 0.3)
        for words, phrase in (((), "the name of a theory is missing"),
                              (("complaint",), "did you mean 'compliant'?"),
                              (whole[:-1], "missing parameter 'stiffness_ratio'"),
                              (whole + ("frction=1",), "did you mean 'friction'?"),
                              (whole + ("stiffnes=1",), "did you mean 'stiffness_ratio'?"),
                              (whole + ("21=",), "'21' is a number where a name is expected"),
                              (("compliant", "body=rod3d"), "'rod3d' of 'body' (theories that take it: "),
                              (whole + ("mass=12abc",), "'12abc' is not a number"),
                              (whole + ("mass",), "key=value"),
                              (whole + ("--jsn",), "unknown option '--jsn'"),
                              (pendulum("91deg", 0.3), "outside its range")):
            self.bad("cell", *words, "--json", code=BAD_INPUT, says=phrase)


class Models(Case):
    def theory(self):
        return json.loads(self.good("models", "compliant", "--json"))

    def test_the_list_shows_theories_but_not_the_hidden_one(self):
        listed = self.good("models")
        assert re.search(r"(?m)^compliant ", listed)
        assert "null" not in listed
        with open(os.path.join(PROJECT, "src", "models", "models.def")) as file:
            there = re.findall(r"^THEORY\((\w+)\)", file.read(), re.M)
        assert [t["name"] for t in json.loads(self.good("models", "--json"))] == [name for name in there
                                                                                  if name != "null"]

    def test_the_hidden_theory_can_be_used(self):
        assert self.cell("null", "x=3", "y=4")["outcome"] == "solved"
        assert re.search("cost", self.good("models", "null"))

    def test_every_form_lists_every_name(self):
        theory = self.theory()
        names = [entry["name"] for part in ("parameters", "outputs", "modes", "choices")
                 for entry in theory[part]]
        names += [option["name"] for choice in theory["choices"] for option in choice["options"]]
        for name in ("inertia_coupling", "b12", "velocity_ratio", "pendulum", "wedge"):
            assert name in names
        for form in ((), ("--markdown",)):
            text = self.good("models", "compliant", *form)
            assert [name for name in names if name not in text] == [], form

    def test_json_has_units_ranges_defaults_and_undefined_outputs(self):
        theory = self.theory()
        assert [output["name"] for output in theory["outputs"]] == OUTPUTS
        angle = next(p for p in theory["parameters"] if p["name"] == "angle")
        assert (angle["unit"], angle["default"]) == ("rad", None)
        assert {"rod", "general", "pendulum", "capsule"} <= set(angle["applies_to"].split())
        mass = next(p for p in theory["parameters"] if p["name"] == "mass")
        assert (mass["default"], mass["low"], mass["high"]) == (1, 0, None)
        undefined = {o["name"] for o in theory["outputs"] if o["undefined_in"] == "wedge"}
        assert undefined == set(NEEDS_SEPARATION)

    def test_options_that_define_a_parameter_in_another_way_have_rows_of_their_own(self):
        """The pendulum's angle ends before a right angle, and is that of its link."""
        for form in ((), ("--markdown",)):
            rows = [row for row in self.good("models", "compliant", *form).splitlines()
                    if re.match(r"\W*angle\b", row)]
            link, = (row for row in rows if "(0 deg, 90 deg)" in row)
            assert re.search(r"to the pivot, .*\(pendulum\)", link)
            other, = (row for row in rows if "[-90 deg, 90 deg]" in row and "rod" in row)
            assert "pendulum" not in other
        angle = next(p for p in self.theory()["parameters"] if p["name"] == "angle")
        link, = (one for one in angle["variants"] if "pendulum" in one["applies_to"].split())
        assert (link["low"], link["low_open"], angle["low_open"]) == (0, True, False)
        assert "variants" not in next(p for p in self.theory()["parameters"] if p["name"] == "friction")

    def test_the_default_of_an_angle_is_in_the_unit_of_its_range(self):
        assert re.search(r"\(-90 deg, 90 deg\) +-45 deg ", self.good("models", "viscoelastic"))

    def test_bodies_are_listed_with_the_theories_that_take_them(self):
        text = self.good("models")
        for body, theories in (("rod", {"compliant", "rigid"}), ("rod3d", {"swerve", "compliant3d"})):
            row = re.search(rf"(?m)^{body} +slender rod .*", text)[0].split()
            assert theories <= set(row)
        rows = text.split("have them\n")[1].splitlines()
        assert len(rows) > 10
        theories = "|".join(theory["name"] for theory in json.loads(self.good("models", "--json")))
        assert len({re.search(rf"(?: (?:{theories}))+$", row).start() for row in rows}) == 1, text

    def test_markdown_is_a_page_of_tables(self):
        page = self.good("models", "--markdown")
        assert page.startswith("# Theories\n")
        assert "\n## `compliant`" in page
        assert "\n| `friction` |" in page

    def test_an_unknown_theory_is_bad_input(self):
        self.bad("models", "complaint", says="did you mean 'compliant'?")
        self.bad("models", "--jsn", says="did you mean '--json'?")
