"""What notebooks show: a map as a picture whose pixels are its cells, a history with its phases, a theory with a call that works.
All without a script, and legible on light and dark ground."""
import base64
import html.parser
import io
import re

import numpy as np
import pytest
import xarray as xr
from matplotlib.colors import to_rgb
from matplotlib.image import imread

import package
import impactsweep
from impactsweep.display import notebook
from impactsweep.display.colours import MODE_COLOURS
from impactsweep.library.theories import example
from support import Case

VOID = {"image", "rect", "path", "polyline", "br", "input", "circle", "line", "use", "meta"}
ANGLES, FRICTIONS = np.radians(np.linspace(2, 88, 44)), np.linspace(.05, 1.5, 30)


class Reader(html.parser.HTMLParser):
    """Tags in order, what stands in them, and whether each is closed."""
    __test__ = False

    def __init__(self, page):
        super().__init__()
        self.open, self.tags, self.words, self.wrong = [], [], [], []
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        if tag not in VOID and (not self.open or self.open.pop() != tag):
            self.wrong.append(tag)

    def handle_data(self, data):
        self.words.append(data)


def shown(thing):
    """The page of a thing, checked: closed tags, no script, nothing from elsewhere, the colour of text left to the notebook."""
    page = thing._repr_html_()
    own = page.split("<details>")[0]
    reader = Reader(own)
    assert reader.wrong == []
    assert not re.search(r"<script|on\w+=|https?://|url\(|[^-]color:", own)
    return " ".join(reader.words), [attrs for tag, attrs in reader.tags if tag == "image"]


def pixels(image):
    return imread(io.BytesIO(base64.b64decode(image["href"].partition("base64,")[2])))[..., :3]


def pendulum(**inputs):
    return impactsweep.solve("compliant", body="pendulum", **{"stiffness_ratio": 1.21, "friction": FRICTIONS,
                                                              "angle": ANGLES[:, None], **inputs})


class Maps:
    def test_each_pixel_is_the_mode_of_its_cell(self):
        cells = pendulum()
        words, (image,) = shown(cells)
        expected = np.array([[to_rgb(MODE_COLOURS[mode]) for mode in row] for row in cells.mode.values.T[::-1]])
        np.testing.assert_allclose(pixels(image), expected, atol=1 / 500)
        share = float((cells.mode == "wedge").mean())
        assert f"wedge {share:.1%}" in words and "angle (deg)" in words and "friction" in words
        assert re.search(r"angle\s+2°\s+88°\s+44", words) and "two springs" not in words

    def test_an_output_is_drawn_where_there_is_no_mode(self):
        words, images = shown(pendulum(outputs=["kinematic_restitution"]))
        grey = (pixels(images[0]) == np.array(to_rgb("#9C9C9C"), np.float32)).all(axis=-1)
        undefined = np.isnan(pendulum(outputs=["kinematic_restitution"]).kinematic_restitution.values).T[::-1]
        assert (grey == undefined).all() and grey.any() and "kinematic restitution:" in words

    def test_parts_and_other_axes(self):
        """One axis is a strip, a choice has names, an axis that is not drawn says where it is held; a cell has no picture."""
        assert pixels(shown(pendulum().sel(friction=.5, method="nearest"))[1][0]).shape == (1, 44, 3)
        words, _ = shown(pendulum(angle=ANGLES[:, None, None], friction=FRICTIONS[:, None],
                                  law=["linear", "hertz"]))
        assert "law linear (the middle" in words or "law Hertz (the middle" in words
        assert "Poisson" in shown(impactsweep.solve("rigid", body="rod", angle=ANGLES[:, None], friction=.3, restitution=.5,
                                                    velocity_ratio=1, law=["newton", "poisson"]))[0]
        one = pendulum(angle=.5, friction=.3)
        assert "the dataset" not in one._repr_html_() and "xarray.Dataset" in one._repr_html_()

    def test_a_changed_dataset_is_shown_by_xarray(self):
        cells = pendulum().drop_vars(["outcome", "outcome_code"])
        assert "the dataset" not in cells._repr_html_() and repr(cells).startswith("<xarray.Dataset>")

    def test_nothing_of_a_file_is_taken_for_html(self):
        cells = pendulum()
        cells.attrs["title"] = "<script>alert(1)</script>"
        assert "alert(1)" in shown(cells)[0]


class Files(Case):
    def test_maps_and_histories_of_the_program(self):
        self.write("map.yaml", "model: compliant\nchoose: {body: pendulum}\noutputs: [mode]\naxes:\n"
                   "  - {param: friction, from: .05, to: 1.5, points: 9, spacing: log}\n"
                   "  - {param: angle, from: 5 deg, to: 85 deg, points: 12}\nfixed: {stiffness_ratio: 1.21}\n")
        self.good("run", "map.yaml", "-o", "map.h5")
        with impactsweep.open(self.path("map.h5")) as cells:
            words, (image,) = shown(cells)
            assert pixels(image).shape == (12, 9, 3) and "0.1" in words and "angle (deg)" in words
        inputs = ("compliant", "body=pendulum", "angle=30deg", "friction=0.3", "stiffness_ratio=1.21")
        self.good("trace", *inputs, "-o", "one.h5")
        with impactsweep.open(self.path("one.h5")) as history:
            of_file = shown(history)[0]
        of_table = shown(impactsweep.trace("compliant", body="pendulum", angle="30 deg", friction=.3, stiffness_ratio=1.21))[0]
        assert re.sub(r"\s+", " ", of_file).split("outcome")[1] == re.sub(r"\s+", " ", of_table).split("outcome")[1]


class Pages(Case):
    CONFIG = {"model": "rigid", "choose": {"body": "rod"}, "fixed": {"restitution": .5, "velocity_ratio": 1, "friction": .3},
              "axes": [{"param": "angle", "from": "10 deg", "to": "80 deg", "points": 8}]}

    def test_a_page_of_a_map(self):
        """The function writes what the command writes; a notebook has it in a frame, from which nothing breaks out."""
        with impactsweep.run(self.CONFIG, self.path("map.h5")) as found:
            page = impactsweep.report(found, self.path("map.html"))
            self.good("report", "map.h5", "-o", "command.html")
            with open(self.path("command.html"), encoding="utf-8") as file:
                assert page.html == file.read()
            assert page.path == self.path("map.html") and impactsweep.report(self.path("map.h5")).html == page.html
            (frame,) = Reader(page._repr_html_()).tags
            assert frame[0] == "iframe" and frame[1]["srcdoc"] == page.html
            with pytest.raises(impactsweep.InputError, match="part of .*map.h5', along angle"):
                impactsweep.report(found.isel(angle=slice(4)))
        with pytest.raises(impactsweep.InputError, match="in memory only"):
            impactsweep.report(impactsweep.run(self.CONFIG))
        with pytest.raises(impactsweep.InputError, match="short, full|short or full|short"):
            impactsweep.report(self.path("map.h5"), provenance="some")

    def test_the_page_for_teaching(self):
        try:
            page = impactsweep.explore("rigid", self.path("page.html"))
        except impactsweep.InputError as reason:  # a program without the module of the solver says so
            assert "without the module of the solver" in str(reason)
            return
        self.good("explore", "rigid", "-o", "command.html")
        with open(self.path("command.html"), encoding="utf-8") as file:
            assert page.html == file.read()
        with pytest.raises(impactsweep.InputError, match="rigit"):
            impactsweep.explore("rigit")


class Histories:
    def test_what_is_told(self):
        history = impactsweep.trace("compliant", body="pendulum", angle="30 deg", friction=.3, stiffness_ratio=1.21)
        words, _ = shown(history)
        assert "restitution 0.7437" in words and "normal impulse 5.519" in words
        ends = history[history.event != ""].set_index("event").normal_impulse
        for name, impulse in (("slip-", ends["slip_ends"]), ("stick", ends["slip_begins"] - ends["slip_ends"]),
                              ("slip+", ends["separation"] - ends["slip_begins"])):
            assert re.search(rf"{re.escape(name)}\s+\S+\s+\S+\s+{impulse:.4g}\b", words), name
        assert type(history[["time"]])._repr_html_ is not type(history)._repr_html_

    @pytest.mark.parametrize("theory", [name for name in impactsweep.theories()])
    def test_every_theory(self, theory):
        """A call that its help shows works, and its history is shown."""
        call = example(impactsweep.describe(theory))
        assert call in repr(impactsweep.describe(theory)) and eval(call).outcome.item() == "solved"
        if not impactsweep.describe(theory).columns:
            with pytest.raises(impactsweep.InputError, match="has no history"):
                eval(call.replace(".solve(", ".trace("))
            return
        words, _ = shown(eval(call.replace(".solve(", ".trace(")))
        assert "outcome solved" in words and "begins with" in words

    def test_lines_are_seen_on_light_and_dark_ground(self):
        def luminance(colour):
            linear = [part / 12.92 if part <= .04045 else ((part + .055) / 1.055) ** 2.4 for part in to_rgb(colour)]
            return np.dot([.2126, .7152, .0722], linear) + .05
        for colour, _ in notebook.LINES:
            for ground in ("#FFFFFF", "#111111"):
                one, other = sorted((luminance(colour), luminance(ground)))
                assert other / one >= 3, (colour, ground)


class Ticks:
    def test_short_numbers(self):
        assert notebook.round_values(.1, 89.9, False) == [20, 40, 60, 80]
        assert notebook.round_values(.01, 2, True) == [.01, .1, 1]
        assert notebook.round_values(.3, 2, True) == [.5, 1, 2]
        assert [text for _, text in notebook.ticks_of(np.linspace(2, -1, 4))] == ["−1", "−0.5", "0", "0.5", "1", "1.5", "2"]
        assert notebook.ticks_of(np.linspace(2, -1, 4))[0][0] == pytest.approx(7 / 8)
        assert notebook.round_values(3, 3, False) == [3]


class Interactive:
    def test_ipython_takes_them(self):
        formatters = pytest.importorskip("IPython.core.formatters")
        for thing in (pendulum(), impactsweep.describe("rigid")):
            page = formatters.HTMLFormatter()(thing)  # xarray numbers its parts at random
            assert page.split("<details>")[0] == thing._repr_html_().split("<details>")[0]
