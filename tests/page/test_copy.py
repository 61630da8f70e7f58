"""What leaves a page by its buttons: pictures, and commands and a config that the program runs with the same bits."""
import csv
import io
import json
import os
import shlex
import time

import pytest
from browser import SolvedPage, png_size, program

CONFIG = """
model: compliant
choose: {body: pendulum, law: hertz}
axes:
  - {param: angle, from: 1 deg, to: 89 deg, points: 30}
  - {param: friction, from: 0.01, to: 1.5, points: 20}
fixed: {stiffness_ratio: 1.21, normal_stiffness: 1e6, normal_speed: 2, mass: 0.3, length: 0.5}
outputs: [mode, duration]
"""
SECONDS = 120  # until a download is given up


class Copy(SolvedPage):
    density = 1

    sweep = "copied", CONFIG

    @classmethod
    def setup_class(cls):
        super().setup_class()
        cls.browser.execute_cdp_cmd("Browser.grantPermissions", {"permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"]})
        cls.browser.execute_cdp_cmd("Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": cls.folder.name})

    def press(self, text):
        self.run_script("[...document.querySelectorAll('button')].find((one) => one.textContent === given[0]).click();", text)

    def saved(self, name):
        end = time.monotonic() + SECONDS
        while not os.path.exists(self.path(name)):
            assert time.monotonic() < end, f"{name} was not saved"
            time.sleep(0.2)
        with open(self.path(name), "rb") as file:
            return file.read()

    def copied(self, button):
        """What a button puts into the clipboard."""
        self.run_script("""
            globalThis.taken = null;
            navigator.clipboard.writeText = async (text) => { globalThis.taken = text; };""")
        self.press(button)
        self.wait_for("globalThis.taken !== null && document.getElementById('said').textContent === 'Copied'")
        return self.run_script("return globalThis.taken;")

    def keep(self, x, y):
        """Clicks a cell, and moves the pointer away, over other cells, to the buttons."""
        self.mouse("pointerdown", x, y, button=0)
        self.mouse("pointerup", x, y, button=0)
        self.wait_for("document.querySelector('.from')?.textContent === 'solved in this page'")
        words = self.text("#cell pre")
        self.mouse("pointermove", 0.95, 0.5)
        self.mouse("pointerleave", 1.2, 0.5)
        self.wait_for("document.querySelector('#cell pre').textContent === " + json.dumps(words))

    def test_pictures(self):
        self.press("PNG")
        width, height = png_size(self.saved("map.png"))
        shown = self.run_script("const box = document.getElementById('map').getBoundingClientRect(); return [box.width, box.height];")
        assert [width, height] == [round(2 * shown[0]), round(2 * shown[1])]
        self.press("SVG")
        assert self.saved("map.svg").decode() == self.run_script("return impactsweep.svg();")

    def test_cell(self):
        self.keep(0.3, 0.6)
        command = shlex.split(self.copied("Copy cell"))
        assert command[:3] == ["impactsweep", "cell", "compliant"]
        printed = json.loads(program(*command[1:], "--json"))
        given = dict(word.split("=") for word in command[3:])
        assert self.run_script("return impactsweep.cell('compliant', given[0]);", given) == printed
        rows = dict(self.run_script("return [...document.querySelectorAll('#cell tr')]"
                                    ".map((row) => [...row.cells].map((one) => one.textContent));"))
        assert rows["mode"] == printed["mode"].replace("_", " ")
        assert rows["duration"] == f"{float(format(printed['duration'], '.8g'))!r} s"
        assert len(rows) > len(printed)

    def test_trace(self):
        self.keep(0.6, 0.3)
        command = shlex.split(self.copied("Copy trace"))
        program(*command[1:], folder=self.folder.name)
        with open(self.path("history.csv"), encoding="utf-8") as file:
            rows = list(csv.DictReader(io.StringIO("".join(line for line in file if not line.startswith("#")))))
        given = dict(word.split("=") for word in command[3:-2])
        columns = self.run_script("""
            const {columns} = await impactsweep.trace("compliant", given[0]);
            return Object.entries(columns).map(([name, values]) => [name, [...values]]);""", given)
        assert [name for name, _ in columns] == list(rows[0])
        for name, values in columns:
            assert ([row[name] for row in rows] if isinstance(values[0], str)
                    else [float(row[name]) for row in rows]) == values, name

    def test_config(self):
        try:
            import h5py
        except ImportError:
            pytest.skip("python3-h5py is not installed")
        self.show(window=[0.2, 0.3, 0.4, 0.55])
        self.wait_for("impactsweep.isSolved")
        self.keep(0.5, 0.5)
        with open(self.path("window.yaml"), "w", encoding="utf-8") as file:
            file.write(self.copied("Copy config").replace("points: 500", "points: 23"))
        program("run", "window.yaml", "-o", "window.h5", "--progress", "none", "--force", folder=self.folder.name)
        with h5py.File(self.path("window.h5")) as map_file:
            file = {name: value for name, value in map_file.items() if isinstance(value, h5py.Dataset)}
            fixed = {name: value[()].item() for name, value in file.items() if value.shape == () and value.dtype.kind == "f"}
            angles, frictions = file["angle"][:].tolist(), file["friction"][:].tolist()
            modes = dict(zip(file["mode"].attrs["flag_values"].tolist(), file["mode"].attrs["flag_meanings"].decode().split()))
            names = [name for name, value in file.items() if value.shape == (23, 23) and value.dtype.kind == "f"]
            for i, j in ((0, 0), (22, 22), (11, 3), (5, 19), (17, 12)):
                cell = self.run_script("return impactsweep.cell('compliant', given[0]);", {
                    **fixed, "body": "pendulum", "law": "hertz", "angle": angles[i], "friction": frictions[j]})
                assert cell["mode"] == modes[file["mode"][i, j].item()]
                for name in names:
                    stored = file[name][i, j].item()
                    assert cell[name] == (stored if stored == stored else None), name
        assert len(names) > 10
