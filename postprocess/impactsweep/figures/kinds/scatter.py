"""Draws an output against the uncertain parameters of a sample, a panel for each; or against another output,
named by --x.
"""
from __future__ import annotations

import argparse
from collections.abc import Sequence

import numpy as np
import xarray as xr
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator

from ...errors import InputError
from ...maps import contents
from ...values import Reals
from .. import labels, layout, looks, samples, settings, slicing
from ..labels import Field
from ..survey import ASKED, FEW_COLUMNS, Claim, Survey
from ..wrapping import wrapped

Column = tuple[str, str, Reals, bool]  # name, label, values, whether it is an angle
HEIGHTS = {"one": 1.5, "two": 2.2}  # inches, of a frame
USES = settings.SCALES
MOST_COLUMNS = 4
MOST_ACROSS = {"one": 2, "two": 4}  # panels
DOT = {"linestyle": "none", "marker": "o", "color": looks.BLUE, "markeredgecolor": "none"}


@looks.styled
def draw(columns: Sequence[Column], values: Reals, label: str, sample: str, title: str, field: Field) -> Figure:
    """columns: [(name, label, values, whether it is an angle)] against values [sample]."""
    figure, asked = layout.new_figure(), settings.now()
    across = min(len(columns), MOST_ACROSS[asked.size])
    grid = figure.subplots(-(-len(columns) // across), across, sharey=True, squeeze=False)
    wide, size = (asked.width - 0.8) / across, 3 if values.size <= 400 else 1.5
    for ax in grid.ravel()[len(columns):]:
        ax.set_axis_off()
    for ax, (name, text, at, angle) in zip(grid.ravel(), columns):
        ax.plot(at, values, markersize=size, **DOT)
        for ruler, set_scale, of in ((ax.xaxis, ax.set_xscale, name),
                                     (ax.yaxis, ax.set_yscale, field[0])):
            if of in asked.log:
                set_scale("log")
            else:
                ruler.set_major_locator(MaxNLocator(max(2, min(6, int(wide / 0.7))),
                                                    steps=[1, 2, 2.5, 5, 10]))
        ax.set_xlim(labels.shown_limits(name, angle))
        ax.set_xlabel(wrapped(text, wide))
        ax.set_title(wrapped(labels.typeset(f"rank correlation {rank_correlation(at, values):.2f}"), wide))
        looks.draw_grid(ax)
    grid[0, 0].set_ylim(labels.shown_limits(*field))
    for ax in grid[:, 0]:
        ax.set_ylabel(wrapped(label, HEIGHTS[asked.size]))
    if title:
        figure.suptitle(title)
    sheet = layout.Sheet(figure, grid, HEIGHTS[asked.size])
    handles = [Line2D([], [], label="point of the sample", markersize=size, **DOT)]
    sheet.legends.append(layout.legend_under(grid[0, 0], handles, sample))
    return layout.fit(sheet)


def rank_correlation(x: Reals, y: Reals) -> float:
    """Spearman's rank correlation of the pairs of finite values; NaN where x or y does not vary."""
    there = np.isfinite(x) & np.isfinite(y)
    if there.sum() < 2 or np.ptp(x[there]) == 0 or np.ptp(y[there]) == 0:
        return np.nan
    ranks = [np.argsort(np.argsort(part[there], kind="stable")) for part in (x, y)]
    return float(np.corrcoef(ranks[0], ranks[1])[0, 1])


# ---------------------------------------------------------------------------------- the command

def suits(survey: Survey) -> Claim | None:
    if survey.against:
        return Claim(ASKED, f"{survey.against} is an output") if survey.samples else None
    if survey.is_sample and 1 <= len(survey.uncertain) <= MOST_COLUMNS:
        return Claim(FEW_COLUMNS, f"its only free axis is a sample of {survey.uncertain_names}")
    return None


def add_options(parser: argparse.ArgumentParser) -> None:
    samples.add_options(parser)
    parser.add_argument("--x", metavar="NAME", help="one parameter of the sample, or an output "
                                                    "(default: every parameter)")
    parser.add_argument("--y", metavar="NAME", help="the same as --field")


def default_output(options: argparse.Namespace) -> str:
    return settings.beside(options.file, "-scatter.png")


def columns_of(data: xr.Dataset, over: str, wanted: str | None, chosen: dict[str, int]) -> list[Column]:
    """[(name, label, values, whether it is an angle)] of the variables along x."""
    names = contents.columns_of(data, over)
    if wanted is None and len(names) > MOST_COLUMNS:
        raise InputError(f"the sample has {len(names)} parameters, at most {MOST_COLUMNS} are drawn; choose "
                       f"one with --x: {', '.join(names)}")
    if wanted is not None and wanted not in names:
        outputs = [name for name in contents.real_fields(data)
                   if data[name].dims == data["outcome"].dims]
        if wanted not in outputs:
            raise InputError(contents.unknown("parameter or output for --x", wanted, names + outputs))
        values = samples.load_panels(data, wanted, over, None, chosen)[0]
        return [(wanted, labels.label_of(data[wanted]), values, labels.is_angle(data[wanted]))]
    found = [data[name] for name in ([wanted] if wanted else names)]
    return [(str(one.name), labels.label_of(one), labels.shown(one, one.values.astype(float)),
             labels.is_angle(one)) for one in found]


def load(options: argparse.Namespace, notes: list[str]) -> tuple[list[Column], Reals, str, str, str, Field]:
    """The arguments of `draw`."""
    with contents.open_map(options.file) as data:
        name, dims, chosen, over = samples.choose(data, options.field or options.y, options, notes)
        for dim in dims:
            if dim != over and dim not in chosen and data.sizes[dim] > 1:
                slicing.take_middle(data, dim, chosen, notes)
        values = samples.load_panels(data, name, over, None, chosen)[0]
        fixed = {dim: place for dim, place in chosen.items() if data.sizes[dim] > 1}
        return (columns_of(data, over, options.x, chosen), values, labels.label_of(data[name]),
                samples.legend_title(samples.uncertain(data, over), values.size),
                labels.title_of(data, fixed), (name, labels.is_angle(data[name])))


def make(options: argparse.Namespace, notes: list[str]) -> Figure:
    return draw(*load(options, notes))
