"""Units of parameters that depend on a choice, as N/m and N/m^1.5, or on a value, as N/m^exponent: a number has the unit
that the tables of the program name for its cell, wherever it is given, and is shown with it."""
import itertools
import json
import re

import h5py
import pytest

from support import Case

SPHERE = ("compliant", "body=sphere", "velocity_ratio=1", "stiffness_ratio=1.2", "friction=.3", "mass=1", "normal_speed=1")
SURFACE = ("viscoelastic", "velocity_ratio=1", "friction=.3")
HERTZ = 2 * 1000 ** 1.5  # 2 N/mm^1.5 in N/m^1.5
CONFIG = """model: compliant
choose: {body: sphere%s}
axes:
  - {param: friction, values: [0.1, 0.3]}
%sfixed: {velocity_ratio: 1, stiffness_ratio: 1.2, mass: 1, normal_speed: 1%s}
"""
LAWS = "  - {param: law, values: [%s]}\n"
# Other units of the same quantity, by how much they are larger.
SMALL = {"m": ("mm", 1e-3), "kg": ("g", 1e-3), "s": ("ms", 1e-3), "rad": ("deg", 0.017453292519943295), "N": ("mN", 1e-3),
         "Pa": ("kPa", 1e3)}


def small(unit):
    """A unit as users write it, and its size in the unit of the table: (N/m^1.5) gives mN/mm^1.5."""
    size, sign = 1.0, 1
    text = ""
    for token in re.findall(r"[A-Za-z]+(?:\^[\d.]+)?|.", unit):
        name, _, power = token.partition("^")
        if name in SMALL:
            other, factor = SMALL[name]
            size *= factor ** (sign * float(power or 1))
            token = other + ("^" + power if power else "")
        sign = -1 if token == "/" else sign
        text += token
    return text, size


def words_of(theory, combination):
    return [f"{choice['name']}={option}" for choice, option in zip(theory["choices"], combination)]


def combinations(theory):
    """Each option of each choice, beside the usual options of the others. A free striker meets beams with every boundary."""
    usual = ["free" if choice["name"] == "striker" else choice["default"] or choice["options"][0]["name"]
             for choice in theory["choices"]]
    for place, choice in enumerate(theory["choices"]):
        for option in choice["options"]:
            if not option.get("without_petsc"):
                yield (*usual[:place], option["name"], *usual[place + 1:])


def applies(theory, combination, options):
    """Whether a parameter of these options exists: of two choices with an option `free` the last one is meant."""
    own = [option for choice, option in zip(theory["choices"], combination)
           if {*options} <= {one["name"] for one in choice["options"]}]
    return not options or bool({*options} & {*(own[-1:] or combination)})


class Tables(Case):
    """Every theory, option and parameter."""

    def parameters(self, theory, combination):
        """Those that apply, as the table of these options has them."""
        for one in theory["parameters"]:
            for variant in one.get("variants", [one]):
                if applies(theory, combination, variant["applies_to"].split()):
                    yield variant
                    break

    def cells(self):
        """(words, [parameter]) of cells in which each parameter is given at least once."""
        for theory in json.loads(self.good("models", "--json")):
            usual = {choice["name"]: next((one["without_petsc"] for one in choice["options"] if one["name"] == choice["default"]
                                           and one.get("without_petsc")), choice["default"]) for choice in theory["choices"]}
            for choice in theory["choices"]:
                choice["default"] = usual[choice["name"]]
            for combination in dict.fromkeys(combinations(theory)):
                words = [theory["name"], *words_of(theory, combination)]
                all_of_them = list(self.parameters(theory, combination))
                for stand_in in [None, *(one for one in all_of_them if one["stands_for"])]:
                    yield words, [one for one in all_of_them if one is stand_in or not one["stands_for"] and (
                        not stand_in or one["name"] != stand_in["stands_for"])]

    def unit_of(self, one, parameters):
        values = {other["name"]: other["example"] for other in parameters}
        return re.sub(r"\^([a-z]\w*)$", lambda found: "" if values[found[1]] == 1 else f"^{values[found[1]]:g}", one["unit"])

    def test_each_parameter_has_the_unit_of_its_table(self):
        wrong, seen = [], set()
        for words, parameters in self.cells():
            given, expected = [], {}
            for one in parameters:
                unit = self.unit_of(one, parameters)
                text, size = small(unit)
                expected[one["name"]] = one["example"], unit
                given.append(f"{one['name']}={one['example'] / size!r}{'' if unit == '1' else ' ' + text}")
                seen.add(unit)
            done = self.sweep("cell", *words, *given)
            if done.returncode:
                wrong.append(f"{words}: {done.stderr}")
                continue
            shown = dict(re.findall(r"(?m)^(\w+) +(.*)$", done.stdout.split("\nof the theory ")[1]))
            for name, (value, unit) in expected.items():
                number, *rest = shown[name].split(" ", 1)
                if float(number) != pytest.approx(value, rel=1e-6) or re.sub(r"(^| )\([^()]*\)$", "", "".join(rest)) != (
                        "" if unit == "1" else unit):
                    wrong.append(f"{words}: {name} is {shown[name]}, not {value} {unit}")
        assert wrong == []
        assert {"N/m", "N/m^1.5", "kg", "rad", "m/s", "1"} <= seen

    def test_no_parameter_takes_another_unit(self):
        for words, parameters in self.cells():
            given = [f"{one['name']}=2 {unit}" for one in parameters
                     for unit in ["kg^3" if one["unit"] == "1" else f"{self.unit_of(one, parameters)} m^0.5"]]
            message = self.bad("cell", *words, *given)
            refused = set(re.findall(r"error: (\w+): '", message)) | set(re.findall(r"error: (\w+) is '", message))
            assert refused == {one["name"] for one in parameters}, (words, message)


class Laws(Case):
    """The laws `hertz` and `coupled` of `compliant`."""

    def shown(self, *words):
        return re.search(r"(?m)^normal_stiffness +(.*)$", self.good(*words))[1]

    def test_command_line(self):
        for law, place in itertools.product(("hertz", "coupled"), (0, 1)):
            words = [f"law={law}", "normal_stiffness=2N/mm^1.5"]
            assert self.shown("cell", *SPHERE, words[place], words[1 - place]) == "63245.55 N/m^1.5"
            exact = self.cell(*SPHERE, f"law={law}", f"normal_stiffness={HERTZ!r}")
            for name, value in self.cell(*SPHERE, *words).items():
                assert value == (pytest.approx(exact[name], abs=1e-12) if isinstance(value, float) else exact[name]), name
            self.bad("cell", *SPHERE, f"law={law}", "normal_stiffness=2N/mm",
                     says="normal_stiffness: '2N/mm' has the unit of another quantity; its unit is N/m^1.5")
            assert self.shown("cell", *SPHERE, f"law={law}", "normal_stiffness=2000") == "2000 N/m^1.5"
        for law in ("linear", "dashpot"):
            assert self.shown("cell", *SPHERE, f"law={law}", "normal_stiffness=2N/mm") == "2000 N/m"
            self.bad("cell", *SPHERE, f"law={law}", "normal_stiffness=2N/mm^1.5",
                     says="'2N/mm^1.5' has the unit of another quantity; its unit is N/m here")
        self.bad("cell", *SPHERE, "law=hertz", "normal_stiffness=2kg", says="its unit is N/m or N/m^1.5")

    def check(self, config, *words):
        self.write("x.yaml", config)
        return self.good("check", "x.yaml", *words)

    def refuse(self, config, says, *words):
        self.write("x.yaml", config)
        self.bad("check", "x.yaml", *words, says=says)

    def units(self, config, *words):
        """The values of normal_stiffness in the file, and their unit."""
        self.run_config(config, "x.h5", "--force", "--progress", "none", *words)
        with h5py.File(self.path("x.h5")) as file:
            one, found = file["normal_stiffness"], {}
            file.visititems(lambda name, item: found.update({name: item.attrs.get("units")}) if isinstance(
                item, h5py.Dataset) else None)
            self.stored = {name: unit.decode() if isinstance(unit, bytes) else unit for name, unit in found.items()}
            unit = one.attrs["units"]
            return one[()].tolist(), unit.decode() if isinstance(unit, bytes) else unit

    def test_fixed(self):
        config = CONFIG % (", law: hertz", "", ", normal_stiffness: 2 N/mm^1.5")
        assert self.units(config) == (pytest.approx(HERTZ), "N/m^1.5")
        assert "normal_stiffness 63245.6 N/m^1.5" in self.good("info", "x.h5")
        assert "63245.55 N/m^1.5" in self.check(config)
        self.refuse(config.replace("mm^1.5", "mm"), "x.yaml:5:94: error: normal_stiffness: '2 N/mm' has the unit of another")
        self.refuse(config.replace("hertz", "linear"), "its unit is N/m here")
        # A value that --set replaces need not have the unit of the choice that --set makes.
        assert "2000 N/m\n" in self.check(config, "--set", "law=linear", "--set", "normal_stiffness=2N/mm")
        self.refuse(config, "its unit is N/m here", "--set", "law=linear")

    def test_axes(self):
        for axis, values in ((" from: 1 N/mm^1.5, to: 2 N/mm^1.5, points: 2}", [HERTZ / 2, HERTZ]),
                             (" values: [1 N/mm^1.5, 2 N/mm^1.5]}", [HERTZ / 2, HERTZ])):
            config = CONFIG % (", law: hertz", "  - {param: normal_stiffness," + axis + "\n", "")
            assert self.units(config) == (pytest.approx(values), "N/m^1.5")
            self.refuse(config.replace("mm^1.5", "mm"), "'1 N/mm' has the unit of another quantity; its unit is N/m^1.5 here")
        assert self.units(config, "--set", "normal_stiffness=3N/mm^1.5:4N/mm^1.5:2")[0] == pytest.approx(
            [1.5 * HERTZ, 2 * HERTZ])
        assert self.units(config, "--set", "law=linear", "--set", "normal_stiffness=[3N/mm, 4N/mm]") == ([3000, 4000], "N/m")
        self.refuse(config, "its unit is N/m^1.5 here", "--set", "normal_stiffness=3N/mm:4N/mm:2")

    def test_tables(self):
        config = CONFIG % (", law: hertz", "  - {table: t.csv, name: row}\n", "")
        self.write("t.csv", "normal_stiffness [N/mm^1.5]\n1\n2\n")
        assert self.units(config) == (pytest.approx([HERTZ / 2, HERTZ]), "N/m^1.5")
        self.write("t.csv", "normal_stiffness\n1 N/mm^1.5\n2 N/mm^1.5\n")
        assert self.units(config)[0] == pytest.approx([HERTZ / 2, HERTZ])
        self.write("t.csv", "normal_stiffness [N/mm]\n1\n2\n")
        self.refuse(config, "t.csv:1:1: error: normal_stiffness: 'N/mm' is the unit of another quantity; its unit is N/m^1.5")
        self.write("t.csv", "normal_stiffness [kg]\n1\n2\n")
        self.refuse(config, "the unit of 'normal_stiffness' is N/m or N/m^1.5, not 'kg'")

    def test_samples_searches_and_uncertain_parameters(self):
        sample = CONFIG % (", law: hertz", "  - {sample: sobol, points: 4, seed: 1, params: [{param: normal_stiffness, "
                           "distribution: uniform, from: 1 N/mm^1.5, to: 2 N/mm^1.5}]}\n", "")
        values, unit = self.units(sample)
        assert (min(values) >= HERTZ / 2, max(values) <= HERTZ, unit) == (True, True, "N/m^1.5")
        self.refuse(sample.replace("mm^1.5", "mm"), "its unit is N/m^1.5 here")
        search = CONFIG % (", law: hertz", "", "") + (
            "search: {over: {param: normal_stiffness, from: 1 N/mm^1.5, to: 9 N/mm^1.5}, find: target, of: duration, value: %s}\n")
        middle = self.cell(*SPHERE[:4], "friction=.1", *SPHERE[5:], "law=hertz", "normal_stiffness=1e5")["duration"]
        self.run_config(search % middle, "x.h5", "--progress", "none", "--force")
        with h5py.File(self.path("x.h5")) as file:
            assert file["root"][0, 0] == pytest.approx(1e5)
            assert {str(file[name].attrs["units"]).strip("b'") for name in ("root", "root_bracket")} == {"N/m^1.5"}
        self.refuse((search % middle).replace("mm^1.5", "mm"), "its unit is N/m^1.5 here")
        uncertain = CONFIG % (", law: hertz", "", "") + (
            "uncertain: {sample: sobol, points: 8, params: [{param: normal_stiffness, distribution: uniform, "
            "from: 1 N/mm^1.5, to: 2 N/mm^1.5}], of: [duration]}\n")
        self.check(uncertain)
        self.refuse(uncertain.replace("mm^1.5", "mm"), "its unit is N/m^1.5 here")

    def test_laws_that_differ_in_the_unit(self):
        swept = CONFIG % ("", LAWS % "linear, hertz", ", normal_stiffness: 2000")
        assert self.units(swept) == (2000, "N/m or N/m^1.5")
        for text in (self.good("info", "x.h5"), self.check(swept)):
            assert "2000 N/m or N/m^1.5" in text
        for unit in ("N/mm", "N/mm^1.5"):
            self.refuse(swept.replace("2000", f"2 {unit}"), f"x.yaml:6:94: error: normal_stiffness: '2 {unit}' has a unit, but "
                        "cells differ in the unit of normal_stiffness, which is N/m or N/m^1.5")
        alike = CONFIG % ("", LAWS % "coupled, hertz", ", normal_stiffness: 2 N/mm^1.5")
        assert self.units(alike) == (pytest.approx(HERTZ), "N/m^1.5")
        for law, unit in (("linear", "N/m"), ("hertz", "N/m^1.5")):
            with_axis = CONFIG % (f", law: {law}", "  - {param: normal_stiffness, values: [2000, 3000]}\n", "")
            assert self.units(with_axis) == ([2000, 3000], unit)

    def test_cases(self):
        config = """axes:
  - cases:
      springs: {model: compliant, law: linear, normal_stiffness: 2 N/mm}
      hertz: {model: compliant, law: hertz, normal_stiffness: 2 N/mm^1.5}
      surface: {model: viscoelastic, body: lamina, normal_stiffness: 2 N/mm^1.5, offset_t: 0, offset_n: 1, gyration_radius: 1}
  - {param: friction, values: [0.1, 0.3]}
choose: {body: sphere}
fixed: {stiffness_ratio: 1.2, exponent: 1.5, velocity_ratio: 1}
"""
        self.check(config)
        self.refuse(config.replace("hertz, normal_stiffness: 2 N/mm^1.5", "hertz, normal_stiffness: 2 N/mm"),
                    "x.yaml:4:63: error: normal_stiffness: '2 N/mm' has the unit of another quantity; its unit is N/m^1.5 here")
        self.refuse(config.replace("lamina, normal_stiffness: 2 N/mm^1.5", "lamina, normal_stiffness: 2 N/mm"),
                    "its unit is N/m^1.5 here")
        self.refuse(config, "x.yaml:3:66: error: normal_stiffness: '2 N/mm' has the unit of another", "--set", "springs.law=hertz")
        self.refuse(config, "its unit is N/m here", "--set", "exponent=1")
        shared = config.replace(", normal_stiffness: 2 N/mm^1.5", "").replace(", normal_stiffness: 2 N/mm", "").replace(
            "fixed: {", "fixed: {normal_stiffness: %s, ")
        for value in ("2 N/mm", "2000"):
            self.refuse(shared % value, "x.yaml:8:9: error: 'normal_stiffness' has the unit N/m in the case 'springs' and N/m^1.5 in "
                        "'hertz', give its value in each case")
        assert "63245.55 N/m^1.5" in self.check(shared % "2 N/mm^1.5", "--set", "springs.law=coupled")

    def test_figures_and_slices(self):
        axis = "  - {param: normal_stiffness, values: [1 N/mm^1.5, 2 N/mm^1.5]}\n"
        config = CONFIG % (", law: hertz", axis, "") + "figure: {as: lines, field: [energy_loss], slice: {normal_stiffness: %s}}\n"
        self.check(config % "2 N/mm^1.5")
        self.refuse(config % "2 N/mm", "its unit is N/m^1.5 here")
        self.units(config % "2 N/mm^1.5")
        assert "63245.5" in self.good("export", "x.h5", "--slice", "normal_stiffness=2 N/mm^1.5")
        self.bad("export", "x.h5", "--slice", "normal_stiffness=2 N/mm", says="has the unit of another quantity")

    def test_histories(self):
        traced = [word for word in SPHERE if not word.startswith("normal_speed")]
        self.good("trace", *traced, "normal_stiffness=2000", "law=hertz", "-o", "x.csv")
        with open(self.path("x.csv"), encoding="utf-8") as file:
            assert "# normal_stiffness = 2000 N/m^1.5\n" in file.read()
        for law, unit in (("coupled", "N/m^1.5"), ("linear", "N/m^1.5 or N/m")):
            self.good("trace", *traced, "normal_stiffness=2000", "law=hertz", "--with", f"law={law}", "-o", "y.csv", "--force")
            with open(self.path("y.csv"), encoding="utf-8") as file:
                assert f"# normal_stiffness = 2000 {unit}\n" in file.read()
        self.good("trace", *traced, "normal_stiffness=2000N/m", "law=linear", "--with", "normal_stiffness=3000N/m", "-o", "z.h5")
        with h5py.File(self.path("z.h5")) as file:
            assert str(file["normal_stiffness"].attrs["units"]).strip("b'") == "N/m"


class Powers(Case):
    """The stiffness of `viscoelastic`, in N/m^exponent."""

    def shown(self, *words):
        return re.search(r"(?m)^normal_stiffness +(.*)$", self.good("cell", *SURFACE, *words))[1]

    def test_the_unit_follows_the_exponent(self):
        assert self.shown() == "1000 N/m (default)"
        for exponent in (1, 1.5, 2.5, 5):
            unit = "N/m" if exponent == 1 else f"N/m^{exponent}"
            for given in ((f"exponent={exponent}", "normal_stiffness=2" + unit.replace("/m", "/mm")),
                          ("normal_stiffness=2" + unit.replace("/m", "/mm"), f"exponent={exponent}")):
                number, own = self.shown(*given).split()
                assert (float(number), own) == (pytest.approx(2 * 1000 ** exponent, rel=1e-6), unit)
            assert self.shown(f"exponent={exponent}", "normal_stiffness=2000") == f"2000 {unit}"
            for other in {"N/mm", "N/mm^1.5", "N/mm^3"} - {unit.replace("/m", "/mm")}:
                self.bad("cell", *SURFACE, f"exponent={exponent}", f"normal_stiffness=2{other}", says=f"its unit is {unit} here")
        assert self.shown("exponent=1.3", "normal_stiffness=2000") == "2000 N/m^1.3"
        assert self.shown("exponent==1+1/2", "normal_stiffness=2N/mm^1.5") == "63245.55 N/m^1.5"
        for unit in ("kg", "N/mm^0.5", "N/mm^6"):
            self.bad("cell", *SURFACE, f"normal_stiffness=2{unit}", says="its unit is N/m^exponent")

    def test_maps(self):
        config = """model: viscoelastic
axes:
  - {param: %s}
fixed: {velocity_ratio: 1, friction: 0.3, normal_stiffness: %s%s}
"""
        power = "exponent, values: [1, 1.5]"
        for axis, value, fixed, unit in (("friction, values: [0.1]", "2 N/mm^1.5", ", exponent: 1.5", "N/m^1.5"),
                                         (power, "2000", "", "N/m^exponent")):
            self.write("x.yaml", (config % (axis, value, fixed)).replace("friction: 0.3, " if "friction" in axis else "?", ""))
            self.good("run", "x.yaml", "-o", "x.h5", "--force", "--progress", "none")
            with h5py.File(self.path("x.h5")) as file:
                assert str(file["normal_stiffness"].attrs["units"]).strip("b'") == unit
        self.write("x.yaml", config % (power, "2 N/mm", ""))
        self.bad("check", "x.yaml", says="'2 N/mm' has a unit, but cells differ in the unit of normal_stiffness, which is "
                                        "N/m^exponent")
