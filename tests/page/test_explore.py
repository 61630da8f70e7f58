"""The page without a map: theories, bodies, presets, the sketch and the slow motion; also on a telephone."""
import json

from browser import WRITTEN, PageTest, check_size, program

import pytest

PENDULUM = "#" + ('inputs={"body":"pendulum","law":"linear","stiffness_ratio":1.21}&x=angle&y=friction'
                  '&ranges={"angle":{"low":0.01,"high":1.5}}')


class Explore(PageTest):
    explores = True

    def test_size(self):
        check_size(self.page)

    def test_the_notices_of_the_module_are_in_the_page(self):
        with open(self.page, encoding="utf-8") as file:
            text = file.read()
        for words in ("Rich Felker", "Permission is hereby granted", "Redistribution and use", "Nuxi", "CC0-1.0"):
            assert words in text

    def test_every_theory_has_a_map(self):
        self.open(self.page)
        about = json.loads(self.text("#about-data"))
        printed = json.loads(program("models", "--json"), object_hook=lambda one: {
            name: value for name, value in one.items() if value is not None})  # a page leaves out what is null
        assert about["theories"] == printed
        for theory in ("rigid", "swerve", "viscoelastic", "beam"):
            self.show(theory=theory)
            self.run_script("while (!document.getElementById('map').ariaLabel.includes(': '))"
                            " await new Promise((next) => setTimeout(next, 10));")
            assert self.text("#failed") == ""
            assert self.view["theory"] == theory

    def click(self, x, y):
        self.mouse("pointerdown", x, y, button=0)
        self.mouse("pointerup", x, y, button=0)

    def move_to(self, part):
        """Shows the motion at a part of its time."""
        self.run_script("""
            const slider = document.querySelector("#sketch input");
            slider.value = given[0];
            slider.dispatchEvent(new Event("input"));""", part)

    def test_every_theory_has_histories_and_a_sketch(self):
        self.open(self.page)
        self.run_script("await impactsweep.ready;")
        drawn, theories = {}, [theory["name"] for theory in json.loads(program("models", "--json"))
                               if theory.get("history") and theory["name"] != "beam"]
        assert len(theories) > 5
        for theory in [*theories, theories[0]]: # the last one moves as another one is chosen
            self.show(theory=theory, field="outcome")
            self.click(0.5, 0.6)
            self.wait_for("document.querySelector('.picks') && [...document.querySelectorAll('.chart')].every((one) => one.ariaLabel)")
            titles = self.run_script("return [...document.querySelectorAll('.chart')].map((one) => one.ariaLabel.split(' over')[0]);")
            assert {"Velocities", "Impulses", "Energy"} <= set(titles)
            presses, falls = "Forces" in titles, "Gaps" in titles
            assert self.run_script("return !document.querySelector('#sketch .controls').hidden;") == (presses or falls)
            assert ("friction cone" in self.text(".charts")) == presses
            assert not self.run_script("return document.getElementById('sketch').hidden;")
            if falls:
                self.wait_for("document.querySelector('#sketch .hint').textContent.includes('so far')")
            if presses:
                self.wait_for("document.querySelector('#sketch .hint').textContent.includes('normal force')")
            if presses or falls:
                self.move_to(0.4)
                drawn[theory] = self.run_script("return document.querySelector('.sketch').toDataURL();")
        assert len(set(drawn.values())) == len(drawn) > 3  # where nothing moves, sketches may be alike

    def test_every_body_has_its_sketch(self):
        self.open(self.page)
        self.run_script("await impactsweep.ready;")
        for theory, different in (("compliant", 7), ("compliant3d", 4), ("bounce", 5)):
            self.show(theory=theory, field="outcome")
            bodies = self.run_script("return [...document.querySelector('#inputs select').options].map((one) => one.value);")
            drawn = {}
            for body in bodies:
                self.show(inputs={"body": body})
                drawn[body] = self.run_script("return document.querySelector('.sketch').toDataURL();")
                assert body.replace("_", " ") in self.text("#sketch .hint")
            assert len(set(drawn.values())) >= different  # general and matrix: any body

    def painted(self, colour):
        """Points of the sketch of a colour #rrggbb: their number, and the least and the greatest of their rows."""
        return self.run_script("""
            const sketch = document.querySelector(".sketch"), {width, height} = sketch;
            const copy = Object.assign(document.createElement("canvas"), {width, height}).getContext("2d", {willReadFrequently: true});
            copy.drawImage(sketch, 0, 0);
            const {data} = copy.getImageData(0, 0, width, height);
            let count = 0, least = height, greatest = -1;
            for (let i = 0; i < width * height; i++) {
                if ("#" + [0, 1, 2].map((k) => data[4 * i + k].toString(16).padStart(2, "0")).join("") !== given[0]) continue;
                const row = Math.floor(i / width);
                [count, least, greatest] = [count + 1, Math.min(least, row), Math.max(greatest, row)];
            }
            return [count, least / height, greatest / height];""", colour)

    def test_two_bodies_lie_on_both_sides_of_the_contact(self):
        self.open(self.page)
        self.run_script("await impactsweep.ready;")
        sizes = []
        for body in ("lamina", "two_laminae"):
            self.show(theory="compliant", field="outcome")
            self.show(inputs={"body": body})
            sizes.append(self.painted("#dfe7ee"))
        (one, _, _), (both, least, greatest) = sizes
        assert both > 1.2 * one, "the second body is filled, too"
        assert least > 0.02
        assert greatest < 0.98
        assert self.painted("#f1efe9")[0] == 0, "no ground"
        assert "relative to that of the second body" in self.text("#sketch .hint")

    def test_the_sketch_moves_with_the_sliders(self):
        self.open(self.page)
        self.run_script("await impactsweep.ready;")
        for theory, body, name in (("compliant", "rod", "angle"), ("compliant", "rod", "velocity_ratio"), ("swerve", "rod3d", "azimuth"),
                                   ("swerve", "rod3d", "heading"), ("compliant3d", "ellipsoid3d", "semi_axis_c")):
            self.show(theory=theory, x="friction", y="restitution", field="outcome", picks=[])
            self.show(inputs={"body": body})
            before = self.run_script("return document.querySelector('.sketch').toDataURL();")
            self.run_script("""
                    const slider = document.getElementById(`slider-${given[0]}`);
                    slider.value = Number(slider.value) + 150;
                    slider.dispatchEvent(new Event("input"));""", name)
            self.settle()
            assert self.run_script("return document.querySelector('.sketch').toDataURL();") != before

    def drag(self, *parts):
        """Drags in the sketch, from part to part of its width."""
        self.run_script("""
                const sketch = document.querySelector(".sketch"), {left, top, width, height} = sketch.getBoundingClientRect();
                given[0].forEach((part, i) => sketch.dispatchEvent(new PointerEvent(i ? "pointermove" : "pointerdown",
                    {clientX: left + part * width, clientY: top + height / 2, buttons: 1, bubbles: true})));
                sketch.dispatchEvent(new PointerEvent("pointermove", {clientX: left, clientY: top, buttons: 0}));""", parts)
        self.settle()

    def test_a_striker_is_dragged_along_the_beam(self):
        """Its place is that of the cell if it is on an axis, and otherwise that of the map; the beam ends at 34 of 400."""
        self.open(self.page)
        self.run_script("await impactsweep.ready;")
        self.show(theory="beam", field="outcome")
        self.drag(0.3, 0.5, 0.6)
        self.wait_for("document.querySelector('#facts caption')?.textContent.includes('position 0.6205')")
        self.wait_for("document.querySelector('#sketch .hint').textContent.includes('struck at 0.6205')")
        self.wait_for("/(contact|flight|end) at .*, touch [1-9]/.test(document.querySelector('#sketch .hint').textContent)")
        assert [round(pick["position"], 4) for pick in self.run_script("return impactsweep.view.picks;")] == [0.6205]
        self.show(x="angular_velocity", y="length", picks=[])
        self.drag(0.9, 0.99)
        assert self.run_script("return impactsweep.view.inputs.position;") == 1
        assert self.run_script("return document.getElementById('number-position').value;") == "1"
        assert "struck at 1 of its length" in self.text("#sketch .hint")

    def test_sliders_are_logarithmic_where_that_fits(self):
        self.open(self.page, PENDULUM)
        self.run_script("await impactsweep.ready;")
        values = []
        for part in (250, 500, 750):
            self.run_script("""
                const slider = document.getElementById("slider-mass");
                slider.value = given[0];
                slider.dispatchEvent(new Event("input"));""", part)
            values.append(self.view["inputs"]["mass"])
        assert values[1] / values[0] == pytest.approx(values[2] / values[1], abs=5e-3)
        assert values[2] / values[1] > 5

    def test_slow_theories_fill_in_from_coarse_to_fine(self):
        self.open(self.page)
        sharpness = self.run_script("""
            await impactsweep.ready;
            impactsweep.view = {theory: "continuum", field: "energy_loss"};
            const map = document.getElementById("map"), p = impactsweep.plane, seen = [];
            const scale = map.width / map.getBoundingClientRect().width;
            const row = Object.assign(document.createElement("canvas"), {width: p.w * scale, height: 1})
                .getContext("2d", {willReadFrequently: true});
            do {
                await new Promise(requestAnimationFrame);
                row.drawImage(map, -p.x * scale, -(p.y + p.h / 2) * scale);
                const {data} = row.getImageData(0, 0, p.w * scale, 1);
                let steps = 0;
                for (let i = 4; i < data.length; i += 4) steps += [0, 1, 2].some((k) => data[i + k] !== data[i + k - 4]) ? 1 : 0;
                if (steps !== seen.at(-1)) seen.push(steps);
            } while (seen.length < 3 && !impactsweep.isSolved);
            return seen;""")
        assert len(sharpness) >= 3

    def test_presets_are_configs(self):
        self.open(self.page)
        self.run_script("await impactsweep.ready; [...document.querySelectorAll('#menu button')]"
                        ".find((one) => one.textContent === 'baruh laws').click();")
        self.wait()
        view = self.view
        assert [view[name] for name in ("theory", "x", "y")] == ["rigid", "angle", "velocity_ratio"]
        assert view["inputs"]["friction"] == 0.7
        fragment = self.run_script("return location.hash;")
        self.open(self.page, fragment)
        assert self.view == view

    def test_a_preset_forgets_the_cell_of_the_picture_before(self):
        """The cell that was picked, its commands and its body belong to the theory that was chosen then."""
        self.open(self.page, '#inputs={"body":"sphere"}&x=velocity_ratio&y=friction')
        self.wait()
        self.click(0.5, 0.5)
        self.wait_for("document.querySelector('.picks') && document.querySelector('#cell pre')")
        assert "body=sphere" in self.text("#cell")
        for chosen in ("[...document.querySelectorAll('#menu button')].find((one) => one.textContent === 'rod3d modes').click();",
                       "impactsweep.view = {theory: 'viscoelastic'};"):
            self.run_script(chosen)
            self.wait()
            assert "sphere" not in self.text("#cell")
            assert self.run_script("return document.querySelector('.picks');") is None
            assert "sphere" not in self.text("#histories")
            body = self.view["inputs"].get("body", "rod")
            assert body in self.text("#sketch .hint")
            self.click(0.5, 0.5)
            self.wait_for("document.querySelector('.picks') && document.querySelector('#cell pre')")

    def test_the_frame_says_that_it_computes_until_the_first_picture(self):
        self.browser.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": WRITTEN})
        self.open(self.page)
        self.wait()
        assert "computing …" in self.run_script("return written;")
        last = self.run_script("written.length = 0; impactsweep.view = {boundaries: false}; while (!written.length)"
                               " await new Promise((next) => setTimeout(next, 10)); return written;")
        assert "computing …" not in last

    def test_bodies_bring_their_parameters(self):
        self.open(self.page, PENDULUM)
        self.wait()
        self.show(inputs={"body": "capsule"})
        self.wait()
        assert self.run_script("return Boolean(document.getElementById('slider-slenderness'));")
        self.show(inputs={"body": "sphere"})
        self.wait()
        assert [self.view[name] for name in ("x", "y")] == ["velocity_ratio", "friction"]
        assert self.text("#failed") == ""

    def test_slow_motion_follows_the_history(self):
        self.open(self.page, PENDULUM)
        self.wait()
        self.mouse("pointerdown", 0.5, 0.5, button=0)
        self.mouse("pointerup", 0.5, 0.5, button=0)
        self.run_script("while (!document.querySelector('.chart')?.ariaLabel"
                        " || document.querySelector('#sketch input').closest('[hidden]'))"
                        " await new Promise((next) => setTimeout(next, 10));")
        drawn = []
        for part in (0, 0.5, 1):
            self.move_to(part)
            drawn.append((self.run_script("return document.querySelector('.sketch').toDataURL();"), self.text("#sketch .hint")))
        assert len(set(drawn)) == 3
        assert "normal force" in drawn[1][1]

    def test_on_a_telephone_nothing_is_wider_than_the_window(self):
        self.open(self.page, PENDULUM)
        self.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride",
                                     {"width": 390, "height": 844, "deviceScaleFactor": 2, "mobile": True})
        try:
            self.wait()
            assert self.run_script("return document.documentElement.scrollWidth;") <= 390
            assert self.run_script("return impactsweep.plane.w;") > 250
        finally:
            self.browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
