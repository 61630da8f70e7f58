"""A grid made of the points of a refined map, for figures: of all outputs while it is refined, at its end of real
ones and of those that its own grid does not have. A node without a point has what lies at the nearest lower one, or, of a real output,
what lies between its neighbours."""
from __future__ import annotations

import itertools
import re
from collections.abc import Hashable, Iterable
from typing import Any

import h5py
import numpy as np
import xarray as xr
from xarray.backends import BackendArray
from xarray.core import indexing

from ..values import Array
from .refined import axes_of, matched, order_of, text_of, told_of
from .typed import Column, Columns, Key, column_at, columns_at, lazy, make_variable, of_numpy, outer, part

BITS = {2: 31, 3: 21, 4: 16}  # of the lattice, by the number of refined axes
MOST_NODES = {True: 2**21, False: 2**25}  # while it is refined; at its end
ROLE = "impactsweep_role"


def with_points(data: xr.Dataset) -> xr.Dataset:
    """A map that was refined, with all outputs of its points on its grid; any other as it is."""
    path = data.encoding.get("source")
    if not told_of(data.attrs) or not path:
        return data
    with h5py.File(path, "r", locking=False) as file:
        if "points" not in file:
            return data
        points, live = columns_at(file, "points"), "outcome" not in data
        grid = live_grid(data, points) if live else Grid(
            path, data["outcome"].dims, data["outcome"].shape, list(axes_of(data.attrs)))
        if np.prod(grid.shape, dtype=float) > MOST_NODES[live] * 16:
            return data
        added = {name.removeprefix("point_"): grid.variable(column) for name, column in points.items()
                 if name.startswith("point_") and ROLE in column.attrs and column.ndim == 1}
    left = [name for name in added if (name in data.variables and not is_real_output(data[name])) or name in grid.columns
            or name == "refinement"]
    whole = data.assign_coords(grid.coordinates).assign(
        {name: variable for name, variable in added.items() if name not in left})
    if live:
        whole.attrs["remark"] = "The refinement is not at its end: what is drawn is what its points say so far."
    whole.encoding = data.encoding
    whole.set_close(data.close)
    return whole


def is_real_output(variable: xr.DataArray) -> bool:
    """Whether an output of the grid has levels that make labels: at most nodes it has the value of a point beside them."""
    return variable.attrs.get(ROLE) == "output" and variable.dtype.kind == "f"


class Grid:
    """The nodes that points are spread over: the refined axes and, around them, the others."""

    def __init__(self, path: str, dims: Iterable[Hashable], shape: tuple[int, ...], refined: list[str],
                 coordinates: dict[str, xr.Variable] | None = None, columns: Iterable[str] = ()) -> None:
        self.path, self.dims, self.shape, self.refined = path, tuple(map(str, dims)), shape, refined
        self.coordinates, self.columns = coordinates or {}, [*columns, *self.dims]
        self.bits = BITS[len(refined)]
        self.level = round(np.log2(shape[self.dims.index(refined[0])] - 1))

    def variable(self, column: Column) -> xr.Variable:
        attrs = {name: text_of(value) if isinstance(value, (bytes, str)) else value
                 for name, value in column.attrs.items()
                 if name not in ("DIMENSION_LIST", "REFERENCE_LIST", "_FillValue")}
        attrs["long_name"] = attrs.get("long_name", "").removeprefix("point ")
        return make_variable(self.dims, lazy(Spread(self, column.name, column.dtype)), attrs)

    def spread(self, name: str) -> Array:
        """The values of a column on every node."""
        with h5py.File(self.path, "r", locking=False) as file:
            points = columns_at(file, "points")
            outcome = points["point_outcome"][()]  # first: a running sweep writes it last
            known = np.flatnonzero(outcome)
            keys, values = points["point_lattice"][()][known].astype(np.int64), column_at(file, name)[()][known]
            cells = (points["point_refinement"][()][known] if "point_refinement" in points
                     else np.zeros(len(known), int))
        whole = np.full(self.shape, np.nan if values.dtype.kind == "f" else 0, values.dtype)
        outer = [range(size) if dim not in self.refined else [slice(None)]
                 for dim, size in zip(self.dims, self.shape)]
        for cell, place in enumerate(itertools.product(*outer)):
            whole[place] = self.levels(keys[cells == cell], values[cells == cell])
        return whole

    def levels(self, keys: Array, values: Array) -> Array:
        """One refinement: coarse nodes first."""
        grid = np.full((2,) * len(self.refined), np.nan if values.dtype.kind == "f" else 0, values.dtype)
        for level in range(self.level + 1):
            grid = halved(grid) if level else grid
            step = self.bits - level
            here = (keys % 2**step == 0).all(1)
            grid[tuple((keys[here] >> step).T)] = values[here]
        return grid


def halved(grid: Array) -> Array:
    """On a lattice of half the spacing."""
    for axis in range(grid.ndim):
        grid = np.moveaxis(grid, axis, 0)
        finer = np.repeat(grid, 2, 0)[:-1]
        if grid.dtype.kind == "f":
            finer[1::2] = (grid[:-1] + grid[1:]) / 2
        grid = np.moveaxis(finer, 0, axis)
    return grid


class Spread(BackendArray):
    """A column of the points on a grid, computed when it is looked at."""

    def __init__(self, grid: Grid, name: str, dtype: np.dtype[Any]) -> None:
        self.grid, self.name, self.shape, self.dtype = grid, name, grid.shape, np.dtype(dtype)

    def __getitem__(self, key: indexing.ExplicitIndexer) -> Array:
        return part(key, self.shape, indexing.IndexingSupport.OUTER, self.part)

    def part(self, key: Key) -> Array:
        return of_numpy(self.grid.spread(self.name))[outer(key)]


# --------------------------------------------------------------------------- while it is refined

def live_grid(data: xr.Dataset, points: Columns) -> Grid:
    """As fine as the refinement is to be, or as a figure needs; of the other axes what was begun."""
    fingerprint, told = text_of(data.attrs["fingerprint"]), told_of(data.attrs)
    order = order_of(fingerprint)
    refined = list(axes_of(data.attrs))
    sizes = {axis: (int(size)) for axis, size in re.findall(r"\taxis (\w+), (\d+) values", fingerprint)}
    numbers = begun(points, [sizes[axis] for axis in order if axis not in refined])
    outer = dict(zip([axis for axis in order if axis not in refined], numbers))
    cells = int(np.prod([n.max(initial=0) + 1 for n in numbers], dtype=int))
    level = max(0, min(int(max(told["depth"], told["base"])),
                       int(np.log2(MOST_NODES[True] / cells) / len(refined))))
    coordinates: dict[str, xr.Variable] = {}
    names: list[str] = []
    for axis in refined:
        coordinates[axis] = refined_coordinate(fingerprint, axis, 2**level + 1, points)
    for axis, number in outer.items():
        for name in re.findall(rf"^(\w+)\taxis {axis}, ", fingerprint, re.M):
            names.append(name)
            coordinates[name] = listed_coordinate(points[f"point_{name}"], axis, number)
    shape = tuple(2**level + 1 if axis in refined else int(outer[axis].max(initial=0)) + 1
                  for axis in order)
    return Grid(data.encoding["source"], order, shape, refined, coordinates, names)


def begun(points: Columns, sizes: list[int]) -> list[Array]:
    """For each axis that is not refined, the index on it of each point that is solved."""
    known = points["point_outcome"][()] != 0
    cells = points["point_refinement"][()][known] if "point_refinement" in points else np.zeros(0, int)
    return list(np.unravel_index(cells, sizes)) if sizes else []


def refined_coordinate(fingerprint: str, axis: str, size: int, points: Columns) -> xr.Variable:
    spacing, first, last, degrees = matched(rf"^{axis}\trefined, (\w+) from (\S+) to (\S+)( deg)?$", fingerprint).groups()
    ends = float(first), float(last)
    values = np.geomspace(*ends, size) if spacing == "log" else np.linspace(*ends, size)
    unit = text_of(points[f"point_{axis}"].attrs["units"])
    return make_variable((axis,), np.radians(values) if degrees else values,
                       {"units": unit, "long_name": axis.replace("_", " ")})


def listed_coordinate(column: Column, axis: str, number: Array) -> xr.Variable:
    known = column.parent["point_outcome"][()] != 0
    values = np.zeros(int(number.max(initial=0)) + 1, column.dtype)
    values[number] = column[()][known]
    attrs = {name: text_of(value) if isinstance(value, (bytes, str)) else value
             for name, value in column.attrs.items() if name in ("units", "flag_values", "flag_meanings")}
    return make_variable((axis,), values, {**attrs, "long_name": column.name.rpartition("point_")[2].replace(
        "_", " ")})
