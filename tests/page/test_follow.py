#!/usr/bin/python3
"""The page of a map in which parameters follow others: axes keep one parameter each, and the page solves what follows
anew in every cell."""
import os
import sys
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from browser import PageTest, program

CONFIG = """
model: compliant
choose: {body: double_pendulum}
axes:
  - {param: q1, from: 10 deg, to: 60 deg, points: 40}
  - {param: m1, from: 1, to: 5, points: 30}
fixed: {friction: 0.5, stiffness_ratio: 1.21, q2: {equals: 0.75 * q1}, w1: -1, w2: {equals: w1 * m1 - q2}}
outputs: [mode, energy_loss]
"""


class Follow(PageTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.map, cls.page = cls.map_of("follow", CONFIG)

    def setUp(self):
        self.open(self.page)
        if not self.run_script("await impactsweep.ready; return document.getElementById('module').textContent.length;"):
            self.skipTest("the program was built without the module of the solver")
        self.run_script("while (!impactsweep.isSolved) await new Promise((next) => setTimeout(next, 10));")
        self.settle()

    def test_stored_cells_have_the_same_bits(self):
        self.assertIn("512 of 512 stored cells", self.text("#live"))
        self.assertIn("= w1 * m1 - q2", self.text("#about"))

    def test_the_config_of_the_window_keeps_the_formulas(self):
        self.mouse("pointerdown", 0.5, 0.5, button=0)
        self.mouse("pointerup", 0.5, 0.5, button=0)
        self.run_script("""
            while (document.querySelector(".from")?.textContent !== "solved in this page") await new Promise((next) => setTimeout(next, 10));
            navigator.clipboard.writeText = async (text) => { globalThis.taken = text; };
            [...document.querySelectorAll("button")].find((one) => one.textContent === "Copy config").click();""")
        with open(self.path("window.yaml"), "w", encoding="utf-8") as file:
            file.write(self.run_script("return globalThis.taken;"))
        said = program("check", "window.yaml", folder=self.folder.name)
        self.assertIn("= 0.75 * q1", said)
        self.assertIn("= w1 * m1 - q2", said)


if __name__ == "__main__":
    unittest.main()
