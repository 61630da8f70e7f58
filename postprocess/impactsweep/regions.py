"""Regions of a map of classes: the lines between them, and places for their names."""
import numpy as np
from matplotlib.collections import LineCollection
from matplotlib.lines import Line2D
from matplotlib.patheffects import withStroke

from . import looks, settings

WIDTH = 0.6        # points
MOST_ACROSS = 160  # cells, each way, of the coarse grid in which room for a name is searched
MARGIN = 1.25      # of the size of a name


def boundaries(picture, index):
    """Lines of places between cells of different classes, in the units of the axes; of a refined map its curves."""
    if picture.found and picture.found.ended:
        return picture.found.lines
    x, y = picture.axes[0].edges, picture.axes[1].edges
    rows, columns = np.nonzero(index[:, 1:] != index[:, :-1])
    upright = [((x[c + 1], y[r]), (x[c + 1], y[r + 1])) for r, c in zip(rows, columns)]
    rows, columns = np.nonzero(index[1:, :] != index[:-1, :])
    level = [((x[c], y[r + 1]), (x[c + 1], y[r + 1])) for r, c in zip(rows, columns)]
    return upright + level


def draw_boundaries(ax, picture, index, colour="#000000", style="-", width=WIDTH):
    ax.add_collection(LineCollection(boundaries(picture, index), colors=colour, linewidths=width,
                                     linestyles=style, capstyle="projecting", joinstyle="round", zorder=4),
                      autolim=False)


def draw_found(ax, picture, size=1.0):
    """Junctions, and points where they are asked for; returns entries of a legend."""
    found, entries = picture.found, []
    for places, wanted, look, text in (
            (found.points, settings.now().solved_points, {"color": "#555555", "mew": 0, "zorder": 3.5,
             "marker": "."}, "points that were solved"),
            (found.junctions, True, {"color": "black", "mec": "white", "mew": 0.5, "zorder": 5, "marker": "o"},
             "junctions: three regions or more meet")):
        if wanted and len(places):
            small = (1.6 if look["marker"] == "." else 3.4) * size
            ax.plot(*places.T, linestyle="", markersize=small, rasterized=len(places) > 1000,
                    clip_on=look["marker"] == ".", **look)
            entries.append(Line2D([], [], linestyle="", markersize=4, label=text, **look))
    return entries


def label_regions(ax, picture, index, kinds, inches, letter):
    """Writes the name of a class where a region has room for it. inches: size of the frame; letter: width and
    height of a letter in inches."""
    for number, kind in enumerate(kinds):
        lines = kind.label.replace("undefined: ", "").split("\n")
        for text in dict.fromkeys((" ".join(lines), broken(lines))):
            size = [(max(map(len, text.split("\n"))) * letter[0]) * MARGIN,
                    len(text.split("\n")) * letter[1] * MARGIN * 1.2]
            place = room_for(ax, picture.axes, index == number, size, inches)
            if place:
                dark = np.dot(looks.to_rgb(kind.colour), (0.299, 0.587, 0.114)) < 0.55
                ax.text(*place, text, color="white" if dark else "black", ha="center", va="center",
                        zorder=6, fontsize="small", linespacing=1.0,
                        path_effects=[withStroke(linewidth=1.2, foreground=kind.colour)])
                break


def broken(lines):
    """Words in two lines of about the same length."""
    words = " ".join(lines).split(" ")
    cuts = [(" ".join(words[:k]), " ".join(words[k:])) for k in range(1, len(words))]
    return "\n".join(min(cuts, key=lambda pair: max(map(len, pair)))) if cuts else words[0]


def room_for(ax, axes, mask, size, inches):
    """The middle of a box of this size within the mask, as far from its edge as possible; None without room."""
    step = [max(1, -(-n // MOST_ACROSS)) for n in mask.shape]
    thin = mask[::step[0], ::step[1]]
    at = [place_on(axis, axis.values)[::pace] for axis, pace in zip(axes, step[::-1])]
    wide, high = (max(1, int(np.ceil(part * len(one) / whole))) for part, one, whole in
                  zip(size, at, inches))
    if thin.shape[0] < high or thin.shape[1] < wide:
        return None
    total = np.pad(thin.astype(int).cumsum(0).cumsum(1), ((1, 0), (1, 0)))
    count = total[high:, wide:] - total[:-high, wide:] - total[high:, :-wide] + total[:-high, :-wide]
    full = count == high * wide
    if not full.any():
        return None
    row, column = deepest(full)
    return (float(np.interp(column + (wide - 1) / 2, np.arange(len(at[0])), axes[0].values[::step[1]])),
            float(np.interp(row + (high - 1) / 2, np.arange(len(at[1])), axes[1].values[::step[0]])))


def place_on(axis, values):
    return np.log(values) if axis.log else values


def deepest(mask):
    """The cell of a mask that is farthest from its edge."""
    left = mask
    for _ in range(max(mask.shape)):
        inner = np.pad(left, 1)
        inner = (inner[1:-1, 1:-1] & inner[:-2, 1:-1] & inner[2:, 1:-1] & inner[1:-1, :-2]
                 & inner[1:-1, 2:])
        if not inner.any():
            break
        left = inner
    places = np.argwhere(left)
    return places[len(places) // 2]
