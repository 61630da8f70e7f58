"""`query`: conditions on the cells of a map, against the same conditions in numpy."""
import csv
import io
import os
import re

import h5py
import numpy
import xarray
from hypothesis import given
from hypothesis import strategies as st
from shrinking import examples
from support import PENDULUM, Case, needs_beam

MAP = """model: compliant
choose: {law: linear}
axes:
  - {param: body, values: [pendulum, rod]}
  - {param: angle, from: 1 deg, to: 89 deg, points: 40}
  - {param: friction, from: 0.01, to: 1.5, points: 31}
fixed: {stiffness_ratio: 1.21, velocity_ratio: 0.4}
outputs: [mode, sequence, energy_loss, duration]
"""
MODES = """model: beam
axes: [{param: position, values: [0.3, 0.45, 0.6]}]
outputs: [mode_energy, energy_loss]
"""

NUMBERS = st.integers(0, 1000).map(lambda n: str(n / 1000))
VALUES = st.recursive(
    st.sampled_from(["friction", "angle", "energy_loss"]) | NUMBERS | NUMBERS.map("{} deg".format),
    lambda some: st.builds("({} {} {})".format, some, st.sampled_from("+-*"), some)
    | st.builds("{}({})".format, st.sampled_from(["abs", "-", "+", "sqrt(abs", "1 + "]), some).map(
        lambda text: text + ")" * (text.count("(") - text.count(")"))).map("({})".format)
    | some.map("({} / 3)".format), max_leaves=4)
COMPARISONS = st.builds("({} {} {})".format, VALUES, st.sampled_from("< <= > >= == !=".split()), VALUES) | \
    st.sampled_from(["(mode == gross_slip)", "(gross_slip != mode)", "(mode in (wedge, 'gross_stick'))"])
CONDITIONS = st.recursive(
    COMPARISONS, lambda some: st.builds("({} {} {})".format, some, st.sampled_from(["and", "or"]), some)
    | some.map("(not {})".format), max_leaves=6)


def truth(condition, values):
    """Where a condition holds, for arrays of values: in the words of numpy."""
    text = re.sub(r"([\d.]+) deg", r"radians(\1)", condition)
    text = re.sub(r"mode in (\(.*?\))", r"isin(mode, \1)", text)
    for word, sign in ((" and ", " & "), (" or ", " | "), ("not ", "~")):
        text = text.replace(word, sign)
    words = {name: name for name in ("gross_slip", "wedge")}
    return eval(text, {"sqrt": numpy.sqrt, "radians": numpy.radians, "isin": numpy.isin} | words | values)


class Conditions(Case):
    def setup_method(self):
        super().setup_method()
        self.shared_map(MAP, "x.h5")
        with xarray.open_dataset(self.path("x.h5")) as file:
            mode = file["mode"].load()
            names = dict(zip(mode.attrs["flag_values"], mode.attrs["flag_meanings"].split()))
            mode = numpy.vectorize(lambda code: names[code])(mode.values)
            values = [file[name].values for name in ("angle", "friction", "energy_loss", "duration")]
        self.values = {"mode": mode, "angle": numpy.broadcast_to(values[0][:, None], mode.shape),
                       "friction": numpy.broadcast_to(values[1], mode.shape),
                       "energy_loss": values[2], "duration": values[3]}

    def found(self, condition, *words):
        self.good("query", "x.h5", condition, "-o", "f.csv", *words)
        with open(self.path("f.csv")) as file:
            return list(csv.DictReader(file))

    def cells(self, condition):
        return len(self.found(condition))

    @examples(40)
    @given(CONDITIONS)
    def test_conditions_hold_where_numpy_says_so(self, condition):
        """They ask for the duration first; the next test has undefined values."""
        known = numpy.isfinite(self.values["duration"])
        expected = numpy.count_nonzero(truth(condition, self.values) & known)
        assert self.cells(f"defined(duration) and {condition}") == expected

    def test_a_sign_begins_a_number_or_a_condition(self):
        some = self.cells("friction > 0.5")
        assert some > 0 and some == self.cells("friction > +0.5") == self.cells("+friction - +0.5 > -+-0")
        assert "if it is no option, write -- before it" in self.bad("query", "x.h5", "-friction < -0.5")
        assert f"{some:,} of " in self.good("query", "x.h5", "--", "-friction < -0.5")
        assert "a category can only be compared" in self.bad("query", "x.h5", "+mode > 1")
        assert "is missing here" in self.bad("query", "x.h5", "friction > +")

    def test_undefined_is_neither_true_nor_false(self):
        wedged = numpy.count_nonzero(self.values["mode"] == "wedge")
        undefined = numpy.count_nonzero(numpy.isnan(self.values["duration"]))
        assert undefined > wedged / 2
        assert wedged > 0
        total = self.values["mode"].size
        assert self.cells("duration > 0") == total - undefined
        assert self.cells("not duration > 0") == 0
        assert self.cells("not defined(duration)") == undefined
        assert self.cells("duration > 0 or friction > 0") == total
        assert self.cells("not (duration > 0 and friction < 0)") == total
        text = self.good("query", "x.h5", "duration > 0")
        assert f"{undefined} cells in which the condition is undefined" in text

    def test_choices_and_sequences_are_compared_by_their_words(self):
        rows = list(csv.DictReader(io.StringIO(self.good("export", "x.h5"))))
        for body in ("rod", "pendulum"):
            for sequence in {row["sequence"] for row in rows}:
                expected = [r for r in rows if (r["body"], r["sequence"]) == (body, sequence)]
                condition = f"body == {body} and sequence == '{sequence}'"
                assert self.found(condition) == expected, condition

    def test_slices_fields_and_degrees_are_those_of_export(self):
        words = ("--slice", "body=rod", "--slice", "friction=0.01", "--fields", "mode", "--degrees")
        rows = self.found("friction > 0", *words)
        assert rows == list(csv.DictReader(io.StringIO(self.good("export", "x.h5", *words))))

    def test_the_summary_counts_and_gives_ranges(self):
        rows = self.found("mode == wedge")
        text = self.good("query", "x.h5", "mode == wedge")
        assert text.startswith(f"{len(rows)} of 2,480 cells satisfy the condition"), text
        angles = numpy.degrees([float(row["angle"]) for row in rows])
        assert re.search(rf"angle +{min(angles):.8g} deg to {max(angles):.8g} deg\n", text)
        assert re.search(rf"mode +wedge {len(rows)}\n", text)
        assert "angle" not in self.good("query", "x.h5", "friction > 2")

    def test_every_error_has_its_column(self):
        for condition, *errors in (
                ("mode == wegde and frition > 3", (9, "unknown mode 'wegde' (did you mean 'wedge'?)"),
                 (19, "unknown parameter or output 'frition' (did you mean 'friction'?)")),
                ("friction", (1, "a condition is missing here")),
                ("mode > 2", (1, "a category can only be compared with one of its words")),
                ("mode < wedge", (1, "words have no order")),
                ("mode = wedge", (7, "write ==")),
                ("0.2 < friction < 0.5", (16, "a comparison has two sides")),
                ("(friction > 0.2", (16, "')' is missing")),
                ("friction > 3 mm", (14, "unexpected text")),
                ("friction > 1e", (12, "'1e' is not a number")),
                ("friction > 0.1 and", (19, "a word is missing here")),
                ("mode == 'wedge", (10, "quotation mark")),
                ("friction in (1)", (1, "only a category can stand before 'in'")),
                ("", (1, "is missing here")),
                ("(" * 100 + "1", (66, "at most 64 brackets")),
                ("not " * 2000 + "1 > 0", (1, "too long")),
                ("-".join(["1"] * 400) + " > 0", (None, "too long"))):
            text = self.bad("query", "x.h5", condition, "-o", "none.csv")
            for column, words in errors:
                place = f"expression:1:{column}: error: " if column else "expression:1:"
                assert place in text, condition
                assert words in text, condition
            assert not os.path.exists(self.path("none.csv"))

    def test_the_map_itself_is_never_replaced(self):
        before = self.digest("x.h5")
        assert "is the map itself" in self.bad("query", "x.h5", "friction > 0", "-o", "x.h5", "--force")
        assert self.digest("x.h5") == before


class Kinds(Case):
    @needs_beam
    def test_values_along_a_dimension_are_numbered(self):
        self.good("run", self.write("x.yaml", MODES), "-o", "x.h5", "--progress", "none")
        rows = list(csv.DictReader(io.StringIO(self.good("export", "x.h5"))))
        first = sorted(float(row["mode_energy_1"]) for row in rows)
        text = self.good("query", "x.h5", f"mode_energy_1 > {(first[1] + first[2]) / 2!r}")
        assert "1 of 3 cells" in text
        assert "write mode_energy_1 to mode_energy_" in self.bad("query", "x.h5", "mode_energy > 0")

    def test_cells_that_are_not_solved_are_neither_true_nor_false(self):
        self.good("run", self.write("x.yaml", PENDULUM), "-o", "x.h5", "--progress", "none")
        with h5py.File(self.path("x.h5"), "r+") as file:
            names = dict(zip(file["outcome"].attrs["flag_meanings"].decode().split(),
                             file["outcome"].attrs["flag_values"]))
            file["outcome"][:50] = names["pending"]
        text = self.good("query", "x.h5", "not mode == wedge or mode == wedge")
        assert re.search(r"^1,950 of 4,450 cells", text)
        assert "2,500 cells not solved yet" in text
