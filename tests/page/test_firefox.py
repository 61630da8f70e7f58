"""Pages in Firefox: they open, solve with the bits of the program, and draw. Skipped without Firefox or the module.
IMPACT_PICTURES: a folder for screenshots."""
import json
import os
import tempfile

import pytest
import every_cell
import firefox
from browser import has_module, program
from support import pendulum

CELLS = 10  # of every theory, law and body
CONFIG = pendulum(40, 30, "outputs: [mode, sequence, kinematic_restitution, energy_loss]\n", "linear")
SOLVED = "await impactsweep.ready; while (!impactsweep.isSolved) await new Promise((next) => setTimeout(next, 20));"
COLOURS = """
const map = document.getElementById("map"), {data} = map.getContext("2d").getImageData(0, 0, map.width, map.height), seen = new Set();
for (let i = 0; i < data.length; i += 4) seen.add(data[i] << 16 | data[i + 1] << 8 | data[i + 2]);
return [...seen];"""


@pytest.mark.skipif(not firefox.PROGRAM or not has_module(), reason="without Firefox or the module of WebAssembly")
class InFirefox:
    @classmethod
    def setup_class(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.ending.enter_context(cls.folder)
        cls.browser = firefox.Firefox(cls.folder.name)
        cls.ending.callback(cls.browser.quit)

    def open(self, name):
        self.browser.open(f"file://{self.folder.name}/{name}.html")
        self.browser.run_script(SOLVED)

    def keep_picture(self, name):
        folder = os.environ.get("IMPACT_PICTURES")
        if folder:
            with open(os.path.join(folder, f"firefox-{name}.png"), "wb") as file:
                file.write(self.browser.screenshot())

    def test_report(self):
        with open(f"{self.folder.name}/map.yaml", "w", encoding="utf-8") as file:
            file.write(CONFIG)
        program("run", "map.yaml", "-o", "map.h5", "--progress", "none", folder=self.folder.name)
        program("report", "map.h5", "-o", "map.html", folder=self.folder.name)
        self.open("map")
        run = self.browser.run_script
        run("while (!document.getElementById('live').textContent.includes('same bits')) await new Promise((next) => setTimeout(next, 20));")
        assert "512 of 512 stored cells" in run("return document.getElementById('live').textContent;")
        run("""
            const map = document.getElementById("map"), box = map.getBoundingClientRect(), p = impactsweep.plane;
            const at = {clientX: box.left + p.x + 0.4 * p.w, clientY: box.top + p.y + 0.4 * p.h, button: 0, pointerId: 1, bubbles: true};
            for (const kind of ["pointermove", "pointerdown", "pointerup"]) map.dispatchEvent(new PointerEvent(kind, at));
            while (!document.querySelector(".chart")?.getAttribute("aria-label")
                   || document.querySelector("#cell .from")?.textContent !== "solved in this page") {
                await new Promise((next) => setTimeout(next, 20));
            }""")
        command = run("return document.querySelector('#cell pre').textContent;").split()
        cell = json.loads(program(*command[1:], "--json"))
        assert cell["mode"].replace("_", " ") in run("return document.getElementById('cell').textContent;")
        package = os.path.join(os.path.dirname(__file__), "..", "..", "postprocess", "impactsweep")
        with open(os.path.join(package, "display", "looks.json"), encoding="utf-8") as file:
            modes = json.load(file)["modes"]
        seen = set(run(COLOURS))
        assert {int(modes[name][1:], 16) for name in ("wedge", "gross_stick", "slip_stick_slip_reversed")} <= seen
        assert run("return document.getElementById('failed').textContent;") == ""
        self.keep_picture("report")

    def test_explore_solves_with_the_bits_of_the_program(self):
        program("explore", "-o", "explore.html", folder=self.folder.name)
        self.open("explore")
        self.keep_picture("explore")
        assert every_cell.compare(self, self.browser.run_script, CELLS) > 90 * CELLS
