"""Draws a history of the theory bounce as a strobe picture.

The body at evenly spaced times, from light to dark, on its way to rest; the path of its mass centre; and where points
strike the plane, the larger the harder.
"""
from __future__ import annotations

import argparse
import math
from collections.abc import Iterable, Sequence

import matplotlib
import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from ...errors import InputError
from ...maps import histories
from ...maps.histories import History
from ...values import Reals
from .. import labels, layout, looks, settings
from ..labels import spaced
from .trace import title_of

Point = tuple[float, float]
USES: set[str] = set()
HEIGHTS = {"one": 2.4, "two": 4.2}  # inches, of the frame
FLASHES, MOST_FLASHES = 32, 500
CORNERS = 8
ROUND = 48  # sides of the polygon that stands for a circle
HARDEST = 110  # area of the mark of the hardest impact, in points^2


# ------------------------------------------------------------------------------------- bodies

def places_of(history: History) -> tuple[dict[int, Point], float]:
    """The centres of the discs of a body about its mass centre, by number, and their radius."""
    def size(name: str, default: float = 1.0) -> float:
        return history.number(name, default)

    body = history.inputs.get("body", "")
    if body == "sphere":
        return {1: (0.0, 0.0)}, size("radius")
    if body == "rod":
        return {1: (size("length") / 2, 0.0), 2: (-size("length") / 2, 0.0)}, 0.0
    if body == "block":
        x, y = size("width") / 2, size("height") / 2
        return {1: (-x, -y), 2: (x, -y), 3: (x, y), 4: (-x, y)}, 0.0
    if body == "capsule":
        half = size("slenderness") * size("radius") / 2
        return {1: (half, 0.0), 2: (-half, 0.0)}, size("radius")
    corners = {}
    for k in range(1, CORNERS + 1):
        r, beta = size(f"corner_distance_{k}", 0.0), size(f"corner_angle_{k}", 0.0)
        if r > 0:
            corners[k] = (r * math.cos(beta), r * math.sin(beta))
    return corners, 0.0


def hull(points: Iterable[Point]) -> list[Point]:
    """The convex hull of points, counter-clockwise."""
    points = sorted(set(points))
    if len(points) < 3:
        return points
    halves = []
    for order in (points, points[::-1]):
        half: list[Point] = []
        for p in order:
            while len(half) > 1 and ((half[-1][0] - half[-2][0]) * (p[1] - half[-2][1])
                                     - (half[-1][1] - half[-2][1]) * (p[0] - half[-2][0])) <= 0:
                half.pop()
            half.append(p)
        halves += half[:-1]
    return halves


def outline_of(places: dict[int, Point], radius: float) -> Reals:
    """A closed polygon about the mass centre; of a disc with a radius, so that its turns show."""
    points = list(places.values())
    if radius:
        around = np.linspace(0, 2 * np.pi, ROUND, endpoint=False)
        points = [(x + radius * c, y + radius * s) for x, y in points for c, s in zip(np.cos(around), np.sin(around))]
    corners = hull(points)
    closed = np.array([*corners, corners[0]])
    return np.vstack([closed, [[0, 0]]]) if len(places) == 1 else closed


def turned(points: Sequence[Point] | Reals, angle: float) -> tuple[Reals, Reals]:
    c, s = math.cos(angle), math.sin(angle)
    x, y = np.asarray(points, float).T
    return c * x - s * y, s * x + c * y


# ------------------------------------------------------------------------------------ drawing

def flashes_of(history: History, number: int) -> list[int]:
    """The samples, of those without event, that are nearest to evenly spaced times."""
    time = history.columns["time"]
    samples = [k for k, event in enumerate(history.events) if not event] or list(range(len(time)))
    wanted = np.linspace(time[samples[0]], time[samples[-1]], number)
    nearest = np.searchsorted(time[samples], wanted).clip(0, len(samples) - 1)
    return [samples[k] for k in dict.fromkeys(nearest)]


def scale_of(history: History) -> tuple[float, str]:
    """The prefix of lengths: (factor, unit)."""
    reach = max(np.ptp(history.columns["body_x"]), np.ptp(history.columns["body_y"]))
    return next(((factor, unit) for factor, unit in ((1, "m"), (1e3, "mm")) if reach * factor >= 0.5), (1e6, "um"))


@looks.styled
def draw(history: History, number: int) -> Figure:
    figure = layout.new_figure()
    ax = figure.subplots()
    factor, unit = scale_of(history)
    columns, (places, radius) = history.columns, places_of(history)
    x, height, angle = (np.asarray(columns[name], float) for name in ("body_x", "body_y", "body_angle"))
    outline, shown = outline_of(places, radius), flashes_of(history, number)
    colours = matplotlib.colormaps["Blues"](np.linspace(0.25, 1, len(shown)))
    for colour, k in zip(colours, shown):
        across, up = turned(outline, angle[k])
        ax.plot(factor * (x[k] + across), factor * (height[k] + up), color=colour, linewidth=0.9, zorder=3)
    across, up = turned(outline, angle[-1])
    ax.plot(factor * (x[-1] + across), factor * (height[-1] + up), color=looks.BLACK, linewidth=1.5, zorder=4)
    ax.plot(factor * x, factor * height, color="#909090", linewidth=0.8, linestyle=":", zorder=2)
    mark_impacts(ax, history, places, factor)
    ax.axhline(0, color=looks.BLACK, linewidth=1.0, zorder=1)
    ax.set_aspect("equal", adjustable="datalim")
    ax.set_xlabel(f"{spaced('x')} ({unit})")
    ax.set_ylabel(f"height ({unit})")
    figure.suptitle(title_of([history]))
    sheet = layout.Sheet(figure, np.array([[ax]]), HEIGHTS[settings.now().size])
    sheet.legends.append(layout.legend_under(ax, entries(history, shown)))
    return layout.fit(sheet)


def mark_impacts(ax: Axes, history: History, places: dict[int, Point], factor: float) -> None:
    """A dot where a point strikes; its area is that of the normal impulse."""
    columns = history.columns
    rows = [k for k, event in enumerate(history.events) if event == "impact"]
    most = max((columns["normal_impulse"][k] for k in rows), default=0)
    for k in rows:
        across, _ = turned([places[int(columns["point"][k])]], columns["body_angle"][k])
        ax.scatter(factor * (columns["body_x"][k] + across), [0], s=HARDEST * columns["normal_impulse"][k] / most,
                   facecolor=looks.RED + "99", edgecolor=looks.RED, linewidth=0.6, zorder=5, clip_on=False)


def entries(history: History, shown: Sequence[int]) -> list[Artist]:
    time = history.columns["time"]
    step = (time[-1] - time[0]) / max(len(shown) - 1, 1)
    blue = matplotlib.colormaps["Blues"]
    every = labels.number_text(float(f"{step:.3g}"), "s")
    return [Line2D([], [], color=blue(0.6), linewidth=0.9, label=f"body, every {every}"),
            Line2D([], [], color=looks.BLACK, linewidth=1.5, label="at the end"),
            Line2D([], [], color="#909090", linewidth=0.8, linestyle=":", label="mass centre"),
            Line2D([], [], color=looks.RED, marker="o", linestyle="none", markersize=6,
                   markerfacecolor=looks.RED + "99", label="impact, area by impulse")]


# --------------------------------------------------------------------------------- the command

def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="history of a cell of bounce: csv, h5 or nc")
    parser.add_argument("--flashes", metavar="N", type=int, default=FLASHES,
                        help=f"how often the body is drawn (default {FLASHES})")


def default_output(options: argparse.Namespace) -> str:
    return settings.beside(options.file, "-strobe.png")


def make(options: argparse.Namespace, notes: list[str]) -> Figure:
    del notes  # same call as the other kinds
    if not 2 <= options.flashes <= MOST_FLASHES:
        raise InputError(f"--flashes is {options.flashes}, allowed are 2 to {MOST_FLASHES}")
    several = histories.read(options.file)
    if len(several) != 1 or several[0].theory != "bounce":
        raise InputError(f"{options.file}: a strobe picture shows the history of one cell of bounce")
    return draw(several[0], options.flashes)
