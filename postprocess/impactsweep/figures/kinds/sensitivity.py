"""Draws how much each uncertain parameter contributes to the variance of each output: bars of the first-order and
total Sobol indices of a sample of Saltelli's design, with bootstrap intervals; a panel for each output and each
name of a category.
"""
from __future__ import annotations

import argparse
import math
from collections.abc import Sequence

import numpy as np
import xarray as xr
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Patch

from ...errors import InputError
from ...inference import sobol
from ...maps import contents
from .. import labels, layout, looks, samples, settings, slicing
from ..survey import INDICES, Claim, Survey
from ..wrapping import size_of, wrapped

HEIGHTS = {"one": 1.2, "two": 1.5}  # inches, of a frame
USES: set[str] = set()
MOST_PANELS = 48
LEVEL = 0.95
LOOKS = {"first_order": {"facecolor": looks.BLUE, "edgecolor": looks.BLUE, "label": "first order"},
         "total": {"facecolor": "white", "edgecolor": looks.RED, "hatch": "/////", "label": "total"}}
WIDTH = 0.36  # of a bar; two stand side by side at each parameter


@looks.styled
def draw(found: xr.Dataset, names: list[str], titles: Sequence[str], sample: str, title: str) -> Figure:
    """A figure of `found`, the indices over quantity and parameter. `names` are labels of the parameters, `titles`
    those of the panels, and `sample` is the text above the legend."""
    figure, asked = layout.new_figure(), settings.now()
    rows = math.ceil(len(titles) / int(asked.width / 1.6))
    columns = math.ceil(len(titles) / rows)
    grid = figure.subplots(rows, columns, sharex=True, sharey=True, squeeze=False)
    wide = (asked.width - 0.8) / columns
    for k, (ax, text) in enumerate(zip(grid.ravel(), titles)):
        draw_panel(ax, found.isel(quantity=k), spread_out(names, wide))
        ax.set_title(wrapped(text, wide))
    for ax in grid.ravel()[len(titles):]:
        ax.set_axis_off()
    for ax in grid.ravel()[max(0, len(titles) - columns):len(titles)]:
        ax.tick_params(axis="x", labelbottom=True, labelrotation=90 * crowded(names, wide))
    for ax in grid[:, 0]:
        ax.set_ylabel("Sobol index")
    grid[0, 0].set_ylim(*limits(found))
    if title:
        figure.suptitle(title)
    sheet = layout.Sheet(figure, grid, HEIGHTS[asked.size])
    handles = [Patch(**look) for look in LOOKS.values()]
    sheet.legends.append(layout.legend_under(grid[0, 0], handles, sample))
    return layout.fit(sheet)


def limits(found: xr.Dataset) -> tuple[float, float]:
    """The ends of the vertical axis, which has room for every bar and its whiskers."""
    ends = np.array([found[name].values for name in found.data_vars if name not in sobol.COUNTS])
    ends = ends[np.isfinite(ends)]
    low, high = min(0.0, ends.min(initial=0)), max(0.2, ends.max(initial=0))
    return low - 0.04 * (high - low) * (low < 0), high + 0.05 * (high - low)


def room(names: Sequence[str], wide: float) -> float:
    """The inches under one pair of bars."""
    return 0.95 * wide / len(names)


def crowded(names: Sequence[str], wide: float) -> bool:
    """Whether some word is too long to fit under its bars."""
    return any(size_of(word)[0] > room(names, wide) for name in names
               for word in ([name] if "$" in name else name.split()))


def spread_out(names: list[str], wide: float) -> list[str]:
    """The names, broken into lines that fit under their bars, if all of their words do."""
    if crowded(names, wide):
        return names
    return [name if "$" in name else wrapped(name, room(names, wide)) for name in names]


def draw_panel(ax: Axes, found: xr.Dataset, names: Sequence[str]) -> None:
    places = np.arange(len(names))
    for shift, (index, look) in zip((-WIDTH / 2, WIDTH / 2), LOOKS.items()):
        values = found[index].values
        ends = np.abs(np.array([found[f"{index}_low"].values, found[f"{index}_high"].values]) - values)
        ax.bar(places + shift, np.nan_to_num(values), WIDTH, yerr=np.nan_to_num(ends), capsize=2,
               error_kw={"linewidth": 0.8}, linewidth=0.6, **look)
    if not np.isfinite(found["total"].values).any():
        ax.text(0.5, 0.5, "does not vary", transform=ax.transAxes, ha="center", va="center")
    ax.set_xticks(places, names)
    ax.set_xlim(-0.6, len(names) - 0.4)
    ax.axhline(0, color=looks.BLACK, linewidth=0.6)
    looks.draw_grid(ax)
    ax.grid(False, axis="x")


# ---------------------------------------------------------------------------------- the command

def suits(survey: Survey) -> Claim | None:
    return Claim(INDICES, "it has a sample of Saltelli's design, which serves Sobol indices") \
        if any(survey.data[dim].attrs.get("design") == "saltelli" for dim in survey.samples) else None


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="map file, complete or still growing")
    parser.add_argument("--field", metavar="NAME", dest="fields", action="append", default=[],
                        help="output to analyse, may be repeated; a category has a panel for each of its names that "
                             "is not rare (default: the mode and every real output that varies)")
    slicing.add_slice(parser)


def default_output(options: argparse.Namespace) -> str:
    return settings.beside(options.file, "-sensitivity.png")


def load(options: argparse.Namespace, notes: list[str]) -> tuple[xr.Dataset, list[str], list[str], str, str]:
    """What `draw` takes."""
    with contents.open_map(options.file) as data:
        settings.check_names(data, settings.now())
        over = sobol.sample_of(data)
        dims = [str(dim) for dim in data["outcome"].dims]
        chosen = slicing.parse_slices(data, dims, options.slices, notes)
        for dim in dims:
            if dim != over and dim not in chosen and data.sizes[dim] > 1:
                slicing.take_middle(data, dim, chosen, notes)
        if over in chosen:
            raise InputError(f"--slice {over}: this is the sample, of which the indices need every point; "
                           "only other axes can be sliced")
        part = data.isel({dim: chosen.get(dim, 0) for dim in dims if dim != over})
        found = sobol.analyse(part, options.fields or None, level=LEVEL)
        found = found if options.fields else without_constants(found, notes)
        notes += sobol.notes_of(found)
        if not 1 <= found.sizes["quantity"] <= MOST_PANELS:
            raise InputError(f"{found.sizes['quantity']} panels, where 1 to {MOST_PANELS} are possible: choose "
                           "outputs by --field")
        fixed = {dim: place for dim, place in chosen.items() if data.sizes[dim] > 1}
        names = [labels.words_of(data[name]) for name in found["parameter"].values]
        return (found, names, [title_of(data, found.isel(quantity=k))
                               for k in range(found.sizes["quantity"])],
                caption(data, over, found), labels.title_of(data, fixed))


def without_constants(found: xr.Dataset, notes: list[str]) -> xr.Dataset:
    """The quantities that vary, unless none does."""
    varies = xr.apply_ufunc(np.isfinite, found["total"]).any("parameter") if found.sizes["quantity"] else np.zeros(0, bool)
    constant = [str(name) for name in found["quantity"].values[~np.asarray(varies)]]
    if constant and len(constant) < found.sizes["quantity"]:
        notes.append(f"without a panel, because they do not vary or are never defined: {', '.join(constant)}; --field NAME "
                     "draws one")
        found = found.isel(quantity=np.flatnonzero(varies))
    return found


def title_of(data: xr.Dataset, one: xr.Dataset) -> str:
    """The quantity of a panel, and the parts of the cells without a value."""
    output, equals, name = str(one["quantity"].item()).partition(" = ")
    text = labels.words_of(data[output]) + (f" = {labels.spaced(name)}" if equals else "")
    parts = [f"{word} in {100 * float(one[name]):.2g} %" for name, word in (
        ("undefined", "undefined"), ("failed", "not solved")) if float(one[name])]
    return text + (f" ({', '.join(parts)})" if parts else "")


def caption(data: xr.Dataset, over: str, found: xr.Dataset) -> str:
    fewest, groups = int(found["groups"].min()), data.sizes[over] // (found.sizes["parameter"] + 2)
    used = f"{groups} groups of points" + (f", of which every panel uses at least {fewest}"
                                           if fewest < groups else "")
    return wrapped(f"{used}; whiskers: {100 * LEVEL:g} % intervals by bootstrap; "
                   f"uncertain: {samples.uncertain(data, over)}", settings.now().width - 0.3)


def make(options: argparse.Namespace, notes: list[str]) -> Figure:
    return draw(*load(options, notes))
