"""Draws the spread of an output over a sample, along one axis: median and bands of 50 % and 90 %.

Cells that are not solved are left out, and so are undefined values.
"""
import warnings

import numpy as np

from ...maps import contents
from .. import labels, layout, looks, measured_points, samples, settings, slicing
from ..survey import SPREAD, Claim
from ..wrapping import wrapped

BANDS = ((5, 95, 0.22), (25, 75, 0.45))  # lower and upper percentile, opacity
HEIGHTS = {"one": 2.0, "two": 2.9}       # inches, of the frame
USES = settings.SCALES | {"points"}


@looks.styled
def draw(axis, values, label, sample, title, field=None, points=None):
    """A figure of the spread of values [sample][x]. sample: title of the legend. field: name of the output
    and whether it is an angle."""
    figure, asked = layout.new_figure(), settings.now()
    ax = figure.subplots()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # columns without any value
        for low, high, opacity in BANDS:
            ends = np.nanpercentile(values, (low, high), axis=0)
            ax.fill_between(axis.values, *ends, color=looks.BLUE, alpha=opacity, linewidth=0,
                            label=f"{high - low} % of the sample")
        ax.plot(axis.values, np.nanmedian(values, axis=0), color=looks.DARK, linewidth=1.1,
                label="median")
    finish_axes(ax, axis, label, field)
    handles = ax.get_legend_handles_labels()[0]
    if points:
        handles += measured_points.draw_points(ax, points, (axis.name, axis.degrees), field)
    return finish(figure, ax, [entry for entry in handles if entry], sample, title,
                  HEIGHTS[asked.size])


def finish_axes(ax, axis, label, field):
    """Ticks, limits and labels of a figure of one output over one axis."""
    asked = settings.now()
    if field and field[0] in asked.log:
        ax.set_yscale("log")
    looks.set_axes(ax, [axis])
    if not labels.shown_limits(axis.name, axis.degrees):
        ax.set_xlim(axis.values[0], axis.values[-1])
    ax.set_ylabel(wrapped(label, HEIGHTS[asked.size]))
    if ax.get_yscale() == "linear":
        ax.yaxis.set_major_locator(looks.MaxNLocator(8))
    if field:
        ax.set_ylim(labels.shown_limits(*field))
    looks.draw_grid(ax)


def finish(figure, ax, handles, sample, title, height):
    if title:
        figure.suptitle(title)
    sheet = layout.Sheet(figure, np.array([[ax]]), height)
    sheet.legends.append(layout.legend_under(ax, handles, sample))
    return layout.fit(sheet)


# ---------------------------------------------------------------------------------- the command

def suits(survey):
    return Claim(SPREAD, f"one of its axes is a sample of {survey.uncertain_names}") \
        if len(survey.samples) == 1 and len(survey.dims) > 1 else None


def add_options(parser):
    samples.add_options(parser)
    parser.add_argument("--x", metavar="AXIS", help="horizontal axis (default: the longest)")


def default_output(options):
    return settings.beside(options.file, "-band.png")


def load(options, notes):
    """The arguments of `draw`."""
    with contents.open_map(options.file) as data:
        name, dims, chosen, over = samples.choose(data, options.field, options, notes)
        x = samples.horizontal_axis(data, dims, over, options.x, chosen, notes)
        axis = slicing.make_axis(data, x)
        values = samples.load_values(data, name, over, axis, chosen)
        slicing.note_log([axis], notes)
        return (axis, values, labels.label_of(data[name]),
                samples.legend_title(samples.uncertain(data, over), values.shape[0]),
                labels.title_of(data, chosen), (name, labels.is_angle(data[name])))


def make(options, notes):
    return draw(*load(options, notes), measured_points.read_points(settings.now().points))
