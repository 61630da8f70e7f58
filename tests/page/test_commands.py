"""The commands that pages print solve their cells, also where the cells of a map take different parameters, and pages have
none for a cell that no command solves."""
import json
import os
import shlex
import sys

import h5py
import numpy as np
import pytest
from browser import PageTest, need_module, program

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "cmd"))
from two_maps import OPTIONS, TABLE

SAMPLE = """model: compliant
choose: {body: pendulum}
axes: [{sample: sobol, points: 8, seed: 1, params: [{param: angle, distribution: uniform, from: 10 deg, to: 30 deg},
                                                    {param: friction, distribution: uniform, from: 0.1, to: 1}]}]
fixed: {stiffness_ratio: 1.2}
outputs: [mode, energy_loss]
"""
SEARCH = """model: compliant
choose: {body: pendulum}
axes: [{param: friction, values: [0.1, 0.2, 0.6]}]
search: {over: {param: angle, from: 10 deg, to: 80 deg, samples: 48}, find: maximum, of: energy_loss}
fixed: {stiffness_ratio: 1.2}
"""


class Commands(PageTest):
    def pick(self, x, y):
        """The commands of the stored cell at a place, by their first words; its place in the map."""
        self.mouse("pointerdown", x, y, button=0)
        self.mouse("pointerup", x, y, button=0)
        said, found = self.run_script("""
            const from = () => document.querySelector(".from")?.textContent ?? "";
            while (!from().startsWith("stored cell")) await new Promise((next) => setTimeout(next, 10));
            return [from(), [...document.querySelectorAll(".snippet pre")].map((one) => one.textContent)];""")
        return int(said.split()[2]) - 1, found

    @pytest.mark.parametrize("name", [*OPTIONS, "sample"])
    def test_they_solve_their_cells(self, name):
        with open(self.path("rows.csv"), "w", encoding="utf-8") as file:
            file.write(TABLE)
        path, page = self.map_of(name, OPTIONS.get(name, SAMPLE))
        with h5py.File(path) as file:
            stored = file["energy_loss"][:].ravel()
        self.open(page)
        need_module()
        self.run_script("await impactsweep.ready;")
        if name != "cases":
            assert f"{stored.size} of {stored.size} stored cells" in self.text("#live")
        cells = set()
        for x, y in ((0.1, 0.1), (0.9, 0.9), (0.1, 0.9), (0.9, 0.1)):
            cell, commands = self.pick(x, y)
            cells.add(cell)
            words = shlex.split(commands[0])
            assert words[:2] == ["impactsweep", "cell"]
            assert json.loads(program(*words[1:], "--json"))["energy_loss"] == stored[cell], commands[0]
        assert len(cells) > 1

    def test_a_search_has_none(self):
        _, page = self.map_of("search", SEARCH)
        self.open(page)
        self.run_script("await impactsweep.ready;")
        assert [self.pick(x, 0.5)[1] for x in np.linspace(0.1, 0.9, 3)] == 3 * [[]]
