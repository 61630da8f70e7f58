"""Draws one field of a map file over one or two of its axes.

The first two axes that are not sliced and have more than one point are drawn, the first
horizontally, unless --x and --y name others; further ones are taken at their middle. With only one such
axis the picture is a line, or a strip of a category. Lines separate the regions of different classes;
each region bears its name if there is room.
"""
from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from typing import Union

import numpy as np
import xarray as xr
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.colors import BoundaryNorm, ListedColormap
from matplotlib.figure import Figure
from matplotlib.patches import Patch
from matplotlib.transforms import Transform

from ...display.colours import UNDEFINED
from ...errors import InputError
from ...maps import contents, refined
from ...maps.contents import SOLVED, flags_of
from ...maps.planes import Axis, Picture
from ...maps.typed import masked_invalid, masked_less
from ...values import Array, Mask
from .. import against, cells, labels, layout, looks, measured_points, over_maps, regions, settings, slicing
from ..labels import Field, spaced
from ..layout import Sheet
from ..measured_points import Measured
from ..survey import PLANE, Claim, Survey, named
from ..wrapping import wrapped

Sides = tuple[Union[str, None], Union[str, None]]  # what --x and --y name
MOST_POINTS = 2500  # of a drawn axis; a picture has about 1000 pixels each way
HEIGHTS, STRIP_HEIGHT = {"one": 2.1, "two": 3.6}, 0.9  # inches, of the frame
USES = settings.SCALES | {"minus", "ratio_to", "cmap", "center", "levels", "contours", "over", "called", "points", "solved_points",
                           "region_numbers"}
DENSEST = 0.9       # opacity of the veil over what is improbable
FEW_POINTS = 60     # a line of at most so many points marks each of them


# ------------------------------------------------------------------------------ what is drawn

def lay_out(data: xr.Dataset, name: str, chosen: dict[str, int], notes: list[str],
            wanted: Sides = (None, None)) -> tuple[list[str], dict[str, int]]:
    """The dimensions to draw (one or two), and {dimension: index} of all others, in the file's
    order. A dimension that numbers the values of one cell, such as modes of a beam, is drawn only where
    fewer than two axes are free. wanted: the names given to --x and --y."""
    sizes = data[name].sizes
    free = [str(dim) for dim in sizes if dim not in chosen and sizes[dim] > 1]
    axes = [dim for dim in free if not contents.is_extra(data, dim)]
    able = axes + [dim for dim in free if dim not in axes and not contents.is_branch(data, dim)]
    drawn = arranged(data, able, wanted)
    if not drawn:
        raise InputError(f"nothing left to draw: no axis of '{name}' has more than one free point")
    fixed = {}
    for dim in (str(dim) for dim in sizes if dim not in drawn):
        if dim in chosen:
            fixed[dim] = chosen[dim]
        elif contents.is_extra(data, dim):
            fixed[dim] = 0
            if sizes[dim] > 1:
                notes.append(f"the first value along '{dim}' is drawn; choose with --slice {dim}=NUMBER")
        elif sizes[dim] > 1:
            slicing.take_middle(data, dim, fixed, notes)
        else:
            fixed[dim] = 0
    return drawn, fixed


def arranged(data: xr.Dataset, able: list[str], wanted: Sides) -> list[str]:
    """The first two dimensions, or those that were asked for."""
    for option, name in zip(("--x", "--y"), wanted):
        if name is not None and name in contents.fields_of(data):
            raise InputError(f"{option}: '{name}' is an output; a map takes axes ({', '.join(able)}), and "
                           "plot.py --as lines or --as scatter takes outputs")
        if name is not None and name not in able:
            raise InputError(contents.unknown(f"axis for {option}", name, able))
    if wanted[0] is not None and wanted[0] == wanted[1]:
        raise InputError("--x and --y name the same axis")
    rest = [dim for dim in able if dim not in wanted]
    places = [name or (rest.pop(0) if rest else None) for name in wanted]
    return [dim for dim in places if dim]


def load_picture(data: xr.Dataset, name: str, chosen: dict[str, int], notes: list[str],
                 wanted: Sides = (None, None)) -> Picture:
    """Reads only the plane or line to draw; tells the user about choices in `notes`."""
    free, fixed = lay_out(data, name, chosen, notes, wanted)
    drawn = {dim: thin(dim, data.sizes[dim], notes) for dim in free}
    where: dict[str, int | slice] = {**fixed, **drawn}
    axes = [slicing.make_axis(data, dim, part) for dim, part in drawn.items()]
    # `outcome` comes first: a running sweep writes values before it marks their cells.
    outcome = read(data, "outcome", name, where, axes)
    values = outcome if name == "outcome" else read(data, name, name, where, axes)
    assert values is not None  # the axes are its own
    picture = Picture(name, data[name], axes, values, np.full(values.shape, SOLVED, np.int8) if outcome is None else outcome)
    if "mode" in data:
        picture.mode = values if name == "mode" else read(data, "mode", name, where, axes)
        picture.mode_names = flags_of(data["mode"])
    if f"{name}_certainty" in data:
        picture.certainty = read(data, f"{name}_certainty", name, where, axes)
    picture.outcome_names = dict(enumerate(looks.OUTCOMES))
    if "outcome" in data:
        picture.outcome_names.update(flags_of(data["outcome"]))
    picture.own_title = labels.own_title(data, fixed)
    picture.title = labels.filled(picture.own_title)
    contours = settings.now().contours
    if contours and len(axes) == 2:
        picture.contours = levels_of(data, contours, picture, where)
    picture.remark = str(data.attrs.get("remark", ""))
    picture.held = slicing.held(data, fixed)
    if data[name].attrs.get("impactsweep_role") == "point" and data[name].dtype.kind == "f":
        notes.append(f"between points that were solved '{name}' is interpolated")
    picture.found = refined.look(data, axes, fixed)
    if picture.found and picture.found.ended and not picture.contours:
        refined.paint(picture, picture.found)
    return picture


def levels_of(data: xr.Dataset, name: str, picture: Picture, where: Mapping[str, int | slice]) -> tuple[str, str, Array]:
    """Name, label and values of the output whose level lines are drawn over a picture."""
    values = read(data, name, picture.name, where, picture.axes)
    if values is None or data[name].dtype.kind != "f":
        raise InputError(f"--contours: '{name}' is no real output over the drawn axes, "
                         f"{' and '.join(axis.name for axis in picture.axes)}")
    return name, labels.label_of(data[name]), np.where(
        picture.outcome == SOLVED, labels.shown(data[name], values.astype(float)), np.nan)


def thin(dim: str, points: int, notes: list[str]) -> slice:
    step = -(-points // MOST_POINTS)
    if step > 1:
        notes.append(f"axis '{dim}' has {points} points; one in {step} is drawn")
    return slice(step // 2, None, step)


def read(data: xr.Dataset, name: str, drawn: str, where: Mapping[str, int | slice], axes: Sequence[Axis]) -> Array | None:
    """One variable over the drawn axes as [y][x]; None if it is not in the file or has other axes."""
    if name not in data or not set(data[name].dims) <= set(data[drawn].dims):
        return None
    dims = [axis.name for axis in axes]
    loaded = contents.load(data[name].isel({dim: where[str(dim)] for dim in data[name].dims}))
    missing = {axis.name: len(axis.values) for axis in axes if axis.name not in loaded.dims}
    loaded = loaded.expand_dims(missing).transpose(*reversed(dims))
    return np.asarray(loaded.values[np.ix_(*(axis.order for axis in reversed(axes)))])


# ----------------------------------------------------------------------------- classes of cells

def classify(picture: Picture) -> tuple[Array, list[looks.Kind]]:
    """(index, kinds): for each cell the index of its kind, -1 for a real value; modes before outcomes."""
    index = np.full(picture.outcome.shape, -1, np.int16)
    kinds: list[looks.Kind] = []

    def add(mask: Mask, kind: looks.Kind) -> None:
        index[mask] = len(kinds)
        kinds.append(kind)

    solved = picture.outcome == SOLVED
    if picture.is_category and picture.name != "outcome":
        present = np.unique(picture.values[solved]).tolist()
        for code, kind in looks.kinds_of_category(present, flags_of(picture.variable)).items():
            add(solved & (picture.values == code), kind)
    undefined = solved & ~np.isfinite(picture.values)
    if undefined.any():
        add(undefined, looks.Kind(undefined_label(picture, undefined), UNDEFINED))
    present = [code for code in np.unique(picture.outcome).tolist()
               if code != SOLVED or picture.name == "outcome"]
    for code, kind in looks.kinds_of_outcomes(present, picture.outcome_names).items():
        add(picture.outcome == code, kind)
    return index, kinds


def undefined_label(picture: Picture, undefined: Mask) -> str:
    """A label that names the modes that leave the field undefined, if modes are the only reason."""
    if picture.mode is None:
        return "undefined"
    codes = np.unique(picture.mode[undefined]).tolist()
    names = [spaced(picture.mode_names.get(code, f"mode {code}")) for code in codes]
    return "undefined" if "none" in names else wrapped(f"undefined: {', '.join(names)}", 3.1)


# Mark a sequence whose phases take three bits each, of a theory with partial slip, and one of points that strike.
WIDE, OF_POINTS = np.uint64(1 << 52), np.uint64(3 << 51)


def count_phases(sequence: Array) -> Array:
    """Number of phases of two bits, of three in a wide sequence, of which none is zero; or of points, in three bits
    each and a bit 1 behind the last."""
    rest, phases = sequence.astype(np.uint64), np.zeros(sequence.shape, np.int16)
    points = rest & OF_POINTS == OF_POINTS
    bits = np.where((rest & WIDE != 0) | points, 3, 2).astype(np.uint64)
    rest = np.where(points, (rest & ~OF_POINTS), rest & ~WIDE)
    while (rest > points).any():
        phases += rest > points
        rest = rest >> bits
    return phases


def shown_values(picture: Picture) -> Array:
    if picture.name == "sequence":
        return count_phases(picture.values)
    return labels.shown(picture.variable, picture.values)


# ------------------------------------------------------------------------------------- drawing

@looks.styled
def draw(picture: Picture, over: Sequence[over_maps.DrawsOver] = (), points: Sequence[Measured] | None = None) -> Figure:
    """over: functions of the axes that draw each file of --over and return entries of the legend."""
    line = len(picture.axes) == 1
    height = STRIP_HEIGHT if line and picture.is_category else HEIGHTS[settings.now().size]
    figure = layout.new_figure()
    ax = figure.add_subplot()
    sheet = layout.Sheet(figure, np.array([[ax]]), height)
    inches = (settings.now().width - layout.LEFT, height)
    index, kinds = classify(picture)
    handles = draw_kinds(ax, picture.axes, index, kinds)
    if picture.is_category and picture.certainty is not None:
        handles.append(draw_doubt(ax, picture))
    if not picture.is_category:
        values = np.where(index < 0, shown_values(picture), np.nan)
        (draw_line if line else draw_values)(sheet, ax, picture, values)
    looks.set_axes(ax, picture.axes, inches)
    if not line and (kinds or picture.found):
        mark_regions(ax, picture, index, kinds, inches)
    if picture.found:
        handles += regions.draw_found(ax, picture.found)
        regions.number_regions(ax, picture.found, inches)
    if picture.contours:
        levels, entry = over_maps.draw_contours(ax, picture)
        handles.append(entry)
    handles += [entry for draw_one in over for entry in draw_one(ax)]
    if points:
        handles += measured_points.draw_points(ax, points, *named_axes(picture))
    add_legend(sheet, ax, [entry for entry in handles if entry], spaced_name(picture))
    layout.add_caption(sheet, refined.caption([picture.found]) or picture.remark)
    if picture.title:
        figure.suptitle(picture.title)
    layout.fit(sheet)
    if picture.contours:
        over_maps.label_levels(ax, levels)
    return figure


def named_axes(picture: Picture) -> list[Field]:
    """(name, whether it is an angle) of the variables along x and y."""
    found = [(axis.name, axis.degrees) for axis in picture.axes]
    return (found + [(picture.name, labels.is_angle(picture.variable))])[:2]


def mark_regions(ax: Axes, picture: Picture, index: Array, kinds: Sequence[looks.Kind], inches: tuple[float, float]) -> None:
    """Lines between regions of different classes, and the names of the classes where they fill the picture."""
    regions.draw_boundaries(ax, picture, index)
    numbered = picture.found and settings.now().region_numbers
    if picture.is_category and not picture.contours and not numbered:  # lines would run through the names
        regions.label_regions(ax, picture, index, kinds, inches)


def draw_kinds(ax: Axes, axes: Sequence[Axis], index: Array, kinds: Sequence[looks.Kind]) -> list[Artist]:
    """One flat colour per class, and hatching over it; returns the entries for a legend."""
    if not kinds:
        return []
    norm = BoundaryNorm(np.arange(len(kinds) + 1) - 0.5, len(kinds))
    colours = ListedColormap([kind.colour for kind in kinds])
    x, y, plane, transform = as_plane(ax, axes, index)
    if len(axes) == 2:
        cells.draw(ax, axes, masked_less(plane, 0), cmap=colours, norm=norm)
    else:
        ax.pcolormesh(x, y, masked_less(plane, 0), cmap=colours, norm=norm, transform=transform, rasterized=True)
    for place, kind in enumerate(kinds):
        if kind.hatch:
            hatch(ax, x, y, plane == place, kind.hatch, transform)
    return [entry_of(kind) for kind in kinds]


def draw_doubt(ax: Axes, picture: Picture) -> Artist:
    """A white veil, the denser the less probable the most probable value is; returns its entry in the legend."""
    assert picture.certainty is not None
    x, y, share, transform = as_plane(ax, picture.axes, picture.certainty)
    white = ListedColormap(["white"])
    ax.pcolormesh(x, y, np.zeros(share.shape), cmap=white, alpha=DENSEST * (1 - np.nan_to_num(share, nan=1.0)),
                  transform=transform, rasterized=True)
    return Patch(facecolor="#DDDDDD", edgecolor=looks.EDGE, linewidth=0.5, label="paler: less probable")


def entry_of(kind: looks.Kind, label: str | None = None) -> Artist:
    """The entry of a class of cells in a legend."""
    return Patch(facecolor=kind.colour, hatch=kind.hatch, edgecolor=looks.EDGE, linewidth=0.5,
                 label=label or kind.label)


def as_plane(ax: Axes, axes: Sequence[Axis], index: Array) -> tuple[Array, Array, Array, Transform]:
    """Edges and cells of a plane; a line becomes a strip over the full height of the picture."""
    if len(axes) == 2:
        return axes[0].edges, axes[1].edges, index, ax.transData
    return axes[0].edges, np.array([0.0, 1.0]), index[np.newaxis, :], ax.get_xaxis_transform()


def hatch(ax: Axes, x: Array, y: Array, mask: Mask, pattern: str, transform: Transform) -> None:
    """Every edge is given twice, so that the contour follows the sides of the cells exactly."""
    twice = np.repeat(np.repeat(mask, 2, 0), 2, 1).astype(float)
    ax.contourf(np.repeat(x, 2)[1:-1], np.repeat(y, 2)[1:-1], twice, [0.5, 1.5], colors="none",
                hatches=[pattern], transform=transform)


def draw_values(sheet: Sheet, ax: Axes, picture: Picture, values: Array) -> None:
    if not np.isfinite(values).any():
        return
    if picture.variable.dtype.kind == "f" and not looks.are_counts(picture.name, values):
        scale = looks.scale_of(values, None, picture.name, looks.is_ratio(picture.name))
        look, extend, ticks = scale.look, scale.ends, None
    else:
        look, ticks = looks.discrete_scale(values)
        extend = "neither"
    mesh = cells.draw(ax, picture.axes, masked_invalid(values), **look)
    sheet.top_bar = sheet.figure.add_axes((0, 0.9, 1, 0.05))
    bar = sheet.figure.colorbar(mesh, cax=sheet.top_bar, extend=extend, ticks=ticks,
                                orientation="horizontal", ticklocation="top")
    bar.minorticks_off()
    bar.set_label(field_label(picture))


def draw_line(sheet: Sheet, ax: Axes, picture: Picture, values: Array) -> None:
    del sheet  # same call as draw_values
    axis = picture.axes[0]
    ax.plot(axis.values, values, color=looks.BLUE, linewidth=1.4 if axis.joined else 0, zorder=3)
    alone = np.isfinite(values) & is_marked(axis, values)
    ax.plot(axis.values[alone], values[alone], "o", color=looks.BLUE, markersize=3.5, zorder=3)
    if picture.name in settings.now().log:
        ax.set_yscale("log")
    else:
        ax.set_ylim(*line_limits(values))  # the strip of classes behind must not widen them
    asked = labels.shown_limits(picture.name, labels.is_angle(picture.variable))
    ax.set_ylim(asked)
    ax.set_ylabel(field_label(picture))
    looks.draw_grid(ax)


def is_marked(axis: Axis, values: Array) -> Mask:
    """Which points get a mark: all if they are few or unordered, and otherwise each one between two gaps."""
    if len(values) <= FEW_POINTS or not axis.joined:
        return np.full(values.shape, True)
    gap = np.concatenate([[True], ~np.isfinite(values), [True]])
    return np.asarray(gap[:-2] & gap[2:])


def line_limits(values: Array) -> tuple[float, float]:
    finite = values[np.isfinite(values)]
    if finite.size == 0:
        return 0.0, 1.0
    margin = 0.05 * (np.ptp(finite) or abs(finite[0]) or 1.0)
    return finite.min() - margin, finite.max() + margin


def field_label(picture: Picture) -> str:
    if picture.name == "sequence":
        return "number of contact phases"
    text = labels.label_of(picture.variable)
    name = spaced(picture.name)
    if not labels.is_renamed(picture.name) and not text.startswith(name):
        text = f"{name}: {text}"
    return wrapped(text, settings.now().width - 1.0)


def spaced_name(picture: Picture) -> str:
    return spaced(picture.name) if picture.is_category else ""


def add_legend(sheet: Sheet, ax: Axes, handles: Sequence[Artist], title: str = "") -> None:
    """Adds a legend under the frame, whose size it does not change."""
    if handles:
        sheet.legends.append(layout.legend_under(ax, handles, title, handleheight=1.1))


# ---------------------------------------------------------------------------------- the command

def suits(survey: Survey) -> Claim | None:
    data, many = survey.data, survey.many
    if len(many) > 1:
        return Claim(PLANE, f"{named(many)} have many points", (many,))
    if not any(contents.grid_of(data) & set(data[name].dims) for name in contents.real_fields(data)
               if name not in contents.BOOKKEEPING):
        return Claim(PLANE, "it has no real output", (many,))
    return None


def called(data: xr.Dataset, wanted: str | None) -> str:
    wanted = wanted or contents.default_field(data)
    return "mode map" if wanted in data and flags_of(data[wanted]) else "field map"


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="map file, complete or still growing")
    parser.add_argument("--field", metavar="NAME", help="output to draw (default: the "
                        "first that the config lists, or else mode)")
    parser.add_argument("--x", metavar="AXIS", help="horizontal axis (default: the first)")
    parser.add_argument("--y", metavar="AXIS", help="vertical axis (default: the next)")
    slicing.add_slice(parser)


def default_output(options: argparse.Namespace) -> str:
    with contents.open_map(options.file) as data:
        name = contents.choose_field(data, options.field)
    return settings.beside(options.file, f"-{name}.png")


def load(options: argparse.Namespace, notes: list[str]) -> Picture:
    with against.open_map(options.file, [options.field, settings.now().contours]) as data:
        settings.check_names(data, settings.now())
        name = contents.choose_field(data, options.field)
        dims = [str(dim) for dim in data[name].dims]
        chosen = slicing.parse_slices(data, dims, options.slices, notes)
        picture = load_picture(data, name, chosen, notes, (options.x, options.y))
        picture.path = options.file
    slicing.note_log(picture.axes, notes)
    return picture


def make(options: argparse.Namespace, notes: list[str]) -> Figure:
    picture, asked = load(options, notes), settings.now()
    over = over_maps.over_of(asked.over, picture, notes, load_picture, classify)
    return draw(picture, over, measured_points.read_points(asked.points))
