"""The solver in the page of a map: windows, cells and histories against the program's, frame times, sliders."""
import csv
import io
import json
import os

import every_cell
from browser import SolvedPage, program
from support import pendulum

CONFIG = pendulum(40, 30, "outputs: [mode, sequence, kinematic_restitution, energy_loss]\n", "linear")
CELLS = int(os.environ.get("IMPACT_CELLS", "10"))  # of every theory, law and body
CELL = {"body": "pendulum", "law": "linear", "angle": 0.7, "friction": 0.4, "stiffness_ratio": 1.21}


class Live(SolvedPage):
    sweep = "uniform", CONFIG

    def test_stored_cells_have_the_same_bits(self):
        assert "512 of 512 stored cells" in self.text("#live")

    def test_cell_and_trace_are_those_of_the_program(self):
        words = [f"{name}={value}" for name, value in CELL.items()]
        assert self.run_script("return impactsweep.cell('compliant', given[0]);",
                               CELL) == json.loads(program("cell", "compliant", *words, "--json"))
        trace = self.run_script("""
            const {columns} = await impactsweep.trace("compliant", given[0]);
            return {time: [...columns.time], force: [...columns.normal_force]};""", CELL)
        lines = [line for line in program("trace", "compliant", *words).splitlines() if not line.startswith("#")]
        rows = list(csv.DictReader(io.StringIO("\n".join(lines))))
        assert trace["time"] == [float(row["time"]) for row in rows]
        assert trace["force"] == [float(row["normal_force"]) for row in rows]

    def test_cells_of_every_theory_law_and_body_have_the_bits_of_the_program(self):
        assert every_cell.compare(self, self.run_script, CELLS) > 90 * CELLS

    def test_a_window_is_solved_at_full_resolution(self):
        """In a window of two stored cells there is a boundary that the stored cells do not have."""
        self.show(window=[0.15, 0.2, 0.3, 0.35], live=False)
        stored = {self.colour(x / 10 + 0.02, 0.5) for x in range(10)}
        self.show(live=True)
        self.wait()
        solved = {self.colour(0.03 + x / 40, y) for x in range(38) for y in (0.1, 0.5, 0.9)}
        assert len(solved) > len(stored)

    def test_sliders_choices_and_messages(self):
        before = self.colour(0.25, 0.5)
        self.run_script("""
            const slider = document.getElementById("slider-stiffness_ratio");
            slider.value = 100;
            slider.dispatchEvent(new Event("input"));""")
        self.wait()
        assert self.view["inputs"]["stiffness_ratio"] < 0.1
        self.mouse("pointermove", 0.4, 0.3)
        self.run_script("while (!document.querySelector('#cell .from')) await new Promise((next) => setTimeout(next, 10));")
        cell = json.loads(program(*self.text("#cell pre").split()[1:], "--json"))
        assert cell["mode"].replace("_", " ") in self.text("#cell")
        self.show(inputs={"body": "sphere"})
        self.run_script("while (!document.getElementById('failed').textContent) await new Promise((next) => setTimeout(next, 10));")
        assert "angle" in self.text("#failed")
        self.show(inputs={})
        self.wait()
        assert self.colour(0.25, 0.5) == before

    def test_click_draws_a_history_and_two_compare(self):
        for clicks, (x, y) in ((1, (0.3, 0.3)), (2, (0.6, 0.2)), (2, (0.7, 0.7))):
            self.mouse("pointerdown", x, y, button=0)
            self.mouse("pointerup", x, y, button=0)
            self.run_script("""
                while (document.querySelectorAll(".picks li").length !== given[0]
                       || !document.querySelector(".chart")?.ariaLabel) await new Promise((next) => setTimeout(next, 10));""", clicks)
            assert len(self.view["picks"]) == clicks
        titles = self.run_script("return [...document.querySelectorAll('.chart')].map((one) => one.ariaLabel.split(' over')[0]);")
        assert titles == ["Forces", "Velocities", "Elongations", "Impulses", "Energy"]
        assert "friction cone" in self.text(".charts")
