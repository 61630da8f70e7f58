#!/usr/bin/python3
"""Draws how an output spreads over a sample: median, half and ninety per cent of it, over one axis.

    plot_band.py FILE [-o PICTURE] [--field NAME] [--over AXIS] [--x AXIS] [--slice AXIS=VALUE ...]

Points of the sample that are not solved are left out, and so is what is undefined in them; the file
may still be growing. Exit codes: 0 the picture is written, 2 bad input (one line on stderr, nothing
written).
"""
import os
import sys
import warnings

import matplotlib
import numpy as np
import plot_map  # before others that load HDF5: it opens files without a lock
from matplotlib.figure import Figure
from plot_map import BadInput, PALETTE, SOLVED, STYLE

PROGRAM = "plot_band.py"
BANDS = ((5, 95, 0.22), (25, 75, 0.45))  # per cent from, to; opacity
SIZE = (plot_map.WIDTH, 3.6)


def sampled_axis(data, dims, wanted):
    """The axis to take the spread over: that of a sample, if there is only one such."""
    if wanted is not None:
        if wanted not in dims:
            raise BadInput(plot_map.unknown("axis", wanted, dims))
        return wanted
    samples = [dim for dim in dims
               if "sample" in str(data[dim].attrs.get("long_name", "")) or dim == "sample"]
    if len(samples) != 1:
        raise BadInput(f"which axis is the sample? choose with --over: {', '.join(dims)}")
    return samples[0]


def horizontal_axis(data, dims, over, wanted, chosen, notes):
    """The longest other axis; the rest is taken at its middle, unless sliced."""
    free = [dim for dim in dims if dim != over and dim not in chosen and data.sizes[dim] > 1]
    if wanted is not None and wanted not in free:
        raise BadInput(plot_map.unknown("axis for --x", wanted, free))
    if not free:
        raise BadInput("nothing left to draw: no other axis has more than one free point")
    x = wanted or max(free, key=lambda dim: data.sizes[dim])
    for dim in free:
        if dim != x:
            chosen[dim] = data.sizes[dim] // 2
            at = plot_map.describe_point(plot_map.coordinate(data, dim), chosen[dim])
            notes.append(f"axis '{dim}' is taken at its middle, {at}; "
                         f"choose with --slice {dim}=VALUE")
    return x


def load(data, name, over, x, chosen):
    """Values as [sample][x], NaN where there are none, in the order of the axis."""
    where = {dim: chosen.get(dim, 0) for dim in data["outcome"].dims if dim not in (over, x)}
    part = data.isel(where)
    outcome = part["outcome"].transpose(over, x).values
    values = part[name].transpose(over, x).values.astype(float)
    axis = plot_map.make_axis(plot_map.coordinate(data, x))
    return axis, np.where(outcome == SOLVED, values, np.nan)[:, axis.order]


def choose_field(data, wanted):
    real = [name for name in plot_map.fields_of(data)
            if data[name].dtype.kind == "f" and data[name].dims == data["outcome"].dims]
    if wanted is not None and wanted not in real:
        raise BadInput(plot_map.unknown("real output over the axes", wanted, real))
    shown = [name for name in real if name != "residual"]
    if not shown:
        raise BadInput("the map has no real output to draw; try plot_map.py")
    return wanted or shown[0]


def draw(axis, values, label, sample, title):
    """A figure of the spread of values [sample][x]."""
    with matplotlib.rc_context(STYLE):
        figure = Figure(figsize=SIZE, layout="constrained")
        ax = figure.subplots()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RuntimeWarning)  # columns without any value
            for low, high, opacity in BANDS:
                ends = np.nanpercentile(values, (low, high), axis=0)
                ax.fill_between(axis.values, *ends, color=PALETTE[1], alpha=opacity, linewidth=0,
                                label=f"{high - low} % of the {sample}")
            ax.plot(axis.values, np.nanmedian(values, axis=0), color=PALETTE[0], linewidth=1.1,
                    label="median")
        ax.set(xlabel=axis.label, ylabel=label, xlim=(axis.values[0], axis.values[-1]))
        if axis.log:
            ax.set_xscale("log")
        ax.grid(color="#e8e8e8", linewidth=0.6)
        ax.set_axisbelow(True)
        ax.set_title(title, loc="left")
        ax.legend(frameon=False)
        return figure


def parse_arguments(arguments):
    parser = plot_map.Parser(prog=PROGRAM, description="Draws the spread of an output over a sample.")
    parser.add_argument("file", metavar="FILE", help="map file, complete or still growing")
    parser.add_argument("-o", metavar="PICTURE", dest="output",
                        help="png, pdf or svg (default: FILE with its suffix replaced by "
                             "-band.png)")
    parser.add_argument("--field", metavar="NAME", help="output (default: the first real one)")
    parser.add_argument("--over", metavar="AXIS", help="the sample (default: the sampled axis)")
    parser.add_argument("--x", metavar="AXIS", help="horizontal axis (default: the longest)")
    parser.add_argument("--slice", metavar="AXIS=VALUE", dest="slices", action="append",
                        default=[], help="take an axis at its point nearest to VALUE")
    options = parser.parse_args(arguments)
    options.output = options.output or f"{os.path.splitext(options.file)[0]}-band.png"
    return options


def main(arguments=None):
    notes = []  # said at the end, so that an error is one line
    try:
        options = parse_arguments(arguments)
        with plot_map.open_map(options.file) as data:
            name = choose_field(data, options.field)
            plot_map.check_picture(options.output)
            dims = [str(dim) for dim in data[name].dims]
            chosen = plot_map.parse_slices(data, name, options.slices, notes)
            over = sampled_axis(data, dims, options.over)
            x = horizontal_axis(data, dims, over, options.x, chosen, notes)
            axis, values = load(data, name, over, x, chosen)
            title = plot_map.title_of(data, chosen)
            figure = draw(axis, values, plot_map.label_of(data[name]),
                          f"{values.shape[0]} points", title)
        plot_map.save(figure, options.output)
    except BadInput as reason:
        print(f"{PROGRAM}: error: {reason}", file=sys.stderr)
        return 2
    for note in notes:
        print(f"{PROGRAM}: note: {note}", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
