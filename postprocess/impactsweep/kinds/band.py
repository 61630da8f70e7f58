"""Draws how an output spreads over a sample: median, half and ninety per cent of it, over one axis.

Points of the sample that are not solved are left out, and so is what is undefined in them.
"""
import textwrap
import warnings

import numpy as np
from matplotlib.figure import Figure

from .. import command, dimensions, files, labels, looks
from ..files import BadInput, SOLVED

BANDS = ((5, 95, 0.22), (25, 75, 0.45))  # per cent from, to; opacity
HEIGHT = 3.6  # inches


def sampled_axis(data, dims, wanted):
    """The axis to take the spread over: that of a sample, if there is only one such."""
    if wanted is not None:
        if wanted not in dims:
            raise BadInput(files.unknown("axis", wanted, dims))
        return wanted
    samples = [dim for dim in dims if files.is_sample(data, dim)]
    if len(samples) != 1:
        raise BadInput(f"which axis is the sample? choose with --over: {', '.join(dims)}")
    return samples[0]


def horizontal_axis(data, dims, over, wanted, chosen, notes):
    """The longest other axis; the rest is taken at its middle, unless sliced."""
    free = [dim for dim in dims if dim != over and dim not in chosen and data.sizes[dim] > 1]
    if wanted is not None and wanted not in free:
        raise BadInput(files.unknown("axis for --x", wanted, free))
    if not free:
        raise BadInput("nothing left to draw: no other axis has more than one free point")
    x = wanted or max(free, key=lambda dim: data.sizes[dim])
    for dim in free:
        if dim != x:
            dimensions.take_middle(data, dim, chosen, notes)
    return x


def load_values(data, name, over, axis, chosen):
    """Values as [sample][x], NaN where there are none, in the order of the axis."""
    where = {dim: chosen.get(dim, 0) for dim in data[name].dims if dim not in (over, axis.name)}
    part = data.isel(where)
    outcome = files.load(part["outcome"]).transpose(over, axis.name).values
    values = labels.shown(data[name], files.load(part[name]).transpose(over, axis.name)
                          .values.astype(float))
    return np.where(outcome == SOLVED, values, np.nan)[:, axis.order]


def choose_field(data, wanted):
    real = [name for name in files.real_fields(data) if data[name].dims == data["outcome"].dims]
    if wanted is not None and wanted not in real:
        raise BadInput(files.unknown("real output over the axes", wanted, real))
    shown = [name for name in real if name not in files.BOOKKEEPING]
    if not shown:
        raise BadInput("the map has no real output to draw; try plot_map.py")
    return wanted or shown[0]


@looks.styled
def draw(axis, values, label, sample, title):
    """A figure of the spread of values [sample][x]."""
    figure = Figure(figsize=(looks.WIDTH, HEIGHT), dpi=looks.DPI, layout="constrained")
    ax = figure.subplots()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # columns without any value
        for low, high, opacity in BANDS:
            ends = np.nanpercentile(values, (low, high), axis=0)
            ax.fill_between(axis.values, *ends, color=looks.BLUE, alpha=opacity, linewidth=0,
                            label=f"{high - low} % of the\n{sample}")
        ax.plot(axis.values, np.nanmedian(values, axis=0), color=looks.DARK, linewidth=1.1,
                label="median")
    looks.set_axes(ax, [axis])
    ax.set(ylabel=textwrap.fill(label, 45), xlim=(axis.values[0], axis.values[-1]))
    ax.yaxis.set_major_locator(looks.MaxNLocator(8))
    looks.draw_grid(ax)
    ax.set_title(title, loc="left")
    ax.legend(frameon=False, loc="upper left", bbox_to_anchor=(1.01, 1), borderaxespad=0)
    return figure


# ---------------------------------------------------------------------------------- the command

def add_options(parser):
    parser.add_argument("file", metavar="FILE", help="map file, complete or still growing")
    parser.add_argument("--field", metavar="NAME", help="output (default: the first real one)")
    parser.add_argument("--over", metavar="AXIS", help="the sample (default: the sampled axis)")
    parser.add_argument("--x", metavar="AXIS", help="horizontal axis (default: the longest)")
    dimensions.add_slice(parser)


def default_output(options):
    return command.beside(options.file, "-band.png")


def load(options, notes):
    """What `draw` takes."""
    with files.open_map(options.file) as data:
        name = choose_field(data, options.field)
        dims = [str(dim) for dim in data[name].dims]
        chosen = dimensions.parse_slices(data, dims, options.slices, notes)
        over = sampled_axis(data, dims, options.over)
        x = horizontal_axis(data, dims, over, options.x, chosen, notes)
        axis = dimensions.make_axis(data, x)
        values = load_values(data, name, over, axis, chosen)
        dimensions.note_log([axis], notes)
        return (axis, values, labels.label_of(data[name]), f"{values.shape[0]} points",
                labels.title_of(data, chosen))


def make(options, notes):
    return draw(*load(options, notes))
