"""Pages have the colours of printed figures: both read looks.json, and give the same colours to modes that it does not
name. Its scales are those of matplotlib."""
import json
import os
import random
import shutil
import subprocess

import matplotlib
import pytest

HERE = os.path.dirname(os.path.abspath(__file__))
from impactsweep.figures import looks
from impactsweep.display.colours import LOOKS, MODE_COLOURS


def lists_of_names():
    """Categories with and without rows, among them 40 unknown ones, and names that share a colour."""
    source, known = random.Random(7), list(MODE_COLOURS)
    unknown = [f"unknown_{k}" for k in range(40)]
    yield from ([], ["none"], ["none", *known], ["none", *unknown], unknown)
    for _ in range(30):
        names = source.sample(known, source.randrange(10)) + source.sample(unknown, source.randrange(12))
        source.shuffle(names)
        yield ["none"] * source.randrange(2) + names


class Looks:
    @pytest.mark.skipif(not shutil.which("node"), reason="no node")
    def test_pages_give_the_same_colours(self):
        lists = list(lists_of_names())
        done = subprocess.run(["node", os.path.join(HERE, "colours.mjs")], input=json.dumps(lists), text=True,
                              capture_output=True)
        assert done.stderr == ""
        page = json.loads(done.stdout)
        assert len(page["colours"]) == len(lists)
        for names, colours in zip(lists, page["colours"]):
            printed = looks.category_colours(dict(enumerate(names)))
            assert colours == [printed[code] for code in range(len(names))], names
        assert page["lines"] == list(looks.OPTION_COLOURS)
        assert page["dashes"] == len(looks.DASHES)
        pairs, colours = page["pairs"], page["pairs"]["colours"]
        assert pairs["label"] == "mode: linear | Hertz" and pairs["names"][0] == "the same" and pairs["names"][-1] == "other pairs"
        assert len(pairs["names"]) == len(colours) == len(set(colours)) == 25 and not set(colours) & set(page["modes"])

    def test_scales(self):
        for name, text in LOOKS["scales"].items():
            colours = [matplotlib.colors.to_hex(matplotlib.colormaps[name](i))[1:] for i in range(256)]
            assert [text[6 * i:6 * i + 6] for i in range(256)] == colours
