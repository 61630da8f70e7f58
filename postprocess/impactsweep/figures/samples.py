"""Samples: the sampled axis, its uncertain parameters, and the values of an output over it."""
from __future__ import annotations

import argparse
import re

import numpy as np
import xarray as xr

from ..errors import InputError
from ..maps import contents
from ..maps.contents import SOLVED
from ..maps.planes import Axis
from ..values import Reals
from . import labels, settings, slicing
from .wrapping import wrapped

MOST_PANELS = 6
IN_DEGREES = re.compile(r"\S+ rad \((\S+) deg\)")  # of "0.5235988 rad (30 deg)"


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="map file, complete or still growing")
    parser.add_argument("--field", metavar="NAME", help="output (default: the first real one)")
    parser.add_argument("--sample", metavar="AXIS", help="the sample (default: the sampled axis)")
    slicing.add_slice(parser)


def choose_field(data: xr.Dataset, wanted: str | None) -> str:
    real = [name for name in contents.real_fields(data) if data[name].dims == data["outcome"].dims]
    if wanted is not None and wanted not in real:
        raise InputError(contents.unknown("real output over the axes", wanted, real))
    shown = [name for name in real if name not in contents.BOOKKEEPING]
    if not shown:
        raise InputError("the map has no real output to draw; try plot_map.py")
    return wanted or shown[0]


def sampled_axis(data: xr.Dataset, dims: list[str], wanted: str | None) -> str:
    """The axis to take the spread over: the one that was asked for, or the only sampled one."""
    if wanted is not None:
        if wanted not in dims:
            raise InputError(contents.unknown("axis", wanted, dims))
        return wanted
    samples = [dim for dim in dims if contents.is_sample(data, dim)]
    if len(samples) != 1:
        raise InputError(f"{len(samples)} axes are samples, not one; choose an axis with --sample: "
                       f"{', '.join(dims)}")
    return samples[0]


def choose(data: xr.Dataset, wanted: str | None, options: argparse.Namespace, notes: list[str]) -> tuple[str, list[str],
           dict[str, int], str]:
    """The name and dimensions of the output to draw, the places of the slices, and the axis of the sample."""
    settings.check_names(data, settings.now())
    name = choose_field(data, wanted)
    dims = [str(dim) for dim in data[name].dims]
    chosen = slicing.parse_slices(data, dims, options.slices, notes)
    return name, dims, chosen, sampled_axis(data, dims, options.sample)


def horizontal_axis(data: xr.Dataset, dims: list[str], over: str | None, wanted: str | None, chosen: dict[str, int],
                    notes: list[str]) -> str:
    """The longest other axis; the rest is taken at its middle, unless sliced."""
    free = [dim for dim in dims if dim != over and dim not in chosen and data.sizes[dim] > 1]
    if wanted is not None and wanted not in free:
        raise InputError(contents.unknown("axis for --x", wanted, free))
    if not free:
        raise InputError("nothing left to draw: no other axis has more than one free point")
    x = wanted or max(free, key=lambda dim: data.sizes[dim])
    for dim in free:
        if dim != x:
            slicing.take_middle(data, dim, chosen, notes)
    return x


def load_values(data: xr.Dataset, name: str, over: str, axis: Axis, chosen: dict[str, int]) -> Reals:
    """Values as [sample][x], NaN where there are none, in the order of the axis."""
    where = {dim: chosen.get(str(dim), 0) for dim in data[name].dims if dim not in (over, axis.name)}
    part = data.isel(where)
    outcome = contents.load(part["outcome"]).transpose(over, axis.name).values
    values = labels.shown(data[name], contents.load(part[name]).transpose(over, axis.name)
                          .values.astype(float))
    return np.asarray(np.where(outcome == SOLVED, values, np.nan)[:, axis.order])


def load_panels(data: xr.Dataset, name: str, over: str, panels: str | None, chosen: dict[str, int]) -> Reals:
    """Values as [panel][sample], NaN where there are none. panels: a dimension, or None."""
    where = {dim: chosen.get(str(dim), 0) for dim in data[name].dims if dim not in (over, panels)}
    part, dims = data.isel(where), [dim for dim in (panels, over) if dim]
    outcome = contents.load(part["outcome"]).transpose(*dims).values
    values = labels.shown(data[name], contents.load(part[name]).transpose(*dims).values.astype(float))
    return np.asarray(np.atleast_2d(np.where(outcome == SOLVED, values, np.nan)))


def choose_panels(data: xr.Dataset, dims: list[str], over: str, wanted: str | None, chosen: dict[str, int],
                  notes: list[str]) -> str | None:
    """The axis with a panel for each value: the one that was asked for, or one with few values."""
    free = [dim for dim in dims if dim != over and dim not in chosen and data.sizes[dim] > 1]
    if wanted is not None and wanted not in free:
        raise InputError(contents.unknown("axis for --panels", wanted, free))
    if wanted is not None and data.sizes[wanted] > MOST_PANELS:
        raise InputError(f"axis '{wanted}' has {data.sizes[wanted]} points, at most {MOST_PANELS} are "
                       "drawn as panels")
    few = [dim for dim in free if data.sizes[dim] <= MOST_PANELS]
    panels = wanted or (few[-1] if few else None)
    for dim in free:
        if dim != panels:
            slicing.take_middle(data, dim, chosen, notes)
    return panels


def uncertain(data: xr.Dataset, over: str) -> str:
    """The uncertain parameters of a sample in words, each with its distribution."""
    columns = [data[name] for name in contents.columns_of(data, over)] or (
        [data[over]] if over in data.coords and not contents.is_sample(data, over) else [])
    return "; ".join(f"{labels.words_of(column)} {drawn_how(column)}" for column in columns)


def drawn_how(column: xr.DataArray) -> str:
    words = str(column.attrs.get("distribution", ""))
    if words:
        return "(" + labels.typeset(IN_DEGREES.sub(r"\1°", words)) + ")"
    low, high = int(np.argmin(column.values)), int(np.argmax(column.values))
    return f"({labels.value_text(column, low)} to {labels.value_text(column, high)})"


def legend_title(text: str, number: int) -> str:
    """The size of a sample and its uncertain parameters, in lines as long as the figure is wide."""
    title = f"sample of {number}" + (f", uncertain: {text}" if text else "")
    return wrapped(labels.spaced(title), settings.now().width - 0.3)
