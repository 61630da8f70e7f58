"""The page of a uniform map in a browser: what it shows, how it moves, what can be copied."""
import json
import os
import re
import subprocess

import pytest
from browser import PROGRAM, PageTest, program

CONFIG = """
model: compliant
choose: {body: pendulum}
axes:
  - {param: law, values: [linear, hertz]}
  - {param: angle, from: 1 deg, to: 89 deg, points: 40}
  - {param: friction, from: 0.01, to: 1.5, points: 30, spacing: log}
fixed: {stiffness_ratio: 1.21}
outputs: [mode, sequence, kinematic_restitution, energy_loss]
"""


class Report(PageTest):
    sweep = "uniform", CONFIG

    def setup_method(self):
        self.open(self.page, "#live=false")

    def row(self, heading):
        return self.run_script("""
            const row = [...document.querySelectorAll("#cell tr")].find((one) => one.cells[0].textContent === given[0]);
            return row ? row.cells[1].textContent : null;""", heading)

    def test_says_what_was_swept_and_what_came_out(self):
        info = json.loads(program("info", self.map, "--json", "--digest"))
        text = self.text("#about")
        for word in (info["digest"], info["program_version"], "1° to 89°", "0.01 to 1.5", "linear to Hertz", "Pendulum"[1:]):
            assert word in text
        for mode, count in info["modes"].items():
            assert mode.replace("_", " ") in text
            assert f"{count:,}" in text

    def about(self, page):
        with open(page, encoding="utf-8") as file:
            text = file.read()
        return json.loads(text.split('id="about-data">')[1].split("</script>")[0]), text

    def test_nothing_of_the_machine_is_in_a_page_that_is_mailed(self):
        """Unless it is asked for: host, paths, processor, compiler, sessions."""
        machine = {"host", "config_path", "processor", "compiler", "libraries", "sessions"}
        about, text = self.about(self.page)
        assert not machine & set(about["info"])
        assert self.folder.name not in text
        program("report", self.map, "-o", self.path("full.html"), "--provenance", "full")
        told, _ = self.about(self.path("full.html"))
        assert set(told["info"]) - set(about["info"]) == machine
        assert told["info"]["file"] == self.map and about["info"]["file"] == os.path.basename(self.map)
        refused = subprocess.run([PROGRAM, "report", self.map, "-o", self.path("none.html"), "--provenance", "all"],
                                 capture_output=True, text=True)
        assert refused.returncode == 2 and "is not short or full" in refused.stderr
        assert not os.path.exists(self.path("none.html"))

    def test_a_side_takes_the_axis_of_the_other_one(self):
        """Vertical: the values, then the axis that is horizontal; and back again."""
        for title, value, plane in (("Vertical", "", ["angle", None]), ("Vertical", "angle", ["law", "angle"]),
                                    ("Horizontal", "angle", ["angle", "law"]), ("Vertical", "friction", ["angle", "friction"])):
            self.run_script("""
                const menu = [...document.querySelectorAll("#controls select")].find((one) => one.previousSibling.textContent === given[0]);
                menu.value = given[1];
                menu.dispatchEvent(new Event("change"));""", title, value)
            self.settle()
            assert [self.view[name] for name in ("x", "y")] == plane

    def test_nothing_but_the_page_is_asked_for(self):
        assert self.run_script("return performance.getEntriesByType('resource').map((one) => one.name);") == []
        assert "default-src 'none'" in self.run_script("return document.querySelector('meta[http-equiv]').content;")

    def test_hover_reads_the_cell_of_the_program(self):
        self.mouse("pointermove", 0.31, 0.62)
        command = self.text("#cell pre").split()
        assert command[:3] == ["impactsweep", "cell", "compliant"]
        cell = json.loads(program(*command[1:], "--json"))
        assert self.row("mode") == cell["mode"].replace("_", " ")
        assert float(self.row("energy loss")) == pytest.approx(cell["energy_loss"], abs=5e-7)
        assert f"{40 * 30 * 2:,}" in self.text("#cell .from")

    def test_config_of_the_window_is_one_that_the_program_takes(self):
        self.show(window=[0.25, 0.5, 0.5, 0.75])
        self.mouse("pointermove", 0.5, 0.5)
        config = self.run_script("return document.querySelectorAll('#cell pre')[2].textContent;")
        with open(self.path("window.yaml"), "w") as file:
            file.write(config)
        assert re.search(r"cells +250,000\n", program("check", self.path("window.yaml")))

    def test_field_axes_and_slider(self):
        assert [self.view[name] for name in ("field", "x", "y")] == ["mode", "angle", "friction"]
        colour = self.colour(0.5, 0.2)
        self.run_script("""
            const box = document.querySelector("#controls select");
            box.value = "energy_loss";
            box.dispatchEvent(new Event("change"));""")
        self.settle()
        assert self.view["field"] == "energy_loss"
        assert self.colour(0.5, 0.2) != colour
        before = self.view["at"]["law"]
        self.run_script("""
            const slider = document.getElementById("at-law");
            slider.value = 1 - slider.value;
            slider.dispatchEvent(new Event("input"));""")
        self.settle()
        assert self.view["at"]["law"] == 1 - before

    def test_zoom_and_pan_by_mouse_and_keys(self):
        self.mouse("wheel", 0.25, 0.75, deltaY=-200)
        x0, x1, y0, y1 = self.view["window"]
        assert (0.25 - x0) / (x1 - x0) == pytest.approx(0.25, abs=5e-3)
        assert x1 - x0 < 0.8
        self.mouse("pointerdown", 0.5, 0.5, button=0)
        self.mouse("pointermove", 0.4, 0.5)
        self.mouse("pointermove", 0.3, 0.5)
        self.mouse("pointerup", 0.3, 0.5)
        assert self.view["window"][0] > x0
        for key, narrower in (("+", True), ("-", False)):
            width = self.view["window"][1] - self.view["window"][0]
            self.run_script("document.getElementById('map').dispatchEvent(new KeyboardEvent('keydown', {key: given[0]}));", key)
            assert (self.view["window"][1] - self.view["window"][0] < width) == narrower
        self.run_script("document.getElementById('map').dispatchEvent(new KeyboardEvent('keydown', {key: '0'}));")
        assert self.view["window"] == [0, 1, 0, 1]

    def test_two_fingers_zoom(self):
        for pointer, x in ((1, 0.4), (2, 0.6)):
            self.mouse("pointerdown", x, 0.5, pointerId=pointer, button=0, pointerType="touch")
        self.mouse("pointermove", 0.8, 0.5, pointerId=2, pointerType="touch")
        x0, x1, _, _ = self.view["window"]
        assert x1 - x0 == pytest.approx(0.5, abs=5e-3)

    def test_one_finger_moves_the_window(self):
        self.show(window=[0.2, 0.6, 0.2, 0.6])
        for kind, x in (("pointerdown", 0.6), ("pointermove", 0.5), ("pointermove", 0.4), ("pointerup", 0.4)):
            self.mouse(kind, x, 0.5, button=0, pointerType="touch")
        x0, x1, _, _ = self.view["window"]
        assert x1 - x0 == pytest.approx(0.4, abs=5e-10)
        assert x0 > 0.22

    def test_the_scale_can_be_set(self):
        self.show(field="energy_loss", boundaries=False)
        usual = self.colour(0.5, 0.2)
        for control, value in (("#scale-low", "0.5"), ("#scale-high", "0.6")):
            self.run_script("""
                const box = document.querySelector(given[0]);
                box.value = given[1];
                box.dispatchEvent(new Event("change"));""", control, value)
            self.settle()
        assert self.view["scale"] == {"low": 0.5, "high": 0.6}
        assert self.colour(0.5, 0.2) != usual
        self.run_script("[...document.querySelectorAll('button')].find((one) => one.textContent === 'Usual scale').click();")
        self.settle()
        assert self.colour(0.5, 0.2) == usual

    def test_on_a_telephone(self):
        self.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride",
                                     {"width": 390, "height": 844, "deviceScaleFactor": 2, "mobile": True})
        try:
            self.open(self.page, "#live=false")
            assert self.run_script("return document.documentElement.scrollWidth;") <= 390
            assert self.run_script("return impactsweep.plane.w;") > 250
            for kind in ("pointerdown", "pointerup"):
                self.mouse(kind, 0.4, 0.6, button=0, pointerType="touch")
            assert "stored cell" in self.text("#cell .from")
            svg = self.run_script("return impactsweep.svg();")
            height = self.run_script("return document.getElementById('map').getBoundingClientRect().height;")
            below = [float(one) for one in re.findall(r'<text transform="translate\([0-9.]+ ([0-9.]+)\)', svg)]
            assert max(below) < height, "the legend is cut"
        finally:
            self.browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})

    def test_fragment_holds_the_view(self):
        self.show(field="kinematic_restitution", window=[0.1, 0.4, 0.2, 0.6], scale={"low": 0.2, "high": 0.9, "colours": "gray"})
        shown, fragment = self.view, self.run_script("return location.hash;")
        self.open(self.page, fragment)
        assert self.view == shown

    def test_bad_views_change_nothing(self):
        shown = self.view
        for wanted in ({"field": "nothing"}, {"window": [0, "1", 0, 1]}, {"at": 7}, {"x": "friction"}, {"scale": []},
                       {"picks": [{"a b": 1}] * 3}):
            self.show(**wanted)
            assert self.view == {**shown, "scale": {}}
        self.run_script("""impactsweep.view = JSON.parse('{"__proto__": {"field": "outcome"}}');""")
        self.open(self.page, "#field=%3Cimg%20src=x%3E&window=[1,2]&at={&x=%00&live=false")
        assert self.view == shown

    def test_colours_are_those_of_printed_figures(self):
        with open(os.path.join(os.path.dirname(__file__), "..", "..", "postprocess", "impactsweep", "display", "looks.json")) as file:
            modes = json.load(file)["modes"]
        self.show(boundaries=False, numbers=False)
        self.mouse("pointermove", 0.93, 0.83)
        mode = self.row("mode").replace(" ", "_")
        assert self.colour(0.9, 0.8).upper() == modes[mode].upper()

    def test_svg_and_accessible_names(self):
        svg = self.run_script("return impactsweep.svg();")
        assert "angle (deg)" in svg
        assert "data:image/png;base64" in svg
        self.run_script("new DOMParser().parseFromString(given[0], 'image/svg+xml').querySelector('parsererror') && fail();", svg)
        assert "Map of mode over angle (deg) and friction: " in self.run_script(
            "return document.getElementById('map').ariaLabel;")
        assert self.run_script("""
            return [...document.querySelectorAll("button, select, input")].filter((one) =>
              !(one.textContent || one.title || one.ariaLabel || one.closest("label")?.textContent)).length;""") == 0
