"""A grid made of the points of a refined map, for figures: of all outputs while it is refined, at its end of those
that its own grid does not have. A node without a point has what lies at the nearest lower one, or, of a real output,
what lies between its neighbours."""
import itertools
import re

import h5py
import numpy as np
import xarray as xr
from xarray.backends import BackendArray
from xarray.core import indexing

from .refined import axes_of, text_of, told_of

BITS = {2: 31, 3: 21, 4: 16}  # of the lattice, by the number of refined axes
MOST_NODES = {True: 2**21, False: 2**25}  # while it is refined; at its end
ROLE = "impactsweep_role"


def with_points(data):
    """A map that was refined, with all outputs of its points on its grid; any other as it is."""
    path = data.encoding.get("source")
    if not told_of(data.attrs) or not path:
        return data
    with h5py.File(path, "r", locking=False) as file:
        if "points" not in file:
            return data
        points, live = file["points"], "outcome" not in data
        grid = live_grid(data, points) if live else Grid(
            path, data["outcome"].dims, data["outcome"].shape, list(axes_of(data.attrs)))
        if np.prod(grid.shape, dtype=float) > MOST_NODES[live] * 16:
            return data
        added = {name.removeprefix("point_"): grid.variable(column) for name, column in points.items()
                 if name.startswith("point_") and ROLE in column.attrs and column.ndim == 1}
    left = [name for name in added if name in data.variables or name in grid.columns
            or name == "refinement"]
    whole = data.assign_coords(grid.coordinates).assign(
        {name: variable for name, variable in added.items() if name not in left})
    if live:
        whole.attrs["remark"] = "The refinement is not at its end: what is drawn is what its points say so far."
    whole.encoding = data.encoding
    whole.set_close(data.close)
    return whole


class Grid:
    """The nodes that points are spread over: the refined axes and, around them, the others."""

    def __init__(self, path, dims, shape, refined, coordinates=None, columns=(), base=None):
        self.path, self.dims, self.shape, self.refined = path, tuple(map(str, dims)), shape, refined
        self.coordinates, self.columns = coordinates or {}, [*columns, *self.dims]
        self.bits = BITS[len(refined)]
        self.level = round(np.log2(shape[self.dims.index(refined[0])] - 1))

    def variable(self, column):
        attrs = {name: text_of(value) if isinstance(value, (bytes, str)) else value
                 for name, value in column.attrs.items()
                 if name not in ("DIMENSION_LIST", "REFERENCE_LIST", "_FillValue")}
        attrs["long_name"] = attrs.get("long_name", "").removeprefix("point ")
        return xr.Variable(self.dims, indexing.LazilyIndexedArray(Spread(
            self, column.name, column.dtype)), attrs)

    def spread(self, name):
        """The values of a column on every node."""
        with h5py.File(self.path, "r", locking=False) as file:
            outcome = file["points/point_outcome"][()]  # first: a running sweep writes it last
            known = np.flatnonzero(outcome)
            keys, values = file["points/point_lattice"][()][known].astype(np.int64), file[name][()][known]
            cells = (file["points/point_refinement"][()][known] if "points/point_refinement" in file
                     else np.zeros(len(known), int))
        whole = np.full(self.shape, np.nan if values.dtype.kind == "f" else 0, values.dtype)
        outer = [range(size) if dim not in self.refined else [slice(None)]
                 for dim, size in zip(self.dims, self.shape)]
        for cell, place in enumerate(itertools.product(*outer)):
            whole[place] = self.levels(keys[cells == cell], values[cells == cell])
        return whole

    def levels(self, keys, values):
        """One refinement: coarse nodes first."""
        grid = np.full((2,) * len(self.refined), np.nan if values.dtype.kind == "f" else 0, values.dtype)
        for level in range(self.level + 1):
            grid = halved(grid) if level else grid
            step = self.bits - level
            here = (keys % 2**step == 0).all(1)
            grid[tuple((keys[here] >> step).T)] = values[here]
        return grid


def halved(grid):
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

    def __init__(self, grid, name, dtype):
        self.grid, self.name, self.shape, self.dtype = grid, name, grid.shape, np.dtype(dtype)

    def __getitem__(self, key):
        return indexing.explicit_indexing_adapter(key, self.shape, indexing.IndexingSupport.OUTER,
                                                  self.part)

    def part(self, key):
        whole = indexing.NumpyIndexingAdapter(self.grid.spread(self.name))
        return whole[indexing.OuterIndexer(key)]


# --------------------------------------------------------------------------- while it is refined

def live_grid(data, points):
    """As fine as the refinement is to be, or as a figure needs; of the other axes what was begun."""
    fingerprint, told = text_of(data.attrs["fingerprint"]), told_of(data.attrs)
    order = re.search(r"^order of axes\t(.*)$", fingerprint, re.M)[1].split(", ")
    refined = list(axes_of(data.attrs))
    sizes = {axis: (int(size)) for axis, size in re.findall(r"\taxis (\w+), (\d+) values", fingerprint)}
    numbers = begun(points, [sizes[axis] for axis in order if axis not in refined])
    outer = dict(zip([axis for axis in order if axis not in refined], numbers))
    cells = int(np.prod([n.max(initial=0) + 1 for n in numbers], dtype=int))
    level = max(0, min(int(max(told["depth"], told["base"])),
                       int(np.log2(MOST_NODES[True] / cells) / len(refined))))
    coordinates, columns = {}, []
    for axis in refined:
        coordinates[axis] = refined_coordinate(fingerprint, axis, 2**level + 1, points)
    for axis, number in outer.items():
        for name in re.findall(rf"^(\w+)\taxis {axis}, ", fingerprint, re.M):
            columns.append(name)
            coordinates[name] = listed_coordinate(points[f"point_{name}"], axis, number)
    shape = tuple(2**level + 1 if axis in refined else int(outer[axis].max(initial=0)) + 1
                  for axis in order)
    return Grid(data.encoding["source"], order, shape, refined, coordinates, columns)


def begun(points, sizes):
    """For each axis that is not refined, the index on it of each point that is solved."""
    known = points["point_outcome"][()] != 0
    cells = points["point_refinement"][()][known] if "point_refinement" in points else np.zeros(0, int)
    return list(np.unravel_index(cells, sizes)) if sizes else []


def refined_coordinate(fingerprint, axis, size, points):
    spacing, first, last, degrees = re.search(
        rf"^{axis}\trefined, (\w+) from (\S+) to (\S+)( deg)?$", fingerprint, re.M).groups()
    space = np.geomspace if spacing == "log" else np.linspace
    values = space(float(first), float(last), size)
    unit = text_of(points[f"point_{axis}"].attrs["units"])
    return xr.Variable((axis,), np.radians(values) if degrees else values,
                       {"units": unit, "long_name": axis.replace("_", " ")})


def listed_coordinate(column, axis, number):
    known = column.parent["point_outcome"][()] != 0
    values = np.zeros(int(number.max(initial=0)) + 1, column.dtype)
    values[number] = column[()][known]
    attrs = {name: text_of(value) if isinstance(value, (bytes, str)) else value
             for name, value in column.attrs.items() if name in ("units", "flag_values", "flag_meanings")}
    return xr.Variable((axis,), values, {**attrs, "long_name": column.name.rpartition("point_")[2].replace(
        "_", " ")})
