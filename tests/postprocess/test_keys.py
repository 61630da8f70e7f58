"""The keys of a figure in a config (config/figure.c) are options of plot.py: each goes with the same kinds of figures,
and takes the same words."""
import os
import re

import matplotlib

from impactsweep.figures import looks  # noqa: F401 (registers its scales of colours)
from impactsweep.figures.command import parser_of, takes
from impactsweep.figures.registry import KINDS

SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "src", "config", "figure.c")
CHOICE = {"as"}  # the kind itself, which plot.py reads before it knows the options


class Keys:
    @classmethod
    def setup_class(cls):
        with open(SOURCE, encoding="utf-8") as file:
            text = file.read()
        cls.words = {name: re.findall(r'"([^"]+)"', body)
                     for name, body in re.findall(r"\*const (\w+)\[\] = \{(.*?)NULL\}", text, re.S)}
        table = re.search(r"imp_figure_key keys\[\] = \{(.*?)\n\};", text, re.S)[1]
        cls.keys = {re.search(r'\.name = "(\w+)"', row)[1]: row for row in re.findall(r"\{(.*?)\}", table, re.S)}

    @staticmethod
    def kinds_of(name):
        return {kind for kind in KINDS if takes(KINDS[kind], "--" + name.replace("_", "-"))} - {"trace", "strobe"}

    def action(self, name):
        kind = KINDS[min(self.kinds_of(name))]
        return parser_of("", kind)._option_string_actions["--" + name.replace("_", "-")]

    def test_kinds(self):
        """Of a history there is no config."""
        assert set(self.words["kinds"]) == set(KINDS) - {"trace", "strobe"}

    def test_each_key_goes_with_the_same_kinds(self):
        assert len(self.keys) > 20
        for name in set(self.keys) - CHOICE:
            stated = re.search(r'\.kinds =\s*"([^"]+)"', self.keys[name])
            found = self.kinds_of(name)
            assert found, name
            # Without kinds: where a figure has no use for the option, plot.py leaves that of a config out.
            assert not stated or set(stated[1].split()) == found, name

    def test_each_key_takes_the_same_values(self):
        for name in set(self.keys) - CHOICE:
            row, action = self.keys[name], self.action(name)
            kind = re.search(r"IMP_FIGURE_(\w+)", row)[1]
            words = re.search(r"\.words = (\w+)", row)
            is_switch = words is not None and words[1] == "switches"
            assert is_switch == (action.nargs == 0), name
            if is_switch:
                assert self.words["switches"] == ["true", "false"]
            elif action.choices:
                assert self.words[words[1]] == list(action.choices), name
            elif words:
                assert set(self.words[words[1]]) <= set(matplotlib.colormaps), name
            pairs = kind in ("POINTS", "RANGES", "TEXTS")
            assert pairs == ("=" in (action.metavar or "")), name
            assert not pairs or isinstance(action.default, list), name  # may be repeated
