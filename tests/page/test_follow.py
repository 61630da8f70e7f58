"""The page of a map in which parameters follow others: axes keep one parameter each, and the page solves what follows
anew in every cell."""
import re
import shlex

from browser import SolvedPage, program

CONFIG = """
model: compliant
choose: {body: double_pendulum}
axes:
  - {param: q1, from: 10 deg, to: 60 deg, points: 40}
  - {param: m1, from: 1, to: 5, points: 30}
fixed: {friction: 0.5, stiffness_ratio: 1.21, q2: {equals: 0.75 * q1}, w1: -1, w2: {equals: w1 * m1 - q2}}
outputs: [mode, energy_loss]
"""


class Follow(SolvedPage):
    sweep = "follow", CONFIG
    formulas = ("= 0.75 * q1", "= w1 * m1 - q2")

    def test_stored_cells_have_the_same_bits(self):
        assert "512 of 512 stored cells" in self.text("#live")
        for formula in self.formulas:
            assert formula in self.text("#about")

    def pick(self):
        self.mouse("pointerdown", 0.5, 0.5, button=0)
        self.mouse("pointerup", 0.5, 0.5, button=0)
        self.run_script("""
            while (document.querySelector(".from")?.textContent !== "solved in this page")
                await new Promise((next) => setTimeout(next, 10));""")

    def test_the_config_of_the_window_keeps_the_formulas(self):
        self.pick()
        self.run_script("""
            navigator.clipboard.writeText = async (text) => { globalThis.taken = text; };
            [...document.querySelectorAll("button")].find((one) => one.textContent === "Copy config").click();""")
        with open(self.path("window.yaml"), "w", encoding="utf-8") as file:
            file.write(self.run_script("return globalThis.taken;"))
        said = program("check", "window.yaml", folder=self.folder.name)
        for formula in self.formulas:
            assert formula in said


LAMINA = """
model: compliant
variables: {tilt: rad, half: m, scale: 1}
choose: {body: lamina}
axes:
  - {param: tilt, from: 2 deg, to: 80 deg, points: 40}
  - {param: scale, from: 1, to: 2, points: 30}
fixed:
  friction: 0.3
  stiffness_ratio: 1.21
  velocity_ratio: 0.3
  half: {equals: 0.5 * scale}
  gyration_radius: {equals: half / sqrt(3)}
  offset_t: {equals: half * sin(tilt)}
  offset_n: {equals: -half * cos(tilt)}
outputs: [mode, energy_loss]
"""


class Variables(Follow):
    """The same of variables, which the theory does not know."""
    sweep = "follow", LAMINA
    formulas = ("= half * sin(tilt)", "= 0.5 * scale")

    def test_the_command_of_the_cell_solves_it(self):
        self.pick()
        text = self.run_script("""
            return [...document.querySelectorAll(".snippet pre")].map((one) => one.textContent)
                .find((one) => one.startsWith("impactsweep cell"));""")
        said = program(*shlex.split(text)[1:], folder=self.folder.name)
        assert re.search(r"(?m)^outcome +solved$", said)
        assert "= half * sin(tilt): " in said
