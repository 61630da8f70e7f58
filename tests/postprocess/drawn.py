"""Figures as a reader sees them, for the tests of plot.py: coarse maps of committed configs, the texts that are drawn and where, and
whether a figure can be read: labels with units, no text that overlaps another or is cut, legends without repetition."""
import contextlib
import functools
import itertools
import math
import os
import re
import subprocess

from folder import SharedFolderTest
import matplotlib.text
import numpy as np
from support import BEAM as BEAM
from impactsweep.errors import InputError
from impactsweep.figures import choose, command, looks, settings
from impactsweep.maps import contents
from impactsweep.maps.dataset import read
from matplotlib.backends.backend_agg import FigureCanvasAgg, RendererAgg
from matplotlib.colors import to_rgb, to_rgba
from matplotlib.mathtext import MathTextParser

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PROGRAM = os.path.abspath(os.environ["IMPACTSWEEP"])
GROUPED = 1024  # points of a sample in groups
# Enough points that a long axis still counts as long, few enough that slow theories take seconds.
POINTS, BEAM_POINTS, SAMPLES = 16, 10, 16
SMEARED = 24  # of 255: by so much the edge of a thin line differs from its colour
# Less than in a picture, which saves time; the proportions are the same. Texts are laid out as they are drawn, once.
TEST_DPI = 100
SLOW_SAMPLES = 3  # of searches in space

# The same formulas stand in figure after figure; matplotlib by itself remembers the last fifty of them.
MathTextParser._parse_cached = functools.lru_cache(None)(MathTextParser._parse_cached.__wrapped__)


def remembered(measure):
    """Likewise the size of a text, which is measured whenever its figure is laid out or drawn."""
    known = {}

    def size(renderer, text, font, ismath):
        key = text, hash(font), ismath, renderer.dpi
        if key not in known:
            known[key] = measure(renderer, text, font, ismath)
        return known[key]
    return size


RendererAgg.get_text_width_height_descent = remembered(RendererAgg.get_text_width_height_descent)


@functools.lru_cache(8)
def dataset_of(path, *_state):
    with read(path) as data:
        return data.load()


def read_once(path, what="map or history"):
    """A copy of a file's dataset. Several functions open a map for each of its figures, and its attributes take long to read:
    a file is read once, and anew where it has changed."""
    if os.path.isfile(path):
        found = os.stat(path)
        with contextlib.suppress(InputError):
            return dataset_of(path, found.st_ino, found.st_mtime_ns, found.st_size).copy()
    return read(path, what)


contents.read = read_once


def name_of(path):
    return os.path.splitext(os.path.basename(path))[0]


def coarse(config):
    """The text of a config with few points and samples."""
    with open(config, encoding="utf-8") as file:
        text = file.read()
    # Names that few groups of a sample have are left out of its indices.
    points = BEAM_POINTS if "model: beam" in text else GROUPED if "saltelli" in text else POINTS
    samples = SLOW_SAMPLES if "model: swerve" in text else SAMPLES
    on = re.search(r", on: \[[^]]*\]", text)
    text = re.sub(r"refine: {(?:[^{}]|{[^{}]*})*}",
                  f"refine: {{base: 4, boundary: 0.05, budget: 3000{on[0] if on else ''}}}", text)
    text = re.sub(r"\bpoints: (\d+)", lambda m: f"points: {min(int(m[1]), points)}", text)
    text = re.sub(r"\{table: ([\w.-]+)\}", lambda m: f"{{table: {os.path.join(os.path.dirname(config), m[1])}}}", text)
    return re.sub(r"\bsamples: (\d+)", lambda m: f"samples: {min(int(m[1]), samples)}", text)


class Drawn:
    """A figure as a reader sees it: every text that is really drawn, and where."""

    def __init__(self, figure):
        self.figure, self.texts = figure, []
        original = matplotlib.text.Text.draw

        def note(text, renderer, *rest, **options):
            original(text, renderer, *rest, **options)
            if text.get_visible() and text.get_text().strip():
                self.texts.append((text.get_text(), text.get_window_extent(renderer)))

        figure.set_dpi(TEST_DPI)
        canvas = FigureCanvasAgg(figure)
        matplotlib.text.Text.draw = note
        try:
            canvas.draw()
        finally:
            matplotlib.text.Text.draw = original
        # A legend draws the labels of its handles once more, elsewhere: each place counts once.
        self.texts = [pair for number, pair in enumerate(self.texts)
                      if not any(same_place(pair, other) for other in self.texts[:number])]
        self.image = np.asarray(canvas.buffer_rgba())[:, :, :3]

    def overlaps(self):
        return [(one[0], other[0]) for one, other in itertools.combinations(self.texts, 2)
                if depth(one[1], other[1]) > 0.5]

    def lone_ticks(self):
        """Axes of numbers on which no distance can be read: of fewer than two ticks with a number."""
        return [ruler.axis_name for ax in self.figure.axes if ax.axison
                for ruler in (ax.xaxis, ax.yaxis)
                if sum(bool(text) for text in written_ticks(ruler)) == 1]

    def raw_numbers(self):
        """Numbers as programs write them."""
        return [text for text, _ in self.texts if "$" not in text and re.search(r"\d[eE][-+]?\d|(?<![\w.])-\d|\d{9}", text)]

    def cut(self):
        height, width = self.image.shape[:2]
        return [text for text, box in self.texts
                if box.x0 < -0.5 or box.y0 < -0.5 or box.x1 > width + 0.5 or box.y1 > height + 0.5]

    def check(self):
        """The figure can be read; all its texts."""
        for found in (self.overlaps(), self.cut(), self.lone_ticks(), self.raw_numbers()):
            assert found == []
        return self.labels()

    def labels(self):
        """All texts of the figure in one line."""
        return " | ".join(text.replace("\n", " ") for text, _ in self.texts)


def written_ticks(ruler):
    low, high = sorted(ruler.get_view_interval())
    room = 1e-9 * (high - low)
    return [tick.label1.get_text() for tick in ruler.get_major_ticks() if tick.label1.get_visible()
            and low - room <= tick.get_loc() <= high + room]


def same_place(one, other):
    return one[0] == other[0] and np.allclose(one[1].extents, other[1].extents)


def depth(one, other):
    """Pixels by which two boxes overlap, in the direction of the smaller overlap."""
    return min(min(one.x1, other.x1) - max(one.x0, other.x0),
               min(one.y1, other.y1) - max(one.y0, other.y0))


def legends_of(figure):
    found = [ax.get_legend() for ax in figure.axes if ax.get_legend()]
    for part in (figure, *getattr(figure, "subfigs", [])):
        found += part.legends
    return found


def drawn_figure(kind, *words):
    """The figure that plot.py draws by these words, and all its texts; it can be read."""
    options = command.parser_of("plot.py", kind).parse_args(words)
    with settings.used(settings.settings_of(options)), matplotlib.rc_context(looks.style()):
        figure = command.make(kind, options, [])
        return figure, Drawn(figure).check()


class Figures(SharedFolderTest):
    def compute(self, config, text=None):
        """A coarse map of a config; its path."""
        name = name_of(config)
        with open(self.path(f"{name}.yaml"), "w", encoding="utf-8") as file:
            file.write(text or coarse(config))
        subprocess.run([PROGRAM, "run", f"{name}.yaml", "-o", f"{name}.h5", "--progress", "none",
                        "--force"], cwd=self.folder, check=True, capture_output=True)
        return self.path(f"{name}.h5")

    def figure(self, path, *words):
        """The figure that plot.py draws of a file, and the kind that it chooses."""
        choice = choose.choose(path, words)
        kind = choose.KINDS[choice.kind]
        options = command.parser_of("plot.py", kind).parse_args([path, *choice.words, *words, "--dpi", str(TEST_DPI)])
        with settings.used(settings.settings_of(options)), matplotlib.rc_context(looks.style()):
            return command.make(kind, options, []), choice

    OF_THE_SOURCE = ()  # texts in a unit that a config asks for, as its source has it

    def check_readable(self, figure):
        drawn = Drawn(figure)
        assert drawn.texts
        drawn.check()
        for text in (text for text, _ in drawn.texts if text not in self.OF_THE_SOURCE):
            words = re.sub(r"\$[^$]*\$", "", text)  # without formulas
            assert not re.search(r"_|\brad\b(?!/s)", words), "no names of files, no radians"
        return drawn

    def check_legends(self, figure):
        """No entry is there twice, and the colour of every entry occurs in the picture beside the legends.

        The figure has been drawn."""
        colours = colours_of(without_legends(figure))
        for legend in legends_of(figure):
            texts = [text.get_text() for text in legend.get_texts()]
            assert len(texts) == len(set(texts))
            self.check_entries(legend)
            for handle in legend.legendHandles:
                colour = handle.get_facecolor() if hasattr(handle, "get_facecolor") else \
                    handle.get_color()
                if to_rgba(colour)[3] == 1:  # a translucent band shows its pure colour nowhere
                    off = np.abs(colours - np.round(255 * np.array(to_rgb(colour)))).max(axis=1).min()
                    assert off <= SMEARED, handle.get_label()

    def check_entries(self, legend):
        """No two lines or shades look alike, in a grey print neither."""
        lines = [handle for handle in legend.legendHandles if hasattr(handle, "get_linestyle")
                 and not hasattr(handle, "get_hatch")]
        looks_of = [(str(line._unscaled_dash_pattern), line.get_linewidth(), line.get_marker(),
                     round(12 * grey(line.get_color()))) for line in lines]
        assert len(looks_of) == len(set(looks_of)), looks_of
        shades = sorted(grey(handle.get_facecolor()) for handle in legend.legendHandles
                        if hasattr(handle, "get_hatch") and not handle.get_hatch())
        assert min(np.diff(shades), default=1) > 0.01


def without_legends(figure):
    """The picture as it was drawn, its legends painted over: every colour of theirs would be found in them."""
    image = np.array(figure.canvas.buffer_rgba())[:, :, :3]
    for legend in legends_of(figure):
        left, bottom, right, top = legend.get_window_extent().extents
        image[max(len(image) - math.ceil(top) - 1, 0):len(image) - math.floor(bottom) + 1,
              max(math.floor(left) - 1, 0):math.ceil(right) + 1] = 255
    return image


def colours_of(image):
    """The different colours of a picture, one in a row."""
    packed = np.unique(image.astype(np.int32) @ [1 << 16, 1 << 8, 1])
    return np.stack([packed >> 16, packed >> 8 & 255, packed & 255], axis=1)


def grey(colour):
    """How light a colour is on white paper."""
    red, green, blue, opacity = to_rgba(colour)
    return 1 - opacity * (1 - (0.299 * red + 0.587 * green + 0.114 * blue))
