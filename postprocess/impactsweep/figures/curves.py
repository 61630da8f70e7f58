"""Families of curves: the role of each dimension of an output, and the values to draw."""
from __future__ import annotations

import argparse
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Union

import numpy as np
import xarray as xr

from ..errors import InputError
from ..maps import contents
from ..maps.contents import SOLVED, coordinate, flags_of
from ..maps.planes import Axis
from ..values import Array
from . import following, labels, looks, settings, slicing, twin_scales
from .labels import spaced
from .maw import COLUMNS, is_psi, maw_scale, psi_label

MOST_CURVES, MOST_PANELS, MOST_ROWS = 9, 6, 3
VISIBLE = 1e-3       # share of its size by which an output must vary to be worth a panel
MOST_LOOKED_AT = 12  # outputs that are read to find out whether they vary
ROLES = ("panels", "curves", "x")
Roles = dict[str, Union[str, None]]  # {role: its dimension}


@dataclass
class Family:
    """The curves of a figure: values[field] is [branch][panel][curve][x], x is [panel][curve][x]."""
    x: Array
    values: dict[str, Array]
    labels: dict[str, str]
    x_axis: Axis
    x_label: str
    curves: list[str]  # texts; "" for the only one
    curves_label: str
    curves_ordered: bool
    panels: list[str]
    title: str
    thin: Array  # where some other of the fields is undefined
    thin_label: str
    uncurved: list[str] = field(default_factory=list)  # fields that are the same for every curve
    x_name: str = ""
    angles: set[str] = field(default_factory=set)  # of x and the fields, those in degrees
    log: dict[str, bool] = field(default_factory=dict)   # {field: whether it is drawn logarithmically}
    x_is_output: bool = False
    path: str = ""
    psi: bool = False  # whether velocity ratios are Maw's angles
    # {field in SI: (its unit, what gives the value without unit)}
    plain: dict[str, tuple[str, float]] = field(default_factory=dict)

    def measured_name(self, name: str) -> str:
        """The column of measured points that belongs to an axis or field."""
        return COLUMNS[name] if is_psi(name, self.psi) else name


# ------------------------------------------------------------------------------ what goes where

def choose_fields(data: xr.Dataset, wanted: list[str], notes: list[str] | None = None) -> list[str]:
    """The real outputs to draw; by default the first ones, all over the same dimensions."""
    for name in wanted:
        contents.derive(data, name)
    real = [name for name in contents.real_fields(data) if all(
        dim in contents.grid_of(data) or contents.is_extra(data, str(dim)) for dim in data[name].dims)]
    if not wanted:
        return first_fields(data, real, [] if notes is None else notes)
    for name in wanted:
        if name not in contents.fields_of(data):
            raise InputError(contents.unknown("field", name, real))
        if name not in real:
            raise InputError(f"field '{name}' is no real output over the axes; allowed: "
                           f"{', '.join(real) or 'none'} (plot_map.py draws other fields)")
    if len(wanted) > MOST_ROWS:
        raise InputError(f"{len(wanted)} fields are too many, at most {MOST_ROWS} are drawn")
    return wanted


def first_fields(data: xr.Dataset, real: list[str], notes: list[str]) -> list[str]:
    """The first outputs over the same dimensions, without those that do not vary."""
    shown = [name for name in real if name not in contents.BOOKKEEPING]
    if not shown:
        raise InputError("the map has no real output to draw; try plot_map.py")
    level = [name for name in shown[:MOST_LOOKED_AT]
             if not contents.varies(data, name, dims_of(data, [name]), VISIBLE)]
    telling = [name for name in shown if name not in level] or shown
    alike = [name for name in telling if data[name].dims == data[telling[0]].dims][:MOST_ROWS]
    left = [name for name in shown if name not in alike]
    if left:
        notes.append(f"not drawn: {', '.join(left)}; choose with --field NAME")
    return alike


def dims_of(data: xr.Dataset, fields: list[str]) -> list[str]:
    """The dimensions of all fields, in the order of the file."""
    return list(dict.fromkeys(str(dim) for name in fields for dim in data[name].dims))


def assign(data: xr.Dataset, fields: list[str], chosen: dict[str, int], options: argparse.Namespace,
           notes: list[str]) -> Roles:
    """{role: dimension or None}; other dimensions are fixed at their middle, in `chosen`."""
    free = [dim for dim in dims_of(data, fields) if data.sizes[dim] > 1 and dim not in chosen]
    roles = {role: getattr(options, role) for role in ROLES}
    output = roles["x"] if is_output(data, roles["x"]) else None
    roles["x"] = None if output else roles["x"]
    check_roles(roles, free)
    rest = [dim for dim in free if dim not in roles.values() and not contents.is_branch(data, dim)]
    if roles["x"] is None:
        roles["x"] = x = longest(data, rest)
        rest.remove(x)
    for role, most in (("curves", MOST_CURVES), ("panels", MOST_PANELS)):
        fitting = [dim for dim in rest if data.sizes[dim] <= most]
        if roles[role] is None and fitting:
            roles[role] = fitting[-1]  # the fastest: panels are the outermost
            rest.remove(fitting[-1])
        if roles[role] and data.sizes[roles[role]] > most:
            raise InputError(f"axis '{roles[role]}' has {data.sizes[roles[role]]} points, at most "
                           f"{most} are drawn as {role}")
    for dim in rest:
        slicing.take_middle(data, dim, chosen, notes)
    return roles


def is_output(data: xr.Dataset, name: str | None) -> bool:
    return name is not None and name not in data.dims and name in contents.fields_of(data)


def check_roles(roles: Mapping[str, str | None], free: list[str]) -> None:
    for role, dim in roles.items():
        if dim is not None and dim not in free:
            raise InputError(contents.unknown(f"axis for --{role}", dim, free))
    named = [dim for dim in roles.values() if dim]
    if len(set(named)) < len(named):
        raise InputError("an axis can only be one of --x, --curves and --panels")


def longest(data: xr.Dataset, dims: list[str]) -> str:
    """The longest axis, of numbers if there is one; among equals the fastest."""
    numbers = [dim for dim in dims if not flags_of(coordinate(data, dim))]
    axes = [dim for dim in numbers if not contents.is_extra(data, dim)]
    fitting = axes or numbers or dims
    if not fitting:
        raise InputError("nothing left to draw: no axis has more than one free point")
    return max(reversed(fitting), key=lambda dim: data.sizes[dim])


# ------------------------------------------------------------------------------------- loading

def load_family(data: xr.Dataset, fields: list[str], chosen: dict[str, int], roles: Roles, psi: bool,
                output: str | None = None) -> Family:
    axis = slicing.make_axis(data, str(roles["x"]))
    drawn = set(roles.values())
    for dim in map(str, data[output].dims if output else ()):
        if dim not in drawn and is_whole(data, dim, chosen) and data.sizes[dim] > 1:
            raise InputError(f"--x: '{output}' has several values in each cell; take one with --slice {dim}=NUMBER")
    part = data.isel({dim: chosen.get(dim, 0) for dim in dims_of(data, fields + ["outcome"] * (
        "outcome" in data)) if dim not in drawn and not is_whole(data, dim, chosen)})
    order = [roles[role] for role in ROLES]
    shape = [data.sizes[dim] if dim else 1 for dim in order]

    def spread(variable: xr.DataArray) -> Array:
        return spread_over(variable, order, shape)[..., axis.order]

    solved = spread(part["outcome"]) == SOLVED if "outcome" in part else np.full(shape, True)
    values = {name: np.where(solved, [spread(one) for one in branches(
        data, field_values(part, name, psi), drawn)], np.nan) for name in fields}
    single = [found[0] for found in values.values() if len(found) == 1]
    follow_points(data, part, values, drawn, spread)
    thin = np.any([solved & ~np.isfinite(found) for found in single or [np.zeros(shape)]], axis=0)
    curves, panels = roles["curves"], roles["panels"]
    x = np.where(solved, spread(labels.shown(data[output], part[output])), np.nan) if output else (
        spread(axis_values(data, axis, psi, part)))
    x_variable = data[output] if output else coordinate(data, axis.name)
    return Family(
        x=x, values=values, x_is_output=bool(output), x_name=output or axis.name,
        angles={name for name in fields if labels.is_angle(data[name])} | (
            {output or axis.name} if labels.is_angle(x_variable) else set()),
        log={name: is_log(name, values[name]) for name in fields},
        labels={name: psi_label(name) if is_psi(name, psi) else labels.label_of(data[name])
                for name in fields},
        x_axis=axis, x_label=psi_label(axis.name) if is_psi(axis.name, psi) else (
            labels.label_of(data[output]) if output else axis.label),
        curves=texts_of(data, curves, labels.point_value) or [""],
        curves_label=curves_label(data, curves),
        curves_ordered=curves is not None and is_ordered(data, curves),
        panels=texts_of(data, panels, labels.point_text) or [""],
        title=labels.own_title(data, {dim: place for dim, place in chosen.items()
                                      if data.sizes[dim] > 1}),
        thin=thin, thin_label=modes_there(part, thin, spread, drawn), psi=psi,
        plain=plain_scales(data, part, fields),
        uncurved=[name for name in fields if curves and curves not in data[name].dims])


def plain_scales(data: xr.Dataset, part: xr.Dataset, fields: list[str]) -> dict[str, tuple[str, float]]:
    """Of the fields in SI that the map has without unit too, the unit and the ratio, where all cells have one."""
    found = {name: twin_scales.ratio_of([(contents.load(part[name]).values, contents.load(part[twin_scales.plain_name(name)]).values)])
             for name in fields if twin_scales.plain_name(name) in data.variables}
    return {name: (str(data[name].attrs["units"]), ratio) for name, ratio in found.items() if ratio is not None}


def is_whole(data: xr.Dataset, dim: str, chosen: dict[str, int]) -> bool:
    """Whether all branches along a dimension are drawn, because none is chosen."""
    return contents.is_branch(data, dim) and dim not in chosen


def branches(data: xr.Dataset, variable: xr.DataArray, drawn: Collection[str | None]) -> list[xr.DataArray]:
    """One variable for each branch; the whole variable where the branches have a role of their own."""
    for dim in variable.dims:
        if contents.is_branch(data, str(dim)) and variable.sizes[dim] > 1 and dim not in drawn:
            return [variable.isel({dim: number}) for number in range(variable.sizes[dim])]
    return [variable]


def follow_points(data: xr.Dataset, part: xr.Dataset, values: dict[str, Array], drawn: Collection[str | None],
                  spread: Callable[[xr.DataArray], Array]) -> None:
    """Turns branches by number into branches that follow junctions and turning points along x, where these are known."""
    for number in (str(dim) for dim in part.dims if contents.is_branch(data, str(dim)) and dim not in drawn):
        numbers = following.numbers_of(data, part, number, spread)
        for name in values:
            if numbers is not None and number in data[name].dims:
                values[name] = following.taken(values[name], numbers)


def spread_over(variable: xr.DataArray, order: Sequence[str | None], shape: Sequence[int]) -> Array:
    """A variable as an array over all three roles; it is constant along those that it lacks."""
    loaded = contents.load(variable)
    present = [dim for dim in order if dim in loaded.dims]
    sizes = [size if dim in loaded.dims else 1 for dim, size in zip(order, shape)]
    return np.broadcast_to(loaded.squeeze([dim for dim in loaded.dims if dim not in present])
                           .transpose(*present).values.reshape(sizes), shape)


def modes_there(part: xr.Dataset, mask: Array, spread: Callable[[xr.DataArray], Array],
                drawn: Collection[str | None]) -> str:
    """Names of the modes of the cells in a mask."""
    if "mode" not in part or not mask.any():
        return ""
    mode = branches(part, part["mode"], drawn)[0]
    codes = np.unique(spread(mode)[mask]).tolist()
    names = flags_of(part["mode"])
    return ", ".join(spaced(names.get(code, f"mode {code}")) for code in codes)


def is_ordered(data: xr.Dataset, dim: str) -> bool:
    return not (flags_of(coordinate(data, dim)) or contents.columns_of(data, dim))


def texts_of(data: xr.Dataset, dim: str | None, text_of: Callable[[xr.Dataset, str, int], str]) -> list[str]:
    return [text_of(data, dim, index) for index in range(data.sizes[dim])] if dim else []


def curves_label(data: xr.Dataset, dim: str | None) -> str:
    if dim is None or contents.columns_of(data, dim):
        return spaced(dim or "")
    return labels.label_of(coordinate(data, dim))


def axis_values(data: xr.Dataset, axis: Axis, psi: bool, part: xr.Dataset) -> xr.DataArray:
    if not axis.joined:
        return xr.DataArray(axis.values.astype(float), dims=[axis.name])
    points = part[axis.name] if axis.name in part else coordinate(data, axis.name)
    if is_psi(axis.name, psi):
        points = points / maw_scale(part)
        return points
    return labels.shown(points, points.astype(float))


def field_values(part: xr.Dataset, name: str, psi: bool) -> xr.DataArray:
    if is_psi(name, psi):
        found: xr.DataArray = part[name] / maw_scale(part)
        return found
    return labels.shown(part[name], part[name])


def is_log(name: str, values: Array) -> bool:
    """Whether the user asked for it, or a linear axis would hide the small values."""
    asked = settings.now()
    if name in asked.log and not (np.nanmin(values, initial=np.inf) > 0 or np.nanmax(values) > 0):
        raise InputError(f"--log: '{name}' has no value above 0")
    part = looks.is_share(name) or name.endswith("_order")  # shares and indices, parts of a whole
    return name in asked.log or (name not in asked.linear and not part and spans_decades(values))


def spans_decades(values: Array) -> bool:
    """Whether positive values span three decades, and not just by a dip: a linear axis would hide them."""
    finite = values[np.isfinite(values)]
    if finite.size == 0 or finite.min() <= 0:
        return False
    low, high = np.percentile(finite, (5, 95))
    return bool(finite.max() > 1e3 * finite.min() and high > 1e2 * low)
