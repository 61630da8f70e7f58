"""Configs, tables and formulas that Hypothesis makes: good ones mean what they say, and spoilt ones are refused at a
place in the file. A failing one is shrunk."""
import re

import h5py
import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from shrinking import examples
from support import BAD_INPUT, OK, Case

FINITE = st.floats(-1e12, 1e12)
FORMS = st.sampled_from(["{!r}", " {:+.17g}", "{:.16e}", "{:.17E} "])
WRITTEN = st.builds(lambda form, value: form.format(value), FORMS, FINITE)
FORMULAS = st.recursive(
    st.sampled_from(["x", "cost"]) | st.integers(0, 999).map(lambda n: str(n / 8)) | st.integers(1, 89).map("{} deg".format),
    lambda some: st.builds("({} {} {})".format, some, st.sampled_from("+-*"), some)
    | st.builds("{} / (1 + abs({}))".format, some, some) | st.builds("sqrt(abs({}))".format, some)
    | some.map("(-{})".format), max_leaves=6)
RANGES = st.builds(lambda low, span, points: (f"from: {low!r}, to: {low + span!r}, points: {points}",
                                              [low, low + span], points),
                   st.floats(-1e3, 1e3), st.floats(1e-3, 1e3), st.integers(2, 5))
LISTS = st.lists(FINITE, min_size=1, max_size=5, unique=True).map(lambda values: (f"values: {values!r}", values, len(values)))
TABLE = """model: 'null'
axes: [{table: cases.csv, name: case}]
outputs: [value]
"""
CONFIG = """model: compliant
choose: {body: pendulum, law: linear}  # a comment
axes:
  - {param: angle, from: 1 deg, to: 89 deg, points: 3}
  - {param: friction, values: [0.1, 0.5]}
fixed:
  stiffness_ratio: {equals: 1.21 * friction}
outputs: [mode, energy_loss]
"""
TOKENS = ["", "nan", "-1e999", "{", "]", ":", "'", "\t", "\0", "é", "\u2028", "&a", "*a", "!!int", "9" * 400, "= x", "- ", "\n", "#",
          "deg", "1 furlong", "null", "equals", "param: angle", "((((", "0x", "friction"]


def spoilt(text):
    """The text with up to three places in which a token stands for what was there."""
    change = st.tuples(st.integers(0, len(text)), st.integers(0, 12), st.sampled_from(TOKENS))

    def changed(changes):
        found = text
        for at, length, token in changes:
            found = found[:at] + token + found[at + length:]
        return found
    return st.lists(change, min_size=1, max_size=3).map(changed)


class Generated(Case):
    def solve(self, config):
        self.run_config(config, "x.h5", "--force", "--progress", "none")
        return h5py.File(self.path("x.h5"))

    @examples(30)
    @given(FORMULAS)
    def test_formulas_have_the_values_of_numpy(self, formula):
        x = np.array([-2.0, 0.3, 5.0])
        with self.solve("model: 'null'\naxes: [{param: x, values: [-2, 0.3, 5]}]\n"
                        f"fixed: {{cost: 0.000244140625, fault_every: 1, y: {{equals: '{formula}'}}}}\noutputs: [value]\n") as file:
            text = re.sub(r"([\d.]+) deg", r"radians(\1)", formula)
            expected = eval(text, {"x": x, "cost": 0.000244140625, "abs": abs, "sqrt": np.sqrt, "radians": np.radians})
            np.testing.assert_array_equal(np.broadcast_to(file["y"][()], 3), np.broadcast_to(expected, 3))

    @examples(30)
    @given(st.lists(st.tuples(WRITTEN, WRITTEN), min_size=1, max_size=6), st.permutations([0, 1]))
    def test_tables_have_the_numbers_that_are_written(self, rows, order):
        lines = [",".join(row[column] for column in order) for row in [("x", "y"), *rows]]
        self.write("cases.csv", "\n".join(lines) + "\n")
        with self.solve(TABLE) as file:
            for name, column in zip("xy", zip(*rows)):
                np.testing.assert_array_equal(file[name][()], list(map(float, column)))

    @examples(30)
    @given(st.dictionaries(st.sampled_from("xy"), RANGES | LISTS, min_size=1), st.permutations(["model", "axes", "outputs"]))
    def test_axes_are_those_of_the_config(self, axes, order):
        keys = {"model": "model: 'null'\n", "outputs": "outputs: [value]\n", "axes": "axes:\n" + "".join(
            f"  - {{param: {name}, {text}}}\n" for name, (text, _, _) in axes.items())}
        with self.solve("".join(keys[key] for key in order)) as file:
            assert file["value"].shape == tuple(points for _, _, points in axes.values())
            for name, (_, known, points) in axes.items():
                values = file[name][()]
                if len(known) == points:
                    np.testing.assert_array_equal(values, known)
                assert (values[0], values[-1]) == (known[0], known[-1])

    def check_refusal(self, name, text):
        """`check` accepts it, or names a place in the file and says no more than that."""
        result = self.sweep("check", "x.yaml")
        assert result.returncode in (OK, BAD_INPUT), result.stderr
        if result.returncode == BAD_INPUT:
            assert result.stdout == ""
            places = re.findall(rf"^{name}:(\d+):(\d+): error: .", result.stderr, re.M)
            assert places, result.stderr
            for line, column in places:
                assert 1 <= int(line) <= text.count("\n") + text.count("\u2028") + 2
                assert int(column) >= 1

    @examples(80)
    @given(spoilt(CONFIG))
    def test_spoilt_configs(self, config):
        self.write("x.yaml", config)
        self.check_refusal(r"x\.yaml", config)

    @examples(30)
    @given(spoilt("x, y\n1, 2\n-3.5e-2, +7\n0.25, 1e3\n"))
    def test_spoilt_tables(self, table):
        self.write("x.yaml", TABLE)
        self.write("cases.csv", table)
        self.check_refusal(r"(?:cases\.csv|x\.yaml)", TABLE + table)
