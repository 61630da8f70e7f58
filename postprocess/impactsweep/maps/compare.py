"""Two maps on their common cells."""
from __future__ import annotations

import numpy as np
import xarray as xr

from .. import checks
from ..errors import InputError
from ..values import Array, Names, PathLike
from .codes import common_names_of, flags_of
from .dataset import open
from .rows import chosen

# Rounding of the points of a range, relative to a point and to the longest one: as in `impactsweep diff`.
ROUNDING, ROUNDING_OF_LONGEST = 1e-13, 1e-16


@checks.public
def compare(one: xr.Dataset | PathLike, other: xr.Dataset | PathLike, outputs: Names = None, relative: float = 0.0,
            absolute: float = 0.0) -> xr.Dataset:
    """The values of two maps on their common cells, and where they differ, as `impactsweep diff` finds them.

    Args:
        one, other: Datasets of `open`, `solve` or `run`, parts of them, or paths of maps.
        outputs: names of outputs that both maps have; None: all that they share.
        relative, absolute: real values are equal if they differ by at most `absolute` plus `relative` times the larger
            one; by default only equal values are.

    Cells are common where both maps have the same value on every axis; an axis that one map lacks is cut at the value
    that the other map has for it. Modes of two theories that mean the same are equal: each theory's `common_names` in
    `describe`.

    Returns:
        for each output `NAME_1` and `NAME_2`, the values of both maps, and `NAME_differs`; `differs` where any output
        or the outcome does. Cells that a map has not solved yet differ in nothing, and are counted in
        `attrs["pending"]`. For real outputs of one number per cell `NAME_change` is the second value less the first.

    Raises:
        InputError: the maps have no common cells, or an output is unknown.

    >>> import impactsweep
    >>> angles = dict(angle=["10 deg", "20 deg", "30 deg"], friction=0.5, stiffness_ratio=1.21)
    >>> found = compare(impactsweep.solve("compliant", body="pendulum", law="linear", **angles),
    ...                 impactsweep.solve("compliant", body="pendulum", law="hertz", **angles), ["mode", "duration"])
    >>> found.mode_differs.values, found.duration_differs.values
    (array([False, False, False]), array([False,  True,  True]))
    """
    relative, absolute = tolerance("relative", relative), tolerance("absolute", absolute)
    first, second = on_common_cells(opened("one", one), opened("other", other))
    cells = [str(dim) for dim in first["outcome"].dims]
    names = checks.names("outputs", outputs)
    shared = [name for name in chosen(first, cells, names) if names or name in second.data_vars]
    chosen(second, cells, shared)
    first = first.drop_vars([name for name, value in first.coords.items() if not value.dims and not (
        name in second.coords and np.array_equal(value, second[name]))])
    second = second.drop_vars([name for name in second.coords if name not in cells]).assign_coords(
        {name: first[name] for name in cells if name in first.coords})
    tried = ~(is_pending(first) | is_pending(second))
    found, union = xr.Dataset(), None
    for name in dict.fromkeys([*shared, "outcome"]):
        a, b = xr.align(first[name], second[name], join="inner", exclude=cells)
        differs = tried & ~is_equal(a, b.transpose(*a.dims), relative, absolute)
        found = found.assign({f"{name}_1": a, f"{name}_2": b.transpose(*a.dims), f"{name}_differs": differs})
        if a.dtype.kind == "f" and set(a.dims) == set(cells):
            found[f"{name}_change"] = (b - a).assign_attrs(a.attrs)
        here = differs.any([dim for dim in differs.dims if dim not in cells])
        union = here if union is None else union | here
    return found.assign(differs=union).assign_attrs(pending=int((~tried).sum()))


def tolerance(name: str, value: object) -> float:
    number = checks.number(name, value)
    if not number >= 0:
        raise InputError(f"{name}: {checks.shown(value)} is not a number of 0 or more")
    return number


def opened(name: str, data: xr.Dataset | PathLike) -> xr.Dataset:
    found = data if isinstance(data, xr.Dataset) else open(checks.path(name, data))
    if "outcome" not in found.data_vars:
        raise InputError(f"{name}: the dataset is no map of impactsweep: it has no outcome")
    return found


def on_common_cells(one: xr.Dataset, other: xr.Dataset) -> tuple[xr.Dataset, xr.Dataset]:
    for dim in dict.fromkeys(map(str, [*one["outcome"].dims, *other["outcome"].dims])):
        one, other = along(one, other, dim)
    return one, other.transpose(*one["outcome"].dims, ...)


def along(one: xr.Dataset, other: xr.Dataset, dim: str) -> tuple[xr.Dataset, xr.Dataset]:
    """Both maps at their common points of an axis."""
    units = [data[dim].attrs.get("units", "1") if dim in data else None for data in (one, other)]
    if None not in units and units[0] != units[1]:
        raise InputError(f"'{dim}' is in {units[0]} in one map and in {units[1]} in the other; open both alike")
    own, others = points_of(one, dim), points_of(other, dim)
    if own is not None and others is not None:
        here, there = matched(own, others)
    elif rows_agree(one, other, dim):
        here = there = list(range(one.sizes[dim]))
    else:
        raise InputError(f"the maps have neither the same rows of '{dim}' nor one value of it, so they have no common cells")
    if not here:
        raise InputError(f"no value of '{dim}' is in both maps, so they have no common cells")
    for name in followers(one, other, dim):
        a, b = (np.broadcast_to(data[name].values, data.sizes.get(dim, 1)) for data in (one, other))
        longest = max(np.nanmax(np.abs(values), initial=0) for values in (a, b))
        kept = [(i, k) for i, k in zip(here, there) if np.isnan(a[i]) or np.isnan(b[k]) or is_near(a[i], b[k], longest)]
        if not kept:
            raise InputError(f"no value of '{dim}' with the same '{name}', which follows it, is in both maps, so they have no "
                             "common cells")
        here, there = [i for i, _ in kept], [k for _, k in kept]
    return cut(one, dim, here), cut(other, dim, there)


def followers(one: xr.Dataset, other: xr.Dataset, dim: str) -> list[str]:
    """Names of what follows an axis of one map by a formula, if both maps have values of it there, NaN if cells have their own."""
    return [str(name) for name, values in {**one.coords, **other.coords}.items()
            if name in one.coords and name in other.coords and name != dim
            and any(data[name].dims == (dim,) and data[name].attrs.get("formula") for data in (one, other))
            and all(data[name].dims in ((dim,), ()) for data in (one, other)) and values.dtype.kind == "f"]


def cut(data: xr.Dataset, dim: str, places: list[int]) -> xr.Dataset:
    """A map at some points of an axis; a parameter of one value becomes an axis."""
    return data.isel({dim: places}) if dim in data.dims else data.expand_dims(dim)


def points_of(data: xr.Dataset, dim: str) -> Array | None:
    """The values of an axis or the one value of a parameter; None for the rows of a table."""
    if given_columns(data, dim):
        return None
    return np.atleast_1d(data[dim].values) if dim in data.coords and data[dim].dims in ((dim,), ()) else None


def given_columns(data: xr.Dataset, dim: str) -> list[str]:
    """The columns of a table or sample: what follows others by a formula is none."""
    return [str(name) for name, values in data.coords.items()
            if values.dims == (dim,) and name != dim and not values.attrs.get("formula")]


def is_near(one: Array, other: Array, longest: float) -> Array:
    """Whether numbers are the same but for rounding, relative to them and to the longest one of an axis."""
    near: Array = np.abs(other - one) <= np.maximum(ROUNDING * np.maximum(np.abs(one), np.abs(other)), ROUNDING_OF_LONGEST * longest)
    return near


def matched(one: Array, other: Array) -> tuple[list[int], list[int]]:
    """The places of the values that both have, in the order of the first."""
    if one.dtype.kind not in "if" or other.dtype.kind not in "if":
        known = {value: place for place, value in reversed(list(enumerate(other.tolist())))}
        pairs = [(place, known[value]) for place, value in enumerate(one.tolist()) if value in known]
    else:
        order = np.argsort(other, kind="stable")
        after = np.searchsorted(other[order], one).clip(0, other.size - 1)
        before = (after - 1).clip(0)
        nearest = order[np.where(np.abs(other[order[before]] - one) < np.abs(other[order[after]] - one), before, after)]
        longest = max(np.abs(one).max(initial=0), np.abs(other).max(initial=0))
        pairs = [(place, int(nearest[place])) for place in np.flatnonzero(is_near(one, other[nearest], longest)).tolist()]
    return [place for place, _ in pairs], [place for _, place in pairs]


def rows_agree(one: xr.Dataset, other: xr.Dataset, dim: str) -> bool:
    """Whether the rows of a table or sample are the same in both maps, column by column."""
    if dim not in one.dims or dim not in other.dims or one.sizes[dim] != other.sizes[dim]:
        return False
    columns = [*given_columns(one, dim), *([dim] if dim in one.coords else [])]
    return all(name in other.coords and matched(one[name].values[row:row + 1], other[name].values[row:row + 1])[0]
               for name in columns for row in range(one.sizes[dim]))


def is_pending(data: xr.Dataset) -> xr.DataArray:
    outcome = data["outcome"]
    found: xr.DataArray = outcome == (0 if outcome.dtype.kind in "iu" else "pending")
    return found


def by_common_names(values: xr.DataArray) -> xr.DataArray:
    """A category with the names by which theories agree, in place of those that differ."""
    names, common = flags_of(values), common_names_of(values)
    if names:  # stored codes
        words = [names.get(code, f"code {code}") for code in range(max(names) + 1)]
        return values.copy(data=np.array([common.get(word, word) for word in words])[values.values])
    if not common:
        return values
    known = values.values.astype(object)
    for name, other in common.items():
        known[known == name] = other
    return values.copy(data=known)


def is_equal(one: xr.DataArray, other: xr.DataArray, relative: float, absolute: float) -> xr.DataArray:
    if one.dtype.kind != "f":
        equal: xr.DataArray = by_common_names(one) == by_common_names(other)
        return equal
    larger = np.maximum(np.abs(one), np.abs(other))
    same: xr.DataArray = one == other
    same = same | (np.isnan(one) & np.isnan(other)) | (np.abs(one - other) <= absolute + relative * larger)
    return same
