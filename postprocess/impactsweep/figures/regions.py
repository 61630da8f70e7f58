"""Regions of a map of classes: the lines between them, and places for their names."""
from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.colors import to_rgb
from matplotlib.lines import Line2D
from matplotlib.patheffects import withStroke

from ..maps.planes import SCALES, Axis, Found, Picture
from ..values import Array, Mask
from . import settings
from .looks import Colour, Dash, Kind, Style
from .wrapping import size_of, wrapped

Segment = tuple[tuple[float, float], tuple[float, float]]  # both ends
WIDTH = 0.6    # points
RASTER = 160   # points, each way, of the coarse grid in which room for a name is searched
MARGIN = 1.2   # of the size of a name
SHARE = 0.833  # of the letters of the figure: matplotlib's "small"


def boundaries(picture: Picture, index: Array) -> Sequence[Array | Segment]:
    """Lines of places between cells of different classes, in the units of the axes; of a refined map its curves."""
    if picture.found and picture.found.ended:
        return picture.found.lines
    x, y = picture.axes[0].edges, picture.axes[1].edges
    rows, columns = np.nonzero(index[:, 1:] != index[:, :-1])
    upright = [((x[c + 1], y[r]), (x[c + 1], y[r + 1])) for r, c in zip(rows, columns)]
    rows, columns = np.nonzero(index[1:, :] != index[:-1, :])
    level = [((x[c], y[r + 1]), (x[c + 1], y[r + 1])) for r, c in zip(rows, columns)]
    return upright + level


def draw_boundaries(ax: Axes, picture: Picture, index: Array, colour: Colour = "#000000", style: Dash = "-",
                    width: float = WIDTH) -> None:
    ax.add_collection(LineCollection(boundaries(picture, index), colors=colour, linewidths=width,
                                     linestyles=style, capstyle="projecting", joinstyle="round", zorder=4),
                      autolim=False)


def draw_found(ax: Axes, found: Found, size: float = 1.0) -> list[Line2D]:
    """Junctions, strips narrower than the smallest cells, and points where they are asked for; returns entries of a
    legend."""
    entries = []
    if len(found.filaments):
        line: Style = {"linestyle": ":", "linewidth": WIDTH * 1.5, "color": "#000000"}
        ax.add_collection(LineCollection(found.filaments, zorder=4, colors=line["color"], linestyles=line["linestyle"],
                                         linewidths=line["linewidth"]), autolim=False)
        entries.append(Line2D([], [], label="strips narrower than the smallest cells", **line))
    marks: list[tuple[Array, Style, str]] = [
        (found.points, {"color": "#555555", "mew": 0, "zorder": 3.5, "marker": "."}, "points that were solved"),
        (found.junctions, {"color": "black", "mec": "white", "mew": 0.5, "zorder": 5, "marker": "o"},
         "junctions: three regions or more meet")]
    for places, look, text in marks if settings.now().solved_points else marks[1:]:
        if len(places):
            small = (1.6 if look["marker"] == "." else 3.4) * size
            ax.plot(*places.T, linestyle="", markersize=small, rasterized=len(places) > 1000,
                    clip_on=look["marker"] == ".", **look)
            entries.append(Line2D([], [], linestyle="", markersize=4, label=text, **look))
    return entries


def number_regions(ax: Axes, found: Found, inches: tuple[float, float]) -> None:
    """Writes the numbers of connected regions at their points well inside, where that is asked for: those of large
    regions first, and of small ones as far as they do not touch. inches: size of the frame."""
    taken: list[tuple[Array, Array]] = []
    for number, place in zip(*found.regions) if settings.now().region_numbers else ():
        at = ax.transAxes.inverted().transform(ax.transData.transform(place))
        half = np.array([MARGIN * part / whole / 2 for part, whole in zip(size_of(str(number), SHARE), inches)])
        free = all((np.abs(at - other) > half + wide).any() for other, wide in taken)
        if free and (at > half).all() and (at < 1 - half).all():
            taken.append((at, half))
            ax.text(place[0], place[1], str(number), color="black", ha="center", va="center", zorder=6, fontsize="small",
                    path_effects=[withStroke(linewidth=1.8, foreground="white")])


def label_regions(ax: Axes, picture: Picture, index: Array, kinds: Sequence[Kind], inches: tuple[float, float]) -> None:
    """Writes the name of a class where a region has room for it. inches: size of the frame."""
    seen = on_raster(ax, picture.axes, index)
    for number, kind in enumerate(kinds):
        words = " ".join(kind.label.replace("undefined: ", "").split("\n"))
        for text in dict.fromkeys((words, wrapped(words, size_of(words, SHARE)[0] * 0.6))):
            size = [MARGIN * part / whole for part, whole in zip(size_of(text, SHARE), inches)]
            place = room_for(seen == number, size)
            if place:
                dark = np.dot(to_rgb(kind.colour), (0.299, 0.587, 0.114)) < 0.55
                ax.text(*place, text, color="white" if dark else "black", ha="center", va="center",
                        transform=ax.transAxes, zorder=6, fontsize="small", linespacing=1.0,
                        path_effects=[withStroke(linewidth=1.2, foreground=kind.colour)])
                break


def on_raster(ax: Axes, axes: Sequence[Axis], index: Array) -> Array:
    """The classes as they are seen: RASTER points each way over the frame; -1 where nothing is drawn."""
    places = [cells_at(axis, limits) for axis, limits in zip(axes, (ax.get_xlim(), ax.get_ylim()))]
    seen = index[np.ix_(places[1], places[0])]
    return np.where(np.outer(places[1] >= 0, places[0] >= 0), seen, -1)


def cells_at(axis: Axis, limits: tuple[float, float]) -> Array:
    """The cells at even steps along an axis as it is drawn, -1 beyond its ends."""
    scale, back = SCALES[axis.log]
    low, high = scale(np.array(limits, float))
    at = back(low + (high - low) * (np.arange(RASTER) + 0.5) / RASTER)
    cells = np.searchsorted(axis.edges, at) - 1
    return np.where(cells < len(axis.edges) - 1, cells, -1)


def room_for(mask: Mask, size: Sequence[float]) -> tuple[float, float] | None:
    """The middle of a box within the mask, as far from its edge as possible, in shares of the frame; None without
    room. size: width and height of the box in such shares."""
    wide, high = (int(np.ceil(part * RASTER)) for part in size)
    if max(wide, high) > RASTER:
        return None
    total = np.pad(mask.astype(int).cumsum(0).cumsum(1), ((1, 0), (1, 0)))
    count = total[high:, wide:] - total[:-high, wide:] - total[high:, :-wide] + total[:-high, :-wide]
    full = count == high * wide
    if not full.any():
        return None
    row, column = deepest(full)
    return (column + wide / 2) / RASTER, (row + high / 2) / RASTER


def deepest(mask: Mask) -> Array:
    """The place of a mask that is farthest from its edge; of several the middle one."""
    left = mask
    for _ in range(max(mask.shape)):
        inner = np.pad(left, 1)
        inner = (inner[1:-1, 1:-1] & inner[:-2, 1:-1] & inner[2:, 1:-1] & inner[1:-1, :-2]
                 & inner[1:-1, 2:])
        if not inner.any():
            break
        left = inner
    places = np.argwhere(left)
    return np.asarray(places[np.argmin(np.abs(places - places.mean(0)).sum(1))])
