#!/usr/bin/python3
"""Draws one field of a map file over one or two of its axes.

    plot_map.py FILE [-o PICTURE] [--field NAME] [--slice AXIS=VALUE ...]

The file may still be growing: it is read without a lock, and cells to come are shown as pending.
Exit codes: 0 the picture is written, 2 bad input (one line on stderr, nothing written).
"""
import argparse
import difflib
import math
import os
import re
import sys
import textwrap
from dataclasses import dataclass, field

# A running sweep holds the lock of its file; a reader needs none. Must precede the HDF5 library.
os.environ["HDF5_USE_FILE_LOCKING"] = "FALSE"

import matplotlib
import numpy as np
import xarray as xr
from matplotlib.colors import BoundaryNorm, ListedColormap, to_rgb
from matplotlib.figure import Figure
from matplotlib.patches import Patch
from matplotlib.ticker import MaxNLocator, MultipleLocator, NullFormatter, NullLocator
from matplotlib.transforms import ScaledTranslation

PROGRAM = "plot_map.py"
PENDING, SOLVED = 0, 1
OUTCOMES = ("pending", "solved", "outside", "no_convergence", "not_finite", "budget",
            "library_error")

# Colour of mode code 1, 2, ...: Okabe and Ito's seven (purple lightened: it could pass for green)
# and two dark ones, in an order that gives modes which occur together different lightness, so that
# a grey print can be read too.
PALETTE = ("#332288", "#0072B2", "#56B4E9", "#009E73", "#F0E442", "#EBB4D4", "#661100",
           "#D55E00", "#E69F00")
NO_MODE = "#FFFFFF"
UNDEFINED = "#D4D4D4"
# Outcome code: grey and hatching. Only failures are hatched: they should catch the eye.
OUTCOME_STYLE = {0: ("#F2F2F2", "..."), 1: ("#56B4E9", ""), 2: ("#9C9C9C", ""),
                 3: ("#FFFFFF", "//////"), 4: ("#FFFFFF", "xxxxxx"), 5: ("#C0C0C0", "\\\\\\\\\\"),
                 6: ("#C0C0C0", "++++++")}

MOST_POINTS = 2500  # of a drawn axis; a picture has about 1000 pixels each way
DPI = 200
WIDTH, HEIGHT, STRIP_HEIGHT = 7.0, 4.2, 2.1  # inches; the width is that of two columns of a paper
FORMATS = (".png", ".pdf", ".svg")
STYLE = {"font.size": 9, "axes.titlesize": 9, "legend.fontsize": 8.5, "axes.linewidth": 0.7,
         "hatch.linewidth": 0.5, "hatch.color": "#505050", "pdf.fonttype": 42}
SUPERSCRIPT = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


class BadInput(Exception):
    """What the user can put right; the text is the message."""


@dataclass
class Axis:
    """One dimension as it is drawn: sorted, angles in degrees, options by name."""
    name: str
    label: str
    values: np.ndarray
    edges: np.ndarray
    order: np.ndarray  # positions in the file's order
    log: bool = False
    options: list = None
    degrees: bool = False
    whole: bool = False  # numbers of cases: no ticks between them


@dataclass
class Kind:
    """A class of cells with one look and one entry in the legend."""
    label: str
    colour: str
    hatch: str = ""


@dataclass
class Picture:
    """What is drawn: `values` and the others are [y][x], or [x] on one axis."""
    name: str
    variable: xr.DataArray  # attributes only; never loaded
    axes: list
    values: np.ndarray
    outcome: np.ndarray
    mode: np.ndarray = None
    mode_names: dict = field(default_factory=dict)
    outcome_names: dict = field(default_factory=dict)
    title: str = ""


# ---------------------------------------------------------------------------- reading the map

def open_map(path):
    """The dataset, lazily: nothing but the coordinates is read."""
    if not os.path.exists(path):
        raise BadInput(f"{path}: no such file")
    if os.path.isdir(path):
        raise BadInput(f"{path}: is a folder, not a map")
    try:
        # Values stay as stored: scaling would turn categories into floats, "s" into time deltas.
        data = xr.open_dataset(path, engine="h5netcdf", mask_and_scale=False, decode_times=False,
                               phony_dims="sort")
    except PermissionError:
        raise BadInput(f"{path}: permission denied") from None
    except Exception as reason:  # libraries raise many kinds for a file that is no netCDF-4
        raise BadInput(f"{path}: not a map ({first_line(reason)})") from None
    if not fields_of(data):
        raise BadInput(f"{path}: not a map (it has no output over axes)")
    return data


def first_line(reason):
    return (str(reason).splitlines() or [type(reason).__name__])[0]


def fields_of(data):
    """Names of all that can be drawn; `run_*` are the sweep's own bookkeeping."""
    return [str(name) for name, variable in data.data_vars.items()
            if not str(name).startswith("run_") and variable.dims and variable.dtype.kind in "iuf"]


def default_field(data):
    names = fields_of(data)
    real = [name for name in names if data[name].dtype.kind == "f"]
    return "mode" if "mode" in names else (real + names)[0]


def choose_field(data, wanted):
    names = fields_of(data)
    wanted = wanted or default_field(data)
    if wanted not in names:
        raise BadInput(unknown("field", wanted, names))
    if data[wanted].size == 0:
        raise BadInput(f"field '{wanted}' has no cells")
    return wanted


def unknown(what, wanted, names):
    close = difflib.get_close_matches(wanted, names, 1, 0.5)
    guess = f" (did you mean '{close[0]}'?)" if close else ""
    return f"unknown {what} '{wanted}'{guess}; there are: {', '.join(names)}"


def flags_of(variable):
    """{code: name} of a CF category, {} of anything else."""
    names = variable.attrs.get("flag_meanings", "")
    codes = np.atleast_1d(variable.attrs.get("flag_values", []))
    return {int(code): name for code, name in zip(codes, str(names).split())}


def coordinate(data, axis):
    """Coordinate of a dimension as stored; the index where it has none."""
    if axis in data.coords and data[axis].dims == (axis,):
        return data[axis]
    return xr.DataArray(np.arange(data.sizes[axis]), dims=[axis], name=axis)


def is_numbering(data, dim):
    """Whether a dimension numbers the values of one cell: roots of a search, modes of a beam."""
    return dim in data.variables and data[dim].attrs.get("impactsweep_role") == "dimension"


def is_angle(variable):
    return variable.attrs.get("units") == "rad"


# ------------------------------------------------------------------------------ slices and axes

def parse_slices(data, name, texts, notes):
    """{axis: index} of the options --slice."""
    chosen = {}
    dims = [str(dim) for dim in data[name].dims]
    for text in texts:
        axis, equals, value = (part.strip() for part in text.partition("="))
        if not equals or not axis or not value:
            raise BadInput(f"bad slice '{text}': write axis=value")
        if axis in chosen:
            raise BadInput(f"axis '{axis}' is sliced twice")
        if axis not in dims:
            raise BadInput(no_axis(data, name, axis, dims))
        chosen[axis] = pick(coordinate(data, axis), value, notes)
    return chosen


def no_axis(data, name, axis, dims):
    if axis in data.coords and len(data[axis].dims) == 1:
        carrier = data[axis].dims[0]
        return f"'{axis}' is a column of axis '{carrier}': slice {carrier}=NUMBER"
    if axis in data.sizes:
        return f"field '{name}' has no axis '{axis}'; it has: {', '.join(dims)}"
    return unknown("axis", axis, dims)


def pick(points, text, notes):
    """Index of the point of an axis that is nearest to what the user wrote."""
    options = flags_of(points)
    if options:
        present = [options.get(int(code), str(code)) for code in points.values]
        if text not in present:
            raise BadInput(unknown(f"option of '{points.name}'", text, present))
        return present.index(text)
    value = parse_number(text, is_angle(points), points.name)
    at = points.values.astype(float)
    if not at.min() <= value <= at.max():
        unit = " (radians; degrees are written 30deg)" if is_angle(points) else ""
        notes.append(f"{points.name}={text}{unit} is outside the axis; its nearest point is drawn")
    return int(np.argmin(np.abs(at - value)))


def parse_number(text, angle, axis):
    match = re.fullmatch(r"([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)\s*(deg|rad)?", text)
    if not match or not math.isfinite(float(match[1])):
        raise BadInput(f"bad slice '{axis}={text}': '{text}' is not a number")
    if match[2] and not angle:
        raise BadInput(f"bad slice '{axis}={text}': '{axis}' is not an angle")
    return math.radians(float(match[1])) if match[2] == "deg" else float(match[1])


def lay_out(data, name, chosen, notes):
    """The axes to draw (one or two), and {axis: index} of all others, in the file's order."""
    sizes = data[name].sizes
    free = [dim for dim in sizes if dim not in chosen and sizes[dim] > 1
            and not is_numbering(data, dim)]
    if not free:
        raise BadInput(f"nothing left to draw: no axis of '{name}' has more than one free point")
    fixed = {}
    for dim in (dim for dim in sizes if dim not in free[:2]):
        fixed[dim] = chosen.get(dim, 0 if is_numbering(data, dim) else sizes[dim] // 2)
        if is_numbering(data, dim) and dim not in chosen and sizes[dim] > 1:
            notes.append(f"the first along '{dim}' is drawn; choose with --slice {dim}=NUMBER")
        if dim in free:
            at = describe_point(coordinate(data, dim), fixed[dim])
            notes.append(f"axis '{dim}' is taken at its middle, {at}; "
                         f"choose with --slice {dim}=VALUE")
    return free[:2], fixed


def describe_point(points, index):
    """One point of an axis for a title: `30 deg`, `linear`, `0.1`."""
    value = points.values[index]
    if flags_of(points):
        return spaced(flags_of(points).get(int(value), str(value)))
    if is_angle(points):
        return f"{math.degrees(value):.6g} deg"
    return f"{value:.6g} {unit_text(points)}".strip()


def make_axis(points):
    options = flags_of(points)
    if options:
        names = [spaced(options.get(int(code), str(code))) for code in points.values]
        values, order = np.arange(len(names)), np.arange(len(names))
    else:
        names, stored = None, points.values.astype(float)
        order = np.argsort(stored, kind="stable")  # lists may be in any order
        values = np.degrees(stored[order]) if is_angle(points) else stored[order]
    log = names is None and points.dtype.kind == "f" and is_log_spaced(values)
    return Axis(str(points.name), label_of(points), values, cell_edges(values, log), order, log,
                names, is_angle(points), points.dtype.kind in "iu")


def is_log_spaced(values):
    """Equal ratios and unequal steps, so that a linear axis never passes for a logarithmic one."""
    if len(values) < 3 or values[0] <= 0 or values[0] == values[-1]:
        return False
    ratios, steps = np.diff(np.log(values)), np.diff(values)
    return bool(np.ptp(ratios) < 1e-3 * ratios.mean() and np.ptp(steps) > 1e-2 * steps.mean())


def cell_edges(values, log=False):
    """n + 1 edges half-way between n points, half-way in the logarithm on a logarithmic axis."""
    at = np.log(values) if log else np.asarray(values, float)
    if len(at) == 1:
        return values + np.array([-0.5, 0.5])
    middle = (at[1:] + at[:-1]) / 2
    edges = np.concatenate([[2 * at[0] - middle[0]], middle, [2 * at[-1] - middle[-1]]])
    return np.exp(edges) if log else edges


# ------------------------------------------------------------------------------------- loading

def load_picture(data, name, chosen, notes):
    """Reads only the plane (or line) that is drawn; adds to `notes` what the user should know."""
    free, fixed = lay_out(data, name, chosen, notes)
    where = {**fixed, **{dim: thin(dim, data.sizes[dim], notes) for dim in free}}
    axes = [make_axis(coordinate(data, dim)[where[dim]]) for dim in free]
    # `outcome` comes first: a running sweep writes values before it marks their cells.
    outcome = read(data, "outcome", name, where, axes)
    values = outcome if name == "outcome" else read(data, name, name, where, axes)
    picture = Picture(name, data[name], axes, values, outcome)
    if outcome is None:
        picture.outcome = np.full(values.shape, SOLVED, np.int8)
    if "mode" in data:
        picture.mode = values if name == "mode" else read(data, "mode", name, where, axes)
        picture.mode_names = flags_of(data["mode"])
    picture.outcome_names = dict(enumerate(OUTCOMES))
    if "outcome" in data:
        picture.outcome_names.update(flags_of(data["outcome"]))
    picture.title = title_of(data, fixed)
    return picture


def thin(dim, points, notes):
    step = -(-points // MOST_POINTS)
    if step > 1:
        notes.append(f"axis '{dim}' has {points} points; one in {step} is drawn")
    return slice(step // 2, None, step)


def read(data, name, drawn, where, axes):
    """One variable over the drawn axes as [y][x]; None if the file has none that fits."""
    if name not in data:
        return None
    variable = data[name]
    dims = [axis.name for axis in axes]
    if not set(variable.dims) <= set(data[drawn].dims):
        return None
    part = variable.isel({dim: where[dim] for dim in variable.dims})
    try:
        loaded = part.load()
    except Exception as reason:  # a damaged file; libraries raise many kinds
        raise BadInput(f"cannot read '{name}' ({first_line(reason)})") from None
    missing = {axis.name: len(axis.values) for axis in axes if axis.name not in loaded.dims}
    loaded = loaded.expand_dims(missing).transpose(*reversed(dims))
    return loaded.values[np.ix_(*(axis.order for axis in reversed(axes)))]


def title_of(data, fixed):
    """The file's title, and the values of the axes that are not drawn."""
    points = [f"{spaced(dim)} = {describe_point(coordinate(data, dim), index)}"
              for dim, index in fixed.items()]
    parts = [str(data.attrs.get("title", "")).strip(), ", ".join(points)]
    return "\n".join(textwrap.fill(part, 95) for part in parts if part)


# ----------------------------------------------------------------------------- classes of cells

def mode_colour(code):
    """Fixed by the code, so that a mode looks the same in every figure."""
    if code <= 0:
        return NO_MODE
    turn, place = divmod(code - 1, len(PALETTE))
    return matplotlib.colors.to_hex(
        [1 - (1 - part) * 0.45 ** turn for part in to_rgb(PALETTE[place])])


def kinds_of_modes(codes, names):
    return {code: Kind(spaced(names.get(code, f"code {code}")), mode_colour(code))
            for code in codes}


def kinds_of_outcomes(codes, names):
    return {code: Kind(spaced(names.get(code, f"outcome {code}")),
                       *OUTCOME_STYLE.get(code, OUTCOME_STYLE[6])) for code in codes}


def classify(picture):
    """Which cells are drawn as a class: (index of the kind or -1, kinds), modes before outcomes."""
    index = np.full(picture.outcome.shape, -1, np.int16)
    kinds = []

    def add(mask, kind):
        index[mask] = len(kinds)
        kinds.append(kind)

    solved = picture.outcome == SOLVED
    if is_category(picture) and picture.name != "outcome":
        present = np.unique(picture.values[solved]).tolist()
        for code, kind in kinds_of_modes(present, flags_of(picture.variable)).items():
            add(solved & (picture.values == code), kind)
    undefined = solved & ~np.isfinite(picture.values)
    if undefined.any():
        add(undefined, Kind(undefined_label(picture, undefined), UNDEFINED))
    present = [code for code in np.unique(picture.outcome).tolist()
               if code != SOLVED or picture.name == "outcome"]
    for code, kind in kinds_of_outcomes(present, picture.outcome_names).items():
        add(picture.outcome == code, kind)
    return index, kinds


def undefined_label(picture, undefined):
    if picture.mode is None:
        return "undefined"
    codes = np.unique(picture.mode[undefined]).tolist()
    return "undefined: " + ", ".join(
        spaced(picture.mode_names.get(code, f"mode {code}")) for code in codes)


def is_category(picture):
    return bool(flags_of(picture.variable))


def count_phases(sequence):
    """Number of two-bit phases; none of them is zero."""
    rest, phases = sequence.astype(np.uint64), np.zeros(sequence.shape, np.int16)
    while rest.any():
        phases += rest != 0
        rest = rest >> np.uint64(2)
    return phases


# ------------------------------------------------------------------------------------- drawing

def draw(picture):
    with matplotlib.rc_context(STYLE):
        line = len(picture.axes) == 1
        height = STRIP_HEIGHT if line and is_category(picture) else HEIGHT
        figure = Figure(figsize=(WIDTH, height), dpi=DPI, layout="constrained")
        ax = figure.add_subplot()
        index, kinds = classify(picture)
        if is_category(picture):
            handles = draw_kinds(ax, picture.axes, index, kinds)
            legend_beside(ax, handles, spaced(picture.name))
        else:
            values = np.where(index < 0, shown_values(picture), np.nan)
            legend_below(figure, ax, draw_kinds(ax, picture.axes, index, kinds))
            (draw_line if line else draw_values)(figure, ax, picture, values)
        set_axes(ax, picture.axes)
        ax.set_title(picture.title, loc="left")
        return figure


def shown_values(picture):
    if picture.name == "sequence":
        return count_phases(picture.values)
    return np.degrees(picture.values) if is_angle(picture.variable) else picture.values


def draw_kinds(ax, axes, index, kinds):
    """One flat colour per class, and hatching over it; returns the entries for a legend."""
    if not kinds:
        return []
    x, y, index, transform = as_plane(ax, axes, index)
    norm = BoundaryNorm(np.arange(len(kinds) + 1) - 0.5, len(kinds))
    colours = ListedColormap([kind.colour for kind in kinds])
    ax.pcolormesh(x, y, np.ma.masked_less(index, 0), cmap=colours, norm=norm, transform=transform,
                  rasterized=True)
    for place, kind in enumerate(kinds):
        if kind.hatch:
            hatch(ax, x, y, index == place, kind.hatch, transform)
    return [Patch(facecolor=kind.colour, hatch=kind.hatch, edgecolor="#505050", linewidth=0.5,
                  label=kind.label) for kind in kinds]


def as_plane(ax, axes, index):
    """Edges and cells of a plane; a line becomes a strip over the full height of the picture."""
    if len(axes) == 2:
        return axes[0].edges, axes[1].edges, index, ax.transData
    return axes[0].edges, np.array([0.0, 1.0]), index[np.newaxis, :], ax.get_xaxis_transform()


def hatch(ax, x, y, mask, pattern, transform):
    """Every edge is given twice, so that the contour follows the sides of the cells exactly."""
    twice = np.repeat(np.repeat(mask, 2, 0), 2, 1).astype(float)
    ax.contourf(np.repeat(x, 2)[1:-1], np.repeat(y, 2)[1:-1], twice, [0.5, 1.5], colors="none",
                hatches=[pattern], transform=transform)


def draw_values(figure, ax, picture, values):
    if not np.isfinite(values).any():
        return
    if picture.variable.dtype.kind == "f":
        colours, low, high, extend = scale_of(values)
        look, ticks = {"cmap": colours, "vmin": low, "vmax": high}, None
    else:
        look, ticks = discrete_scale(values)
        extend = "neither"
    mesh = ax.pcolormesh(picture.axes[0].edges, picture.axes[1].edges,
                         np.ma.masked_invalid(values), rasterized=True, **look)
    bar = figure.colorbar(mesh, ax=ax, extend=extend, ticks=ticks, pad=0.02, aspect=28)
    bar.minorticks_off()
    bar.set_label(field_label(picture))


def scale_of(values):
    """Colours and their range. Rare extremes (a field that diverges) must not flatten the rest."""
    finite = values[np.isfinite(values)]
    low, high = float(finite.min()), float(finite.max())
    inner_low = np.percentile(finite, 0.5, method="higher")
    inner_high = np.percentile(finite, 99.5, method="lower")
    cut_low = inner_low - low > 2 * (inner_high - inner_low) > 0
    cut_high = high - inner_high > 2 * (inner_high - inner_low) > 0
    extend = {(0, 0): "neither", (1, 0): "min", (0, 1): "max", (1, 1): "both"}
    return ("viridis", inner_low if cut_low else low, inner_high if cut_high else high,
            extend[int(cut_low), int(cut_high)])


def discrete_scale(values):
    """One colour per whole number."""
    low, high = int(np.nanmin(values)), int(np.nanmax(values))
    number = high - low + 1
    colours = matplotlib.colormaps["viridis"].resampled(min(number, 256))
    norm = BoundaryNorm(np.linspace(low - 0.5, high + 0.5, min(number, 256) + 1), colours.N)
    return {"cmap": colours, "norm": norm}, np.arange(low, high + 1, max(1, number // 12))


def draw_line(figure, ax, picture, values):
    del figure  # same call as draw_values
    axis = picture.axes[0]
    ax.plot(axis.values, values, color=PALETTE[1], linewidth=0 if axis.options else 1.4, zorder=3)
    alone = np.isfinite(values) & is_marked(axis, values)
    ax.plot(axis.values[alone], values[alone], "o", color=PALETTE[1], markersize=3.5, zorder=3)
    ax.set_ylim(*line_limits(values))  # the strip of classes behind must not widen them
    ax.set_ylabel(field_label(picture))
    ax.grid(True, color="#E5E5E5", linewidth=0.5)
    ax.set_axisbelow(True)


def is_marked(axis, values):
    """Few points, options, and a point between two gaps, which no line would show."""
    if len(values) <= 60 or axis.options:
        return np.full(values.shape, True)
    gap = np.concatenate([[True], ~np.isfinite(values), [True]])
    return gap[:-2] & gap[2:]


def line_limits(values):
    finite = values[np.isfinite(values)]
    if finite.size == 0:
        return 0.0, 1.0
    margin = 0.05 * (np.ptp(finite) or abs(finite[0]) or 1.0)
    return finite.min() - margin, finite.max() + margin


def legend_beside(ax, handles, title):
    ax.legend(handles=handles, title=title, loc="upper left", bbox_to_anchor=(1.025, 1.0),
              borderaxespad=0, frameon=False, alignment="left", handleheight=1.2)


def legend_below(figure, ax, handles):
    """Under the label of the axis: the right-hand side belongs to the colour bar."""
    if handles:
        below = ax.transAxes + ScaledTranslation(0, -0.46, figure.dpi_scale_trans)
        ax.legend(handles=handles, loc="upper left", bbox_to_anchor=(0, 0),
                  bbox_transform=below, borderaxespad=0, frameon=False, ncol=4, handleheight=1.2)


def set_axes(ax, axes):
    set_axis(ax.xaxis, axes[0], ax.set_xscale, ax.set_xlim, ax.set_xlabel)
    if len(axes) == 2:
        set_axis(ax.yaxis, axes[1], ax.set_yscale, ax.set_ylim, ax.set_ylabel)
    elif not ax.get_ylabel():
        ax.yaxis.set_major_locator(NullLocator())  # a strip of classes has no vertical axis


def set_axis(ruler, axis, set_scale, set_limits, set_label):
    if axis.log:
        set_scale("log")
        if axis.edges[-1] > 10 * axis.edges[0]:
            ruler.set_minor_formatter(NullFormatter())
    low, high = axis.edges[[0, -1]]
    set_label(textwrap.fill(axis.label, 60))
    if axis.options:
        ruler.set_ticks(axis.values, axis.options)
    elif axis.whole:
        ruler.set_major_locator(MaxNLocator(integer=True))
    elif axis.degrees and not axis.log and high - low >= 60:
        step = 15 if high - low <= 130 else 45
        ruler.set_major_locator(MultipleLocator(step))
        low, high = (snap(edge, step, (high - low) / 1000) for edge in (low, high))
    set_limits(low, high)


def snap(edge, step, reach):
    """Sweeps avoid 0 and 90 degrees by a hair; their labels are missed all the same."""
    mark = step * round(edge / step)
    return mark if abs(edge - mark) <= reach else edge


# -------------------------------------------------------------------------------------- labels

def spaced(name):
    return str(name).replace("_", " ")


def unit_text(variable):
    unit = str(variable.attrs.get("units", "1"))
    if unit in ("1", ""):
        return ""
    return "deg" if unit == "rad" else re.sub(r"\^(-?\d+)",
                                              lambda m: m[1].translate(SUPERSCRIPT), unit)


def label_of(variable):
    text = str(variable.attrs.get("long_name", "")).strip() or spaced(variable.name)
    unit = unit_text(variable)
    return f"{text} ({unit})" if unit and not flags_of(variable) else text


def field_label(picture):
    if picture.name == "sequence":
        return "number of contact phases"
    name, text = spaced(picture.name), label_of(picture.variable)
    text = text if text.startswith(name) else f"{name}: {text}"
    return textwrap.fill(text, 50)


# ---------------------------------------------------------------------------------- the command

class Parser(argparse.ArgumentParser):
    def error(self, message):
        raise BadInput(message)  # one line, as every other error


def parse_arguments(arguments):
    parser = Parser(prog=PROGRAM, description="Draws one field of a map file over one or two of "
                                              "its axes.")
    parser.add_argument("file", metavar="FILE", help="map file, complete or still growing")
    parser.add_argument("-o", metavar="PICTURE", dest="output",
                        help="png, pdf or svg (default: FILE with its suffix replaced by "
                             "-FIELD.png)")
    parser.add_argument("--field", metavar="NAME", help="output to draw (default: mode)")
    parser.add_argument("--slice", metavar="AXIS=VALUE", dest="slices", action="append",
                        default=[], help="take an axis at its point nearest to VALUE: a number, "
                                         "30deg on angles, an option's name on choices")
    return parser.parse_args(arguments)


def output_path(options, name):
    path = options.output
    if path is None:
        path = f"{os.path.splitext(options.file)[0]}-{name}.png"
    check_picture(path)
    return path


def check_picture(path):
    suffix = os.path.splitext(path)[1].lower()
    if suffix not in FORMATS:
        raise BadInput(f"'{path}': a picture ends in {', '.join(FORMATS)}")
    if not os.path.isdir(os.path.dirname(path) or "."):
        raise BadInput(f"{path}: no such folder")


def save(figure, path):
    """Under another name first, so that nobody ever sees half a picture."""
    partial = f"{path}.{os.getpid()}.partial"
    try:
        with matplotlib.rc_context(STYLE):  # hatching reads its line width only now
            figure.savefig(partial, format=os.path.splitext(path)[1][1:].lower(), dpi=DPI)
        os.replace(partial, path)
    except OSError as reason:
        raise BadInput(f"{path}: cannot write ({reason.strerror or reason})") from None
    finally:
        if os.path.exists(partial):
            os.unlink(partial)


def main(arguments=None):
    notes = []  # said at the end, so that an error is one line
    try:
        options = parse_arguments(arguments)
        with open_map(options.file) as data:
            name = choose_field(data, options.field)
            path = output_path(options, name)
            chosen = parse_slices(data, name, options.slices, notes)
            picture = load_picture(data, name, chosen, notes)
        save(draw(picture), path)
    except BadInput as reason:
        print(f"{PROGRAM}: error: {reason}", file=sys.stderr)
        return 2
    for note in notes:
        print(f"{PROGRAM}: note: {note}", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
