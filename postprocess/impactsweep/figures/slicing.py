"""Dimensions of a map in a figure: slices, and axes with their points, edges and ticks."""
from __future__ import annotations

import argparse
from collections.abc import Iterable, Mapping

import numpy as np
import xarray as xr

from ..errors import InputError
from ..maps.contents import columns_of, coordinate, flags_of, is_extra, is_sample, unknown
from ..maps.planes import Axis
from ..values import Array, Mask
from . import settings
from .labels import (is_angle, label_of, parse_number, point_value, shown, spaced, unit_text, value_text,
                     varying_columns)

MOST_NAMED = 24   # rows of a table that are labelled by their values
ROUNDING = 1e-9   # relative, of an end of an axis that the user writes in other units


# ------------------------------------------------------------------------------------- slices

def add_slice(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--slice", metavar="AXIS=VALUE", dest="slices", action="append",
                        default=[], help="take an axis at its point nearest to VALUE: a number, "
                                         "30deg on angles, an option's name on choices")


def parse_slices(data: xr.Dataset, dims: list[str], texts: Iterable[str], notes: list[str]) -> dict[str, int]:
    """{dimension: index} of the options --slice, for outputs over `dims`."""
    chosen = {}
    for text in texts:
        axis, equals, value = (part.strip() for part in text.partition("="))
        if not equals or not axis or not value:
            raise InputError(f"bad slice '{text}': write axis=value")
        if axis in chosen:
            raise InputError(f"axis '{axis}' is sliced twice")
        if axis not in dims:
            raise InputError(no_axis(data, axis, dims))
        chosen[axis] = pick(coordinate(data, axis), value, notes)
    return chosen


def no_axis(data: xr.Dataset, axis: str, dims: list[str]) -> str:
    if axis in data.coords and len(data[axis].dims) == 1:
        carrier = data[axis].dims[0]
        return f"'{axis}' is a column of axis '{carrier}': slice {carrier}=NUMBER"
    if axis in data.sizes:
        return f"the drawn output has no axis '{axis}'; it has: {', '.join(dims)}"
    return unknown("axis", axis, dims)


def pick(points: xr.DataArray, text: str, notes: list[str]) -> int:
    """Index of the point of an axis that is nearest to a value, which must lie within the axis."""
    options = flags_of(points)
    if options:
        present = [options.get(int(code), str(code)) for code in points.values]
        if text not in present:
            raise InputError(unknown(f"option of '{points.name}'", text, present))
        return present.index(text)
    value = parse_number(text, str(points.attrs.get("units", "1")), str(points.name))
    at = points.values.astype(float)
    room = ROUNDING * max(abs(at.min()), abs(at.max()))
    if not at.min() - room <= value <= at.max() + room:
        raise InputError(outside(points, text, at))
    nearest = int(np.argmin(np.abs(at - value)))
    if abs(at[nearest] - value) > room:
        notes.append(f"{points.name}={text} lies between two points; the nearest one is drawn: "
                     f"{value_text(points, nearest)}")
    return nearest


def outside(points: xr.DataArray, text: str, at: Array) -> str:
    low, high = (value_text(points, int(place(at))) for place in (np.argmin, np.argmax))
    written = "" if not is_angle(points) or text.endswith(("deg", "rad")) else (
        " is in radians (write 30deg for degrees) and")
    return f"{points.name}={text}{written} is outside the axis, which runs from {low} to {high}"


def take_middle(data: xr.Dataset, dim: str, chosen: dict[str, int], notes: list[str]) -> None:
    """Fixes a dimension that is neither drawn nor sliced."""
    chosen[dim] = data.sizes[dim] // 2
    notes.append(f"axis '{dim}' is taken at its middle, {point_value(data, dim, chosen[dim])}; "
                 f"choose with --slice {dim}=VALUE")


def held(data: xr.Dataset, fixed: Mapping[str, int]) -> dict[str, xr.DataArray]:
    """{parameter: its only value} where a plane is drawn: those of the whole map, and those of the points {dimension: index}."""
    there = {str(name): variable for name, variable in data.coords.items() if set(map(str, variable.dims)) <= set(fixed)}
    return {name: variable.isel({dim: fixed[str(dim)] for dim in variable.dims}).drop_vars(list(variable.coords)).expand_dims("held")
            for name, variable in there.items() if not is_extra(data, name)}


def is_at(points: xr.DataArray, value: xr.DataArray) -> Mask:
    """At which points of an axis a parameter has a value of another map: an option by its name, a number but for rounding."""
    if flags_of(points) or flags_of(value):
        wanted = flags_of(value).get(int(value.values[0]))
        return np.array([flags_of(points).get(int(code)) == wanted for code in points.values])
    at, one = points.values.astype(float), float(value.values[0])
    return np.asarray(np.abs(at - one) <= ROUNDING * np.maximum(np.abs(at), abs(one)))


# --------------------------------------------------------------------------------------- axes

def make_axis(data: xr.Dataset, dim: str, where: slice = slice(None)) -> Axis:
    """The axis of a dimension, or of a part of it."""
    part = data.isel({dim: where})
    points = coordinate(part, dim)
    if columns_of(data, dim):
        return table_axis(part, dim, points)
    options = flags_of(points)
    if options:
        names = [spaced(options.get(int(code), str(code))) for code in points.values]
        return named_axis(dim, label_of(points), names)
    stored = points.values.astype(float)
    order = np.argsort(stored, kind="stable")  # lists may be in any order
    values = shown(points, stored[order])
    log = is_drawn_log(dim, points, values)
    edges = cell_edges(values, log)
    if points.dtype.kind == "f" and points.size > 1:
        edges[[0, -1]] = values[[0, -1]]  # nothing was swept beyond
    return Axis(dim, label_of(points), values, edges, order, log, None,
                is_angle(points), points.dtype.kind in "iu", not is_sample(data, dim))


def named_axis(dim: str, label: str, names: list[str]) -> Axis:
    values = np.arange(len(names))
    return Axis(dim, label, values, cell_edges(values), values, options=names, joined=False)


def table_axis(part: xr.Dataset, dim: str, points: xr.DataArray) -> Axis:
    """Rows are labelled by their values, where there is room; points of a sample by their numbers."""
    if is_sample(part, dim) or points.size > MOST_NAMED:
        values = np.arange(points.size)
        return Axis(dim, label_of(points), values, cell_edges(values), values, whole=True,
                    joined=False)
    columns = varying_columns(part, dim)
    names = [", ".join(bare_value(column, index) for column in columns)
             for index in range(points.size)]
    label = ", ".join(label_of(column) for column in columns)
    return named_axis(dim, f"{label_of(points)}: {label}", names)


def bare_value(column: xr.DataArray, index: int) -> str:
    """A value without its unit, which the label of the axis shows."""
    text = value_text(column, index)
    return text.removesuffix("°").removesuffix(f" {unit_text(column)}" if unit_text(column) else "")


def is_drawn_log(name: str, points: xr.DataArray, values: Array) -> bool:
    asked = settings.now()
    if name in asked.log and values[0] <= 0:
        raise InputError(f"--log: '{name}' has values that are not above 0")
    return name in asked.log or (name not in asked.linear and points.dtype.kind == "f"
                                 and is_log_spaced(values))


def is_log_spaced(values: Array) -> bool:
    """Whether ratios are equal and steps are not, so that no linear axis passes for a logarithmic one."""
    if len(values) < 3 or values[0] <= 0 or values[0] == values[-1]:
        return False
    ratios, steps = np.diff(np.log(values)), np.diff(values)
    return bool(np.ptp(ratios) < 1e-3 * ratios.mean() and np.ptp(steps) > 1e-2 * steps.mean())


def cell_edges(values: Array, log: bool = False) -> Array:
    """n + 1 edges half-way between n points, half-way in the logarithm on a logarithmic axis."""
    at = np.log(values) if log else np.asarray(values, float)
    if len(at) == 1:
        return np.asarray(values + np.array([-0.5, 0.5]))
    middle = (at[1:] + at[:-1]) / 2
    edges = np.concatenate([[2 * at[0] - middle[0]], middle, [2 * at[-1] - middle[-1]]])
    return np.asarray(np.exp(edges) if log else edges)


def note_log(axes: Iterable[Axis], notes: list[str]) -> None:
    """Notes every logarithmic axis that the user did not ask for."""
    for axis in axes:
        if axis.log and axis.name not in settings.now().log:
            notes.append(f"axis '{axis.name}' has equal ratios and is drawn logarithmically")
