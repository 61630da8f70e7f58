"""Inputs as arrays of one shape: broadcast as NumPy does, or by the dimensions of DataArrays."""
from __future__ import annotations

import math
from collections.abc import Hashable, Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import xarray as xr

from ..errors import InputError, TooManyCells
from ..values import Reals

DEGREES = ("deg", "degree", "degrees")
RADIANS = np.pi / 180
MOST_CELLS = 2**40  # as of the program
MOST_DIMS = 16


Along = tuple[tuple[Hashable, ...], Reals]  # dimensions and values of a coordinate


@dataclass
class Cells:
    """The shape of the result, and each input as an array that broadcasts to it."""
    dims: tuple[str, ...]
    shape: tuple[int, ...]
    inputs: dict[str, Reals]
    coords: dict[str, xr.DataArray | Along]
    along: dict[str, Along]  # of each input
    named: set[str]  # inputs that are the coordinate of a dimension


def arrange(given: Mapping[str, Reals | xr.DataArray], options: Mapping[str, list[str]] = {}) -> Cells:
    """options: the names that the numbers of an input stand for."""
    labelled = {name: value for name, value in given.items() if isinstance(value, xr.DataArray)}
    plain = {name: numbers(name, value) for name, value in given.items() if name not in labelled}
    return arrange_labelled(labelled, plain, options) if labelled else arrange_plain(plain)


def check_dims(cells: Cells, taken: set[str], inputs: set[str]) -> None:
    """Dimensions of the caller beside the names that the result has. One that is named like an input is its axis."""
    wrong = [f"'{dim}' is a name of the result and cannot be a dimension of a DataArray; rename the dimension"
             for dim in cells.dims if dim in taken]
    for dim in cells.dims:
        if dim in inputs - taken - cells.named:
            alone = dim in cells.along and cells.along[dim][0] == (dim,)
            wrong.append(f"the coordinate of the dimension '{dim}' differs from the values of {dim}; leave it out, or rename the "
                         "dimension" if alone else f"'{dim}' is an input, and its values do not lie along the dimension "
                         f"'{dim}' alone; rename the dimension")
    if wrong:
        raise InputError("\n".join(wrong))
    if len(cells.dims) > MOST_DIMS:
        raise InputError(f"the arrays have {len(cells.dims)} dimensions together, more than {MOST_DIMS}")


def check_count(sizes: tuple[int, ...]) -> None:
    if math.prod(sizes) > MOST_CELLS:
        raise TooManyCells(f"{' x '.join(f'{size:,}' for size in sizes)} = {math.prod(sizes):,} cells are more than the "
                           "2^40 of one call or one map; arrays that should vary together need one shape")


def numbers(name: str, value: npt.ArrayLike) -> Reals:
    try:
        return np.asarray(value, np.float64)
    except (TypeError, ValueError) as reason:
        raise InputError(f"{name}: {reason}") from None


# -------------------------------------------------------------------------------------- DataArrays

def arrange_labelled(labelled: dict[str, xr.DataArray], plain: dict[str, Reals], options: Mapping[str, list[str]]) -> Cells:
    try:
        aligned = xr.align(*labelled.values(), join="exact", copy=False)
        foreign = xr.merge([one.coords.to_dataset() for one in aligned], join="exact",
                           compat="no_conflicts").coords
    except ValueError as reason:  # xarray's MergeError is one
        raise InputError(f"the coordinates of {', '.join(labelled)} differ: {reason}") from None
    check_count(tuple({dim: size for one in aligned for dim, size in one.sizes.items()}.values()))
    spread = xr.broadcast(*[one.drop_vars(list(one.coords)) for one in aligned])
    dims, shape = tuple(map(str, spread[0].dims)), spread[0].shape
    inputs = {name: numbers(name, one.values) for name, one in zip(labelled, spread)}
    along: dict[str, Along] = {name: (one.dims, numbers(name, one.values))
                               for name, one in zip(labelled, aligned)}
    for name, value in plain.items():
        try:
            inputs[name] = np.broadcast_to(value, shape)
        except ValueError:
            raise InputError(
                f"{name}: an array of the shape {value.shape} does not broadcast to the dimensions of "
                f"the DataArrays, {dict(zip(dims, shape))}; give it dimensions too") from None
        along[name] = (dims[len(dims) - value.ndim:], value) if value.shape == shape[
            len(dims) - value.ndim:] else (dims, inputs[name])
    # An input over a dimension of its own name becomes that dimension's coordinate, unless a DataArray
    # has a different one.
    named = {name for name, (own, values) in along.items() if own == (name,) and (
        name not in foreign or holds_same(foreign[name], values, options.get(name)))}
    coords = {**{str(name): one for name, one in foreign.items()}, **{name: along[name] for name in named}}
    return Cells(dims, shape, inputs, coords, along, named)


def holds_same(coordinate: xr.DataArray, values: Reals, options: list[str] | None) -> bool:
    """Whether a coordinate holds these values but for rounding, perhaps in degrees, or the options that they stand for."""
    if options:
        return bool(coordinate.values.tolist() == [options[int(value)] for value in values])
    if coordinate.dtype.kind not in "iuf":
        return False
    stored = coordinate.values * (RADIANS if coordinate.attrs.get("units") in DEGREES else 1)
    return bool(np.allclose(stored, values, rtol=1e-14, atol=0, equal_nan=True))


# ------------------------------------------------------------------------------------ plain arrays

def arrange_plain(plain: dict[str, Reals]) -> Cells:
    try:
        shape = np.broadcast_shapes(*[value.shape for value in plain.values()])
    except ValueError:
        shapes = ", ".join(f"{name} {value.shape}" for name, value in plain.items())
        raise InputError(f"these shapes do not broadcast: {shapes}; in each dimension the sizes must be "
                         "equal or 1") from None
    check_count(shape)
    padded = {name: value.reshape((1,) * (len(shape) - value.ndim) + value.shape)
              for name, value in plain.items()}
    dims = tuple(dim_name(place, padded, plain, len(shape)) for place in range(len(shape)))
    named = {name for name in dims if name in plain and only_along(padded[name], dims.index(name))}
    along: dict[str, Along] = {name: ((name,), value.reshape(-1)) if name in named else coordinate(value, dims)
                               for name, value in padded.items()}
    coords: dict[str, xr.DataArray | Along] = {name: along[name] for name in dims if name in named}
    return Cells(dims, tuple(shape), plain, coords, along, named)


def dim_name(place: int, padded: dict[str, Reals], plain: dict[str, Reals],
             count: int) -> str:
    """The name of the only input that varies along this dimension, if that varies along no other one;
    otherwise dim_0, dim_1, ..."""
    varying = [name for name, value in padded.items() if value.shape[place] > 1]
    varying = varying or [name for name, value in plain.items() if count - value.ndim == place]
    if len(varying) == 1 and only_along(padded[varying[0]], place):
        return varying[0]
    return f"dim_{place}"


def only_along(value: Reals, place: int) -> bool:
    return value.size == value.shape[place]


def coordinate(value: Reals, dims: tuple[str, ...]) -> Along:
    """(dimensions, values) of an input, over the dimensions along which it varies."""
    kept = [place for place, size in enumerate(value.shape) if size > 1]
    return tuple(dims[place] for place in kept), value.reshape([value.shape[place] for place in kept])
