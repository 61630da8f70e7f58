"""The page as an instrument: one screen, sheets on a telephone, questions, the tour, words, comparisons, print."""
import base64
import json
import math
import re
import xml.etree.ElementTree as ET

import support
from browser import PageTest, check_size, program
from screens import DESKTOP, LARGE, PHONE, PHONE_TURNED, TABLET, screen

# Elements that are wholly within the window.
WITHIN = """
return given[0].filter((name) => {
    const box = document.querySelector(name)?.getBoundingClientRect();
    return !box || box.width < 1 || box.height < 1 || box.left < 0 || box.top < 0 ||
        box.right > innerWidth + 0.5 || box.bottom > innerHeight + 0.5;
});"""
# Controls in sight that a finger misses; words within sentences are as large as their text.
SMALL = """
const seen = [...document.querySelectorAll("button, select, input, summary")]
    .filter((one) => one.checkVisibility() && !one.closest("p, dialog:not([open])"));
return seen.flatMap((one) => {
    const {width, height} = (one.type === "checkbox" || one.type === "radio" ? one.closest("label") : one).getBoundingClientRect();
    return height < 43.5 || width < 24 ? [`${one.outerHTML.slice(0, 80)} ${width} x ${height}`] : [];
});"""
# A function of scripts: how many colours a picture has.
COLOURS = """
const colours = (one) => new Set(new Uint32Array(
    one.getContext("2d").getImageData(0, 0, one.width, one.height).data.buffer)).size;"""
MAIN_LOOP = ["#map", "#inputs .sliders input[type=range]", ".sketch", "#facts table", ".chart"]


def solved(theory, cell):
    """The outputs of a cell as the program prints them."""
    return json.loads(program("cell", theory, *(f"{name}={value}" for name, value in cell.items()), "--json"))


def pendulum(angle, friction):
    """The outputs of the pendulum of the first picture, at an angle in degrees."""
    return solved("compliant", {"body": "pendulum", "stiffness_ratio": 1.21, "friction": friction, "angle": f"{angle}deg"})


class Design(PageTest):
    explores = True

    def show_page(self, address=""):
        self.open(self.page, address)
        self.run_script("await impactsweep.ready;")
        self.wait_for("impactsweep.isSolved && document.querySelector('.chart')?.ariaLabel && document.querySelector('#facts table')")

    def press(self, name):
        self.run_script("document.getElementById(given[0]).click();", name)
        self.settle()

    def facts(self):
        return self.run_script("""
            const texts = [...document.querySelectorAll("#facts tbody tr")]
                .map((row) => [...row.cells].map((one) => one.textContent));
            return Object.fromEntries(texts.map(([name, ...values]) => [name, values]));""")

    def test_size(self):
        check_size(self.page)

    def test_the_main_loop_is_on_one_screen(self):
        for size in (DESKTOP, LARGE):
            with screen(self.browser, size):
                self.show_page()
                assert self.run_script(WITHIN, MAIN_LOOP) == []
                charts = self.run_script("""
                    return [...document.querySelectorAll(".chart")]
                        .filter((one) => one.getBoundingClientRect().bottom <= innerHeight)
                        .map((one) => one.ariaLabel.split(" over")[0]);""")
                assert charts[:2] == ["Forces", "Velocities"]
                assert self.run_script("return document.documentElement.scrollHeight <= innerHeight;")
                assert self.run_script("return impactsweep.plane.h;") > 200

    def test_folds_leave_the_map_its_size(self):
        with screen(self.browser, DESKTOP):
            self.show_page()
            for fold in ("#controls details", "#help", "#readings-fold"):
                before = self.run_script("return impactsweep.plane.h;")
                self.run_script("document.querySelector(given[0]).open = true;", fold)
                self.settle()
                assert self.run_script("return impactsweep.plane.h;") > before - 40, fold
                overlapped = self.run_script("""
                    return [...document.querySelectorAll("#controls .control")]
                        .filter((one) => one.scrollWidth > one.clientWidth + 1).map((one) => one.textContent);""")
                assert overlapped == [], fold
                self.run_script("document.querySelector(given[0]).open = false;", fold)
                self.settle()

    def test_the_first_picture_is_a_wedging_pendulum(self):
        self.show_page()
        assert self.text("#story") == "When does a pendulum wedge?"
        assert self.facts()["mode"] == ["wedge"]
        assert "pendulum, angle 8°" in self.text("#sketch .hint")
        assert self.run_script("return location.hash;") in ("", "#story=wedge")
        assert pendulum(13.6, 0.5)["mode"] == "wedge" and "13.7°" in self.text("#summary")

    def test_addresses_of_older_pages(self):
        """They leave out what was usual then, which is what a theory shows at first."""
        self.show_page('#field=energy_loss&x=angle&y=friction&inputs={"body":"rod"}&picks=[{"body":"rod","law":"linear",'
                       '"angle":0.4,"friction":0.5,"stiffness_ratio":1.21,"velocity_ratio":1}]')
        view = self.view
        wanted = {"theory": "compliant", "field": "energy_loss", "x": "angle", "y": "friction", "window": [0, 1, 0, 1],
                  "ranges": {}, "story": ""}
        assert {name: view[name] for name in wanted} == wanted
        assert view["inputs"] == {"body": "rod"}

    def test_drops_begin_over_the_tilt(self):
        """Level, both ends of a rod strike at once, which is ambiguous over every other axis."""
        self.show_page('#theory=bounce&inputs={"body":"rod"}&picks=[{"body":"rod","tilt":0.2,"friction":1}]')
        assert (self.view["x"], self.view["y"]) == ("tilt", "friction")
        assert self.facts()["mode"] != ["ambiguous"]

    def test_a_telephone(self):
        for size in (PHONE, PHONE_TURNED):
            with screen(self.browser, size):
                self.show_page()
                assert self.run_script("return document.documentElement.scrollWidth;") <= size[0]
                assert self.run_script(WITHIN, ["#map", "#inputs .chosen input[type=range]", "#inputs .chooser select", "#bar"]) == []
                assert self.run_script("""
                    const box = (name) => document.querySelector(name).getBoundingClientRect();
                    return box("#inputs .chosen").bottom <= box("#bar").top + 0.5;""")
                assert self.run_script(SMALL) == []
                for panel in ("inputs", "motion", "readings", "picture", "tools"):
                    button = f"document.querySelector('#bar [data-panel={panel}]')"
                    assert not self.run_script(f"return document.getElementById('{panel}').checkVisibility();") or panel == "inputs"
                    self.run_script(f"{button}.click();")
                    assert self.run_script(f"return document.getElementById('{panel}').checkVisibility() && "
                                           f"{button}.ariaPressed === 'true';")
                    assert self.run_script(SMALL) == []
                    self.run_script("dispatchEvent(new KeyboardEvent('keydown', {key: 'Escape'}));")
                    assert self.run_script(f"return {button}.ariaPressed;") == "false"

    def test_any_slider_stands_below_the_map_of_a_telephone(self):
        with screen(self.browser, PHONE):
            self.show_page()
            for name in ("mass", "restitution"):
                self.run_script("""
                    const menu = document.querySelector("#inputs .chooser select");
                    menu.value = given[0];
                    menu.dispatchEvent(new Event("change"));""", name)
                assert self.run_script(WITHIN, [f"#slider-{name}"]) == []

    def go(self, story):
        self.run_script("""
            location.hash = given[0];
            await new Promise((next) => addEventListener("hashchange", next, {once: true}));""", f"#story={story}")
        return self.view

    def test_the_tour(self):
        with screen(self.browser, PHONE):  # few pixels
            self.check_the_tour()

    def check_the_tour(self):
        self.show_page()
        self.press("open-tour")
        for step in range(1, 7):
            view = self.view
            assert self.text("#story h2").startswith(f"{step} of 6: ")
            assert self.run_script("return location.hash;") == f"#story=tour-{step}"
            assert self.go("gain")["theory"] == "rigid"
            assert self.go(f"tour-{step}") == view
            if step < 6:
                self.press("tour-next")
        self.press("tour-end")
        assert self.run_script("return document.querySelector('.step');") is None
        assert self.view["story"] == "wedge", "a tour that began at the first picture ends there"

    def test_the_tour_ends_where_it_began(self):
        with screen(self.browser, PHONE):
            self.open(self.page, "#theory=rigid&x=angle&y=friction&field=energy_loss&inputs={\"law\":\"poisson\"}")
            before = self.view
            self.press("open-tour")
            assert self.view["story"] == "tour-1"
            self.press("tour-end")
            assert self.view == before

    def test_the_tour_tells_the_truth(self):
        self.open(self.page)
        for step, modes in enumerate((["stick_slip"], ["gross_slip"], ["slip_stick_slip_reversed"], ["wedge"],
                                      ["wedge", "slip_stick_slip_reversed"], ["wedge"]), 1):
            picks = self.go(f"tour-{step}")["picks"]
            assert [solved("compliant", pick)["mode"] for pick in picks] == modes
        assert solved("compliant", {**picks[0], "law": "hertz"})["mode"] != "wedge"

    def test_every_question_has_a_picture_and_a_true_cell(self):
        with screen(self.browser, TABLET):  # shows all questions
            self.check_the_menu()

    def check_the_menu(self):
        self.show_page()
        self.press("open-menu")
        cards = self.run_script("return [...document.querySelectorAll('.cards')].map((list) => list.children.length);")
        assert cards[0] == 6 and cards[1] > 20
        self.wait_for("[...document.querySelectorAll('.cards:first-of-type .thumb')].every((one) => one.dataset.state === 'done')")
        colours = self.run_script(COLOURS + """
            return [...document.querySelectorAll(".cards")[0].querySelectorAll(".thumb")].map(colours);""")
        assert min(colours) > 1
        graphs = self.run_script(COLOURS + """
            const graphs = [...document.querySelectorAll(".thumb")].filter((one) => one.view.y === null), seen = [];
            for (const one of graphs) {
                one.scrollIntoView();
                while (one.dataset.state !== "done") await new Promise((next) => setTimeout(next, 10));
                seen.push(colours(one));
            }
            return seen;""")
        assert len(graphs) > 5 and min(graphs) > 1, "figures over one axis have curves"
        self.run_script("document.getElementById('menu').close();")
        for name, holds in (("higher", lambda cell: cell["kinematic_restitution"] > 1),
                            ("ball", lambda cell: cell["velocity_ratio_out"] < 0),
                            ("space", lambda cell: abs(cell["swerve"]) > math.pi / 2),
                            ("end", lambda cell: cell["first_point"] == 2 and cell["largest_point"] == 1),
                            ("gain", lambda cell: cell["energy_loss"] < 0)):
            view = self.go(name)
            assert holds(solved(view["theory"], view["picks"][0])), name

    def test_words_explain_themselves(self):
        self.show_page()
        self.run_script("document.querySelector('#summary .word').click();")
        assert self.text("#explain h2") == "wedge" and "rests" in self.text("#explain p")
        self.run_script("document.dispatchEvent(new KeyboardEvent('keydown', {key: 'Escape'}));")
        assert not self.run_script("return document.getElementById('explain').open;")
        assert self.run_script("return document.activeElement.textContent;") == "wedges"
        parameter = json.loads(self.text("#about-data"))["theories"][0]["parameters"]
        meaning = next(one["meaning"] for one in parameter if one["name"] == "stiffness_ratio")
        self.run_script("document.getElementById('slider-stiffness_ratio').parentElement.querySelector('.word').click();")
        assert self.text("#explain p") == meaning
        x, y = self.run_script("""
            const entries = impactsweep.legend, box = document.getElementById("map").getBoundingClientRect();
            return [box.left + entries[0].x + 5, box.top + entries[0].y + 11];""")
        for kind in ("pointerdown", "pointerup"):
            self.run_script("""
                const [kind, clientX, clientY] = given, how = {clientX, clientY, button: 0, pointerId: 1, bubbles: true};
                document.getElementById("map").dispatchEvent(new PointerEvent(kind, how));""", kind, x, y)
        assert self.text("#explain h2") == "gross stick"
        self.press("open-words")
        modes = {one["name"].replace("_", " "): one["meaning"] for one in json.loads(self.text("#about-data"))["theories"][0]["modes"]}
        words = dict(self.run_script("""
            return [...document.querySelectorAll("#words dt")].map((one) => [one.textContent, one.nextSibling.textContent]);"""))
        assert "slip stick slip reversed" in modes and modes.items() <= words.items()
        assert "Modes of compliant" in self.text("#words")

    def test_the_cell_under_the_pointer_moves(self):
        with screen(self.browser, DESKTOP):
            self.check_the_pointer()

    def check_the_pointer(self):
        self.show_page()
        forces = self.run_script("return document.querySelector('.chart').toDataURL();")
        self.mouse("pointermove", 0.7, 0.4)
        self.wait_for("document.querySelector('#histories h2').textContent === 'Under the pointer'")
        assert self.run_script("return document.querySelector('.chart').toDataURL();") != forces
        assert "pendulum, angle 31" in self.text("#sketch .hint")
        self.mouse("pointerleave", 1.2, 0.4)
        self.wait_for("document.querySelector('#histories h2').textContent === 'History'")
        assert "pendulum, angle 8°" in self.text("#sketch .hint")

    def test_a_picked_cell_follows_the_sliders(self):
        titles = "return [...document.querySelectorAll('.chart')].map((one) => one.ariaLabel.split(' over')[0]);"
        self.show_page()
        before = self.run_script(titles)
        self.run_script("""
            const slider = document.getElementById("slider-stiffness_ratio");
            slider.value = 560;
            slider.dispatchEvent(new Event("input"));""")
        self.wait_for("/now +angle 8°, friction 0.6/.test(document.querySelector('#histories').textContent)")
        assert self.run_script(titles) == before, "both are in the same charts"

    def test_no_motion_for_those_who_want_none(self):
        for moving, button in ((True, "Pause"), (False, "Slow motion")):
            with screen(self.browser, DESKTOP, moving=moving):
                self.show_page()
                assert self.run_script("return document.querySelector('#sketch button').textContent;") == button
                assert self.run_script("""
                    const slider = document.querySelector("#sketch input"), before = slider.value;
                    await new Promise((next) => setTimeout(next, 300));
                    return slider.value !== before;""") == moving

    def test_two_laws_side_by_side(self):
        with screen(self.browser, DESKTOP):
            self.show_page('#story=wedge&beside={"inputs":{"law":"hertz"}}')
            self.mouse("pointermove", 0.27, 0.4)
            self.wait_for("document.querySelectorAll('#facts thead th').length === 2 && "
                          "document.querySelector('#cell .from').textContent === 'solved in this page'")
            command = self.text("#cell pre").split()[1:]
            hertz = [{"law=linear": "law=hertz", "restitution=1": "damping=0"}.get(word, word) for word in command]
            cells = [json.loads(program(*words, "--json")) for words in (command, hertz)]
            assert self.facts()["mode"] == [cell["mode"].replace("_", " ") for cell in cells]
            assert cells[0]["mode"] != cells[1]["mode"]
            sizes = self.run_script("""
                return ["map", "map2"].map((name) => document.getElementById(name))
                    .map((one) => [one.width / devicePixelRatio, one.height / devicePixelRatio]);""")
            assert sizes[0][0] == sizes[1][0]
            assert self.saved_png() == [2 * (sizes[0][0] + sizes[1][0]), 2 * max(sizes[0][1], sizes[1][1]) + 56]
            whole = ET.fromstring(self.run_script("return impactsweep.svg();"))
            assert [one.text for one in whole.findall("{*}text")] == ["linear", "Hertz"] and len(whole.findall("{*}svg")) == 2
            assert len(whole.findall("{*}svg//{*}image")) == 2
            self.run_script("document.getElementById('difference-true').click();")
            self.wait_for("impactsweep.isSolved && document.getElementById('map2').ariaLabel.includes('wedge | slip stick slip reversed')")
            assert "mode: linear | Hertz: the same" in self.run_script("return document.getElementById('map2').ariaLabel;")
            assert self.saved_png()[0] == 2 * self.run_script("return document.getElementById('map2').width / devicePixelRatio;")
            fragment, view = self.run_script("return location.hash;"), self.view
            self.open(self.page, fragment)
            assert self.view == view

    def test_names_for_which_a_legend_has_no_room(self):
        """A button for a key and a finger shows them all, with their colours; files have room for them."""
        rigid = '#theory=rigid&x=velocity_ratio&y=friction&inputs={"law":"newton"}&difference=true&beside={"theory":"compliant","inputs":{"law":"linear"}}'
        for size, address in ((DESKTOP, "#story=tour-6"), (PHONE, rigid)):
            with screen(self.browser, size):
                self.open(self.page, address)
                self.run_script("await impactsweep.ready;")
                self.wait_for("impactsweep.isSolved && document.querySelector('.more:not([hidden])')")
                names = self.run_script("return document.getElementById('map2').ariaLabel;").rstrip(".").split(": ")[-1].split(", ")
                button = self.browser.find_element("css selector", ".more:not([hidden])")
                drawn = len(names) - int(button.text.split()[1])
                assert 0 < drawn < len(names)
                assert self.run_script(SMALL if size == PHONE else "return [];") == []
                button.send_keys("\ue007") if size == DESKTOP else button.click()
                assert self.run_script("""
                    return [...document.querySelectorAll("#explain li")].map((one) => one.textContent);""") == [
                        f"{number} {name}" for number, name in enumerate(names, 1)]
                colours = self.run_script("""
                    return [...document.querySelectorAll("#explain .swatch")].map((one) => one.style.background);""")
                assert len(set(colours)) == len(names)
                self.run_script("document.dispatchEvent(new KeyboardEvent('keydown', {key: 'Escape'}));")
                assert not self.run_script("return document.getElementById('explain').open;")
                assert self.run_script("return document.activeElement.className;") == "plain more"
                svg = self.run_script("return impactsweep.svg();")
                lowest = max(float(y) for y in re.findall(r"translate\([\d.]+ ([\d.]+)\)[^>]*>\d+  ", svg))
                assert all(f"{number}  {name}<" in svg for number, name in enumerate(names, 1))
                assert lowest < float(re.search(r'height="([\d.]+)"', svg)[1])
                printed = self.run_script("""
                    const {prototype} = CanvasRenderingContext2D, {fillText} = prototype, texts = [];
                    prototype.fillText = function (text, ...more) { texts.push(text); return fillText.call(this, text, ...more); };
                    dispatchEvent(new Event("beforeprint"));
                    prototype.fillText = fillText;
                    dispatchEvent(new Event("afterprint"));
                    return texts;""")
                assert all(f"{number}  {name}" in printed for number, name in enumerate(names, 1))

    def test_two_theories_have_one_name_for_what_is_the_same(self):
        """What rigid calls slide is gross slip to the springs: alone it keeps its name."""
        def labels(address, number, word):
            rod = '{"body":"rod","law":"energetic"}'
            self.open(self.page, f"#theory=rigid&inputs={rod}&x=angle&y=friction&field=mode{address}")
            self.run_script("await impactsweep.ready;")
            self.wait_for(f"impactsweep.isSolved && document.getElementById('map{number}').ariaLabel.includes('{word}')")
            return [self.run_script(f"return document.getElementById('map{one}').ariaLabel;") for one in ("", 2)]

        beside = '&beside={"theory":"compliant","inputs":{"law":"linear"}}'
        with screen(self.browser, DESKTOP):
            assert "gross slip" not in labels("", "", "slide")[0]
            for label in labels(beside, 2, "gross slip"):
                assert "gross slip" in label and "slide" not in label
            assert "slide" not in labels(beside + "&difference=true", 2, "the same")[1]

    def saved_png(self):
        """Width and height of the picture that the button saves."""
        return self.run_script("""
            const made = URL.createObjectURL, saved = new Promise((done) => {
                URL.createObjectURL = (blob) => { done(blob); return made.call(URL, blob); };
            });
            [...document.querySelectorAll("#controls button")].find((one) => one.textContent === "PNG").click();
            const picture = await createImageBitmap(await saved);
            URL.createObjectURL = made;
            return [picture.width, picture.height];""")

    def test_the_boxes_of_the_scale_have_what_is_drawn(self):
        self.show_page()
        boxes = "['low', 'high'].map((name) => Number(document.getElementById(`scale-${name}`)?.value))"
        for wanted in ({"field": "energy_loss"}, {"field": "kinematic_restitution"}, {"inputs": {"stiffness_ratio": 4}},
                       {"scale": {"low": 0.25, "high": 0.5}}):
            self.show(**wanted)
            self.wait_for("impactsweep.isSolved")
            bar = self.run_script(r"""
                return document.getElementById("map").ariaLabel.match(/from (\S+) to ([^ ]+?)\. /).slice(1)
                    .map((one) => Number(one.replace("−", "-")));""")
            found = self.run_script(f"return {boxes};")
            assert all(math.isclose(one, other, rel_tol=2e-3, abs_tol=1e-5) for one, other in zip(found, bar)), (wanted, found, bar)

    def test_comparisons_are_those_that_have_the_axes(self):
        """Every choice of the menu is drawn and says nothing wrong."""
        with screen(self.browser, PHONE):
            self.show_page("#story=wedge")
            names = self.run_script("return [...document.querySelectorAll('#compare option')].map((one) => one.textContent);")
            assert {"nothing", "Hertz", "rigid, energetic", "continuum"} <= set(names)
            assert not any("swerve" in name or "bounce" in name for name in names)
            for number, name in enumerate(names[1:], 1):
                if number % 3 != 1 or name == "continuum":  # a third of those that are not slow
                    continue
                self.run_script("""
                    const menu = document.querySelector("#compare select");
                    menu.value = given[0];
                    menu.dispatchEvent(new Event("change"));""", str(number))
                self.show(field=("mode", "energy_loss")[number % 2], difference=number % 4 > 1)
                self.wait_for("!document.getElementById('map2').ariaLabel.includes('computing')")
                assert self.text("#failed") == ""

    def test_a_field_that_the_other_theory_lacks_ends_the_comparison(self):
        """Until another field is shown that it has."""
        self.show_page("#story=wedge")
        self.run_script("""
            const menu = document.querySelector("#compare select");
            menu.value = String([...menu.querySelectorAll("option")].findIndex((one) => one.textContent === "rigid, energetic"));
            menu.dispatchEvent(new Event("change"));""")
        for field, compares in (("mode", True), ("peak_normal_force", False), ("kinematic_restitution", True)):
            self.show(field=field)
            assert self.run_script("return !document.getElementById('stage2').hidden;") == compares, field
            self.wait_for("!document.getElementById('map').ariaLabel.includes('computing')")
            assert self.text("#failed") == "", field

    def test_the_map_in_words(self):
        self.show_page()
        self.wait_for("document.getElementById('map-words').textContent")
        words = self.text("#map-words")
        found = re.search(r"At friction ([0-9.]+), along angle: wedge below ([0-9.]+)°, slip stick slip reversed", words)
        friction, angle = float(found[1]), float(found[2])
        assert [pendulum(angle + step, friction)["mode"] for step in (-0.3, 0.3)] == ["wedge", "slip_stick_slip_reversed"]
        low, high = map(float, re.search(r"wedge [0-9.]+ % \(angle ([0-9.]+)° to ([0-9.]+)°, friction", words).groups())
        assert low < 2 and abs(high - 13.7) < 0.2, "the widest wedge, as the story says"
        self.show(field="energy_loss")
        self.wait_for("document.getElementById('map-words').textContent.startsWith('energy loss')")
        value, angle, friction = re.search(r" to ([0-9.]+) at angle ([0-9.]+)°, friction ([0-9.]+)\.", self.text("#map-words")).groups()
        assert math.isclose(pendulum(angle, friction)["energy_loss"], float(value), abs_tol=0.02)
        assert self.run_script("return document.getElementById('map').getAttribute('aria-describedby');") == "map-words"

    def test_a_reader_chooses_the_dark(self):
        self.show_page()
        background = self.run_script("return getComputedStyle(document.body).backgroundColor;")
        self.press("dark")
        assert self.run_script("return getComputedStyle(document.body).backgroundColor;") != background
        self.open(self.page)
        assert self.run_script("return document.documentElement.dataset.theme;") == "dark"
        self.press("dark")

    def test_a_tablet_shows_map_and_sliders_at_once(self):
        with screen(self.browser, TABLET):
            self.show_page()
            assert self.run_script(WITHIN, MAIN_LOOP[:2]) == []
            assert self.run_script("return document.documentElement.scrollWidth;") <= TABLET[0]


class DesignOfReports(PageTest):
    sweep = "pendulum", support.pendulum(60, 50, "outputs: [mode, energy_loss]\n", "linear")

    def test_the_first_screen_says_what_was_swept_and_found(self):
        with screen(self.browser, DESKTOP):
            self.open(self.page)
            self.run_script("await impactsweep.ready;")
            assert self.run_script(WITHIN, ["#story", "#map", "#inputs"]) == []
            info = json.loads(program("info", self.map, "--json"))
            share = info["modes"]["wedge"] / info["cells"]
            assert "angle (1° to 89°), friction (0.01 to 1.5)" in self.text("#story")
            assert f"wedge {100 * share:.2f} %" in self.text("#story")
            assert self.run_script("return [...document.querySelectorAll('#about details')].filter((one) => one.open).length;") == 0

    def test_printed_it_is_a_report_of_two_pages(self):
        with screen(self.browser, DESKTOP, dark=True):
            self.open(self.page)
            self.run_script("await impactsweep.ready;")
            self.wait_for("document.querySelector('#sketch .hint')")
            paper = {"printBackground": True, "paperWidth": 8.27, "paperHeight": 11.69}
            pdf = base64.b64decode(self.browser.execute_cdp_cmd("Page.printToPDF", paper)["data"])
            assert len(re.findall(rb"/Type\s*/Page\b", pdf)) == 2
