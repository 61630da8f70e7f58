"""A slider that moves: the next frame shows a coarse picture of the new parameters, though no worker has answered, and the
whole map that follows is the one that a page shows which begins with them."""
import json

from browser import WRITTEN, PageTest, need_module
from screens import DESKTOP, PHONE, screen

# What workers have to say waits while it is held, and tells nothing of the speed of this machine; pictures that are saved are
# counted.
HOLD = """
const late = [];
globalThis.hold = false;
globalThis.release = () => { hold = false; late.splice(0).forEach((take) => take()); };
globalThis.saved = [];
const url = URL.createObjectURL;
URL.createObjectURL = (blob) => {
    if (blob.type === "image/svg+xml") saved.push(blob);
    return url.call(URL, blob);
};
globalThis.Worker = class extends Worker {
    set onmessage(take) {
        super.onmessage = (event) => {
            if (event.data.milliseconds) event.data.milliseconds = 0.2;
            if (hold) late.push(() => take(event));
            else take(event);
        };
    }
};
""" + WRITTEN
# What the page shows: pixels of the plane of both pictures, its size, the texts on and around it. The room below for the legend
# is not compared: it keeps the size that the most names wanted, and coarse squares may have shown more of them.
SEEN = """
const cropped = (canvas) => {
    const p = impactsweep.plane, scale = canvas.width / canvas.getBoundingClientRect().width;
    const copy = Object.assign(document.createElement("canvas"), {width: p.w * scale, height: p.h * scale}).getContext("2d", {willReadFrequently: true});
    copy.drawImage(canvas, -p.x * scale, -p.y * scale);
    return copy;
};
const planeOf = (canvas) => {
    const copy = cropped(canvas), {width, height} = copy.canvas;
    return new Uint32Array(copy.getImageData(0, 0, width, height).data.buffer);
};
const canvases = () => [...document.querySelectorAll("#map, #map2")].filter((one) => one.checkVisibility());
const seen = () => ({planes: canvases().map(planeOf), plane: JSON.stringify(impactsweep.plane), legend: impactsweep.legend.map(({text}) => text),
    labels: canvases().map((one) => one.ariaLabel), words: document.getElementById("map-words").textContent,
    scale: [...document.querySelectorAll("#scale-low, #scale-high")].map((one) => one.value), pictures: canvases().map((one) => cropped(one).canvas.toDataURL())});
const frame = () => new Promise(requestAnimationFrame);
// Until all is solved and nothing has moved for some frames: a legend may change the size of a picture, which is solved anew.
const rest = async () => {
    for (let frames = 0, last = ""; frames < 6;) {
        await frame();
        const sizes = canvases().map((one) => [one.width, one.height, one.ariaLabel]);
        const now = impactsweep.isSolved && JSON.stringify([impactsweep.plane, sizes]);
        frames = now && now === last ? frames + 1 : 0;
        last = now;
    }
};
// Longer than a picture rests until it is put into words, so that no words are on their way.
const told = () => new Promise((next) => setTimeout(next, 600));
const move = (name, value) => {
    const slider = document.getElementById(name);
    slider.value = value;
    slider.dispatchEvent(new Event("input"));
};"""
# Holds the workers, moves a slider, and compares the picture of the next frame with those before and after.
MOVE = SEEN + """
await rest();
await told();
const [name, value, tolerance] = given, before = seen();
hold = true;
written.length = 0;
move(name, value);
await frame();
const texts = [...written], preview = seen();
await told();
preview.words = document.getElementById("map-words").textContent;
release();
await rest();
const whole = seen(), share = (good, among) => {
    const picked = whole.planes.flatMap((plane, k) => [...plane.keys()].filter((i) => among(k, i)).map((i) => good(k, i)));
    return [picked.filter(Boolean).length / Math.max(1, picked.length), picked.length];
};
const channels = (pixel) => [0, 8, 16].map((shift) => pixel >> shift & 255);
const same = (one, other) => (k, i) => {
    const [a, b] = [one, other].map(({planes}) => planes[k][i]), others = channels(b);
    return a === b || channels(a).every((channel, c) => Math.abs(channel - others[c]) <= tolerance);
};
return {changed: share(same(preview, whole), (k, i) => !same(before, whole)(k, i)), rest: share(same(preview, whole), same(before, whole)), texts,
    texts_of: Object.fromEntries(Object.entries({before, preview, whole}).map(([when, {planes, pictures, ...more}]) => [when, more])), pictures: whole.pictures};"""
MODES = "#story=wedge"
REALS = "#theory=rigid&field=energy_loss&x=angle&y=friction"
BESIDE = '#theory=rigid&field=energy_loss&x=angle&y=friction&beside={"inputs":{"law":"poisson"}}'
DIFFERENCE = "#story=tour-6"


MAP = """
model: compliant
choose: {body: pendulum, law: linear}
axes:
  - {param: stiffness_ratio, values: [0.5, 1, 2]}
  - {param: angle, from: 1 deg, to: 45 deg, points: 40}
  - {param: friction, from: 0.01, to: 1.5, points: 30}
outputs: [mode, energy_loss]
"""


class HeldPage(PageTest):
    @classmethod
    def setup_class(cls):
        super().setup_class()
        cls.browser.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": HOLD})

    def show_page(self, address):
        self.open(self.page, address)
        self.run_script("await impactsweep.ready;")
        self.wait_for("impactsweep.isSolved")

    def move(self, address, name, value, tolerance):
        self.show_page(address)
        return self.run_script(MOVE, name, value, tolerance)

    def pictures_of_a_fresh_page(self):
        """Of the same address, opened anew."""
        fragment = self.run_script("""
            await new Promise((next) => setTimeout(next, 200)); // until the slider rests
            return location.hash;""")
        self.show_page(fragment)
        return self.run_script(SEEN + "await rest(); return seen().pictures;")

    def check(self, address, name, value, tolerance=0, different=300):
        """Tolerance: of colours, because values that are seen make a scale."""
        found = self.move(address, name, value, tolerance)
        assert found["changed"][1] >= different, "the move changes the picture"
        assert not different or found["changed"][0] > 0.6, "the next frame shows the new parameters"
        assert found["rest"][0] > 0.9
        assert "computing …" not in found["texts"]
        assert len({texts["plane"] for texts in found["texts_of"].values()}) == 1, "the picture stays where it is"
        assert self.pictures_of_a_fresh_page() == found["pictures"], "the same bits as without a preview"
        return found["texts_of"]


class PreviewOfTheories(HeldPage):
    explores = True

    def test_modes(self):
        for size in (DESKTOP, PHONE):
            with screen(self.browser, size):
                texts = self.check(MODES, "slider-stiffness_ratio", 600)
                assert set(texts["before"]["legend"]) <= set(texts["preview"]["legend"]), "the legend keeps what it had"
                assert "wedge" in texts["whole"]["labels"][0] and "wedge" not in texts["preview"]["labels"][0]
                assert "wedge" in texts["before"]["words"], "a map that rests is in words"
                assert texts["preview"]["words"] == texts["before"]["words"], "a preview is not"

    def test_values(self):
        texts = self.check(REALS, "slider-restitution", 350, 16)
        assert texts["preview"]["scale"] == texts["before"]["scale"] != texts["whole"]["scale"]

    def test_two_laws_beside_each_other(self):
        self.check(BESIDE, "slider-restitution", 350, 16)

    def test_their_difference(self):
        texts = self.check(DIFFERENCE, "slider-stiffness_ratio", 560)
        assert texts["before"]["labels"][0] != texts["preview"]["labels"][0]

    def test_a_key_moves_the_picture_as_well(self):
        self.show_page(MODES)
        first, second = self.run_script(SEEN + """
            const one = document.getElementById("map").toDataURL();
            hold = true;
            document.getElementById("slider-stiffness_ratio").dispatchEvent(new KeyboardEvent("keydown", {key: "ArrowRight"}));
            await frame();
            const other = document.getElementById("map").toDataURL();
            release();
            return [one, other];""")
        assert first != second

    def test_files_are_of_the_whole_map(self):
        self.show_page(MODES)
        held, text, saved, svg = self.run_script(SEEN + """
            const button = [...document.querySelectorAll("#controls button")].find((one) => one.textContent === "SVG");
            hold = true;
            move("slider-stiffness_ratio", 620);
            await frame();
            button.click();
            await new Promise((next) => setTimeout(next, 100));
            const held = saved.length, text = button.textContent;
            release();
            while (!saved.length) await new Promise((next) => setTimeout(next, 10));
            return [held, text, await saved[0].text(), impactsweep.svg()];""")
        assert (held, text) == (0, "Solving …")
        assert saved == svg

    def test_the_address_follows_a_slider_that_rests(self):
        self.show_page(MODES)
        inputs = self.run_script(SEEN + """
            const write = history.replaceState;
            let written = 0;
            history.replaceState = (...words) => { written++; write.apply(history, words); };
            hold = true;
            for (let i = 0; i < 5; i++) move("slider-stiffness_ratio", 600 + i);
            while (!written) await new Promise((next) => setTimeout(next, 10));
            const address = new URLSearchParams(location.hash.slice(1)).get("inputs");
            release();
            return written === 1 ? address : "null";""")
        assert json.loads(inputs) == self.view["inputs"]


class PreviewOfMaps(HeldPage):
    @classmethod
    def setup_class(cls):
        super().setup_class()
        need_module()
        _, cls.page = cls.map_of("map", MAP)

    def test_an_axis_and_other_physics(self):
        self.check("", "at-stiffness_ratio", 2)
        self.check("#field=mode", "slider-mass", 700, different=0)
        self.check("#field=mode", "slider-restitution", 300)
