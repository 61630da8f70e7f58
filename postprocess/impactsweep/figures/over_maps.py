"""Overlays of a map: level lines of another output; boundaries, curves or single points of a second map."""
from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Union

import numpy as np
import xarray as xr
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.contour import ContourSet
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.patheffects import withStroke
from matplotlib.ticker import MaxNLocator

from ..errors import InputError
from ..maps import contents
from ..maps.contents import coordinate
from ..maps.planes import Picture
from ..maps.typed import masked_invalid
from ..values import Array
from . import following, labels, looks, regions, settings, slicing
from .wrapping import wrapped

Marks = tuple[str, str, Array, Array, Union[looks.Colour, None]]  # text, marker, x, y, a colour or that of the file
DrawsOver = Callable[[Axes], list[Artist]]  # returns entries of a legend
LoadsPicture = Callable[[xr.Dataset, str, dict[str, int], list[str], tuple[Union[str, None], Union[str, None]]], Picture]
Classifies = Callable[[Picture], tuple[Array, list[looks.Kind]]]
SHARES = (0.05, 0.5, 0.95)  # levels of a probability
# Of turning points: they point to where the first parameter grows or falls, along x and y.
MARKERS = {"largest": ">^", "smallest": "<v"}
MOST_TOLD = 8  # values of an axis in an error
# Of the files of --over; white edges part the lines from the colours below them.
STYLES = (("#000000", "--"), ("#A50F15", "-."), ("#3F007D", ":"))
# Of the points of an axis that the map does not know: no area has such a colour. More points have one colour.
PARTS = (*(colour for colour, _ in STYLES), "#BDBDBD")


def draw_contours(ax: Axes, picture: Picture) -> tuple[ContourSet, Line2D]:
    """Level lines over the figure, black with a white edge, so that they show on every colour. Returns the lines
    and their entry in the legend."""
    assert picture.contours is not None
    name, label, values = picture.contours
    finite = values[np.isfinite(values)]
    if finite.size == 0 or finite.min() == finite.max():
        raise InputError(f"--contours: '{name}' has no level lines here")
    usual: Iterable[float] = SHARES
    if not looks.is_share(name):
        usual = MaxNLocator(6).tick_values(finite.min(), finite.max())
    levels = [level for level in settings.now().levels or usual if finite.min() < level < finite.max()]
    if not levels:
        raise InputError(f"--contours: '{name}' has no level lines here")
    middle = settings.now().center
    if middle is None:
        middle = looks.natural_center(finite.min(), finite.max(), looks.is_ratio(name))
    below = f", dashed below {middle:g}" if middle is not None and min(levels) < middle else ""
    drawn = ax.contour(picture.axes[0].values, picture.axes[1].values, masked_invalid(values),
                       levels=levels, colors="black", linewidths=0.9, zorder=5,
                       linestyles=["--" if middle is not None and level < middle else "-" for level in levels])
    for lines in drawn.collections:
        lines.set_path_effects([withStroke(linewidth=2.2, foreground="white")])
    return drawn, Line2D([], [], color="black", linewidth=0.9, label=f"levels of {label}{below}",
                         path_effects=[withStroke(linewidth=2.2, foreground="white")])


def label_levels(ax: Axes, drawn: ContourSet) -> None:
    """The values on their lines, where they touch neither each other nor the frame, which stands by now."""
    look: looks.Style = {"fontsize": "small", "fmt": lambda level: labels.typeset(f"{level:g}")}
    boxes, places = [ax.get_window_extent()], []
    for text in ax.clabel(drawn, inline=False, **look):
        box = text.get_window_extent()
        if boxes[0].containsx(box.x0) and boxes[0].containsx(box.x1) and boxes[0].containsy(
                box.y0) and boxes[0].containsy(box.y1) and not box.count_overlaps(boxes[1:]):
            boxes.append(box.expanded(1.3, 1.3))
            places.append(text.get_position())
        text.remove()
    for text in ax.clabel(drawn, manual=places, **look) if places else ():
        text.set_path_effects([withStroke(linewidth=2, foreground="white")])


def over_of(paths: Sequence[str], picture: Picture, notes: list[str], load_picture: LoadsPicture,
            classify: Classifies) -> list[DrawsOver]:
    """Functions that draw one more map each on top: its boundaries, or its curve across the plane. They return entries
    of a legend, in which every file has its name. load_picture, classify: those of the kind map."""
    if not paths:
        return []
    titles = [picture.own_title, *map(title_in, paths)]
    called = labels.names_of_files(titles, [picture.path, *paths])
    picture.title = labels.filled(labels.shared(titles))
    areas = Patch(facecolor="#B0B0B0", edgecolor="black", linewidth=0.6, label=inside(f"areas: {called[0]}"))
    return [lambda ax: [areas], *(
        over_by(path, STYLES[number % len(STYLES)], picture, notes, load_picture, classify, called[number + 1])
        for number, path in enumerate(paths))]


def title_in(path: str) -> str:
    with contents.open_map(path) as data:
        return labels.own_title(data, {})


def inside(text: str) -> str:
    """Text as wide as the figure beside the sign of a legend."""
    return wrapped(text, settings.now().width - 0.8)


def over_by(path: str, look: looks.Look, picture: Picture, notes: list[str], load_picture: LoadsPicture,
            classify: Classifies, called: str) -> DrawsOver:
    with contents.open_map(path) as data:
        names = [axis.name for axis in picture.axes]
        if len(names) == 2 and "mode" in data and set(names) <= set(data["mode"].dims):
            second = load_picture(data, "mode", {}, notes, (names[0], names[1]))
            return lambda ax: draw_second(ax, second, classify(second)[0], called, look)
        if not points_in(data, names) and not curves_across(data, names):
            raise InputError(f"{path}: has neither modes over {' and '.join(names)} nor a curve of one over the other, nor "
                             f"points of a search over both")
        data = at_held(data, picture, path)
        points = [mark for text, colour, part in named_parts(data, names) for mark in points_in(part, names, text, colour)]
        if points:
            return lambda ax: draw_points(ax, points, called, look[0])
        curves = curves_across(data, names)
        return lambda ax: draw_across(ax, curves, called, look)


def other_axes(data: xr.Dataset, names: list[str]) -> list[str]:
    """The axes of a search beside those of the plane; all points of a sample belong together."""
    dims = data["outcome"].dims if "outcome" in data else ()
    return [str(dim) for dim in dims if dim not in names and not contents.is_sample(data, str(dim))]


def at_held(data: xr.Dataset, picture: Picture, path: str) -> xr.Dataset:
    """A search where its axes have the values that the map holds; whole along those that the map does not know."""
    for dim in other_axes(data, [axis.name for axis in picture.axes]):
        columns = [data[name] for name in contents.columns_of(data, dim)] or [coordinate(data, dim)]
        known = [column for column in columns if str(column.name) in picture.held]
        here = np.full(data.sizes[dim], True)
        for column in known:
            here &= slicing.is_at(column, picture.held[str(column.name)])
        if not here.any():
            at = ", ".join(f"{labels.spaced(str(column.name))} {labels.value_text(picture.held[str(column.name)], 0)}"
                           for column in known)
            raise InputError(f"{path}: has nothing at {at}, where the map is; it has {values_along(data, dim)}")
        data = data.isel({dim: np.flatnonzero(here)})
    return data


def values_along(data: xr.Dataset, dim: str, most: int = MOST_TOLD) -> str:
    """The points of an axis in words: all of a few, otherwise the ends."""
    if data.sizes[dim] > most:
        ends = [int(place(coordinate(data, dim).values)) for place in (np.argmin, np.argmax)]
        return f"{labels.point_text(data, dim, ends[0])} to {labels.point_value(data, dim, ends[1])}"
    return ", ".join([labels.point_text(data, dim, 0), *(labels.point_value(data, dim, k) for k in range(1, data.sizes[dim]))])


def named_parts(data: xr.Dataset, names: list[str]) -> list[tuple[str, looks.Colour | None, xr.Dataset]]:
    """[(text, colour, part)] for each point of the axes along which a search has several; of many points one part."""
    dims = [dim for dim in other_axes(data, names) if data.sizes[dim] > 1]
    places = list(np.ndindex(*(data.sizes[dim] for dim in dims)))
    if len(places) == 1 or len(places) > len(PARTS):
        return [(", ".join(values_along(data, dim, 0) for dim in dims), None, data)]
    return [(", ".join(labels.point_text(data, dim, index) for dim, index in zip(dims, place)), colour,
             data.isel({dim: [index] for dim, index in zip(dims, place)}))
            for place, colour in zip(places, PARTS)]


def draw_second(ax: Axes, second: Picture, index: Array, called: str, look: looks.Look) -> list[Artist]:
    colour, style = look
    regions.draw_boundaries(ax, second, index, "#FFFFFF", "-", 2.4)
    regions.draw_boundaries(ax, second, index, colour, style, 1.2)
    return [Line2D([], [], color=colour, linestyle=style, linewidth=1.2, label=inside(called))]


def curves_across(data: xr.Dataset, names: list[str]) -> list[tuple[Array, Array]]:
    """[(x, y)] of a search along one axis of the plane whose map runs over the other axis."""
    found = []
    for name in ("root", "extreme", *(f"at_{axis}" for axis in names)):
        if name not in data or not set(data[name].dims) & set(names):
            continue
        along = next(str(dim) for dim in data[name].dims if dim in names)
        label = str(data[name].attrs.get("long_name", ""))
        other = next(axis for axis in names if axis != along)
        if name != f"at_{other}" and other not in label:
            continue
        points = coordinate(data, along)
        order = np.argsort(points.values.astype(float), kind="stable")
        for row in rows_along(data, name, along, order):
            pair = {along: labels.shown(points, points.values[order].astype(float)),
                    other: labels.shown(data[name], row)}
            found.append((pair[names[0]], pair[names[1]]))
    return found


def rows_along(data: xr.Dataset, name: str, along: str, order: Array) -> Array:
    """The values of an output along one dimension, a row for each curve; curves of junctions and turning points follow these."""
    def spread(variable: xr.DataArray) -> Array:
        return contents.load(variable).transpose(..., along).values.reshape(-1, len(order))[:, order]
    for number in (str(dim) for dim in data[name].dims if contents.is_branch(data, str(dim))):
        numbers = following.numbers_of(data, data, number, spread)
        if numbers is not None:
            values = np.stack([spread(data[name].isel({number: k})) for k in range(data.sizes[number])])
            return following.taken(values, numbers).reshape(-1, len(order))
    return spread(data[name])


def points_in(data: xr.Dataset, names: list[str], of: str = "", colour: looks.Colour | None = None) -> list[Marks]:
    """The marks of a search over both axes of the plane: all junctions, or the turning points of each kind. of: words for where
    the search has them."""
    found = [f"at_{name}" for name in names]
    if len(names) != 2 or not all(name in data and not set(data[name].dims) & set(names) for name in found):
        return []
    x, y = (labels.shown(data[name], contents.load(data[name]).values.ravel()) for name in found)
    if "turning_kind" not in data:
        return [(", ".join(["junctions"] + [of] * bool(of)), "D", x, y, colour)]
    kinds, codes = data["turning_kind"].attrs, contents.load(data["turning_kind"]).values.ravel()
    first = str(data.attrs["search"]).partition(" over ")[2].split()[0]
    there = {kind: codes == code for code, kind in zip(kinds["flag_values"], kinds["flag_meanings"].split())}
    return [(", ".join([f"turning points: {kind} {labels.spaced(first)}"] + [of] * bool(of)), MARKERS[kind][names.index(first)],
             x[there[kind]], y[there[kind]], colour) for kind in MARKERS if there[kind].any()]


def draw_points(ax: Axes, points: list[Marks], called: str, colour: looks.Colour) -> list[Artist]:
    """Marks with white edges, each kind with its entry in the legend: its own name tells more than that of the file."""
    entries: list[Artist] = []
    for text, marker, x, y, own in points:
        look: looks.Style = {"linestyle": "", "marker": marker, "color": own or colour, "mec": "white", "mew": 0.8}
        ax.plot(x, y, markersize=7, zorder=7, scalex=False, scaley=False, **look)
        name = f"{called}: {text}" if called in settings.now().called else text
        entries.append(Line2D([], [], markersize=6, label=inside(name), **look))
    return entries


def draw_across(ax: Axes, curves: list[tuple[Array, Array]], called: str, look: looks.Look) -> list[Artist]:
    limits = ax.get_xlim(), ax.get_ylim()
    style: looks.Style = {"color": look[0], "linestyle": look[1], "linewidth": 1.4,
                          "path_effects": [withStroke(linewidth=3, foreground="white")]}
    for x, y in curves:
        ax.plot(x, y, zorder=6, **style)
    ax.set(xlim=limits[0], ylim=limits[1])
    return [Line2D([], [], label=inside(called), **style)]
