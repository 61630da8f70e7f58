"""Sobol indices of a sample of Saltelli's design: how much each uncertain parameter contributes to the variance of
each output.

The first-order index of a parameter is the part of the variance that vanishes, on average, when the parameter is
known; its total index is the part that remains, on average, when all other parameters are known. Estimators:
Saltelli and others 2010 (first order) and Jansen 1999 (total), as in table 2 of Saltelli and others 2010.
"""
from __future__ import annotations

import warnings

import numpy as np
import numpy.typing as npt
import xarray as xr

from .. import checks
from ..errors import InputError, Undefined
from ..maps import contents
from ..maps.codes import SOLVED, flags_of
from ..maps.typed import choose
from ..solving.inputs import take
from ..values import Array, Names, PathLike, Reals

RESAMPLES, LEVEL = 500, 0.95
ENOUGH = 0.95  # of the groups; with less the notes say how many are used
FEWEST = 20  # cells: with fewer the intervals of a name's indices are about as wide as the indices
COUNTS = ("groups", "failed", "undefined")  # variables without parameters
BOUNDS = ("", "_low", "_high")


@checks.public
def sobol_indices(values: npt.ArrayLike, resamples: int = RESAMPLES, level: float = LEVEL,
                  seed: int = 0) -> dict[str, Reals]:
    """First-order and total indices with bootstrap intervals.

    Args:
        values: [group][point], all finite; the points of a group are a, a with parameter 1 of b, ...,
            a with parameter d of b, and b, where a and b are independent.
        resamples: number of bootstrap draws; each draws as many groups as there are, with replacement.
        level: probability that an interval contains the index.
        seed: seed of the draws.

    Returns:
        `first_order` and `total`, [estimate, low, high][parameter]; NaN where the values do not vary.

    >>> a, b = np.random.default_rng(1).random((2, 4096, 2))
    >>> points = np.stack([a, np.c_[b[:, 0], a[:, 1]], np.c_[a[:, 0], b[:, 1]], b], axis=1)
    >>> found = sobol_indices(points[..., 0] + 2 * points[..., 1])
    >>> found["first_order"][0].round(1), found["total"][0].round(1)  # 1/5 and 4/5
    (array([0.2, 0.8]), array([0.2, 0.8]))
    """
    array = array_of_numbers(values)
    resamples, level = checks.count("resamples", resamples, 1, 10**6), checks.share("level", level)
    seed = checks.count("seed", seed, 0)
    if array.ndim != 2 or array.shape[0] < 1 or array.shape[1] < 3 or not np.isfinite(array).all():
        raise InputError(f"values of shape {array.shape}: values must be finite and of shape (groups, parameters + 2)")
    draws = np.random.default_rng(seed).integers(len(array), size=(resamples, len(array)))
    tails = (1 - level) / 2, (1 + level) / 2
    found = estimate(array)
    spread = np.array([estimate(array[draw]) for draw in draws]).reshape(resamples, *found.shape)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # of a quantile of NaN: the values vary in none of the draws
        low, high = np.nanquantile(spread, tails, axis=0)
    return {name: np.array([found[k], low[k], high[k]])
            for k, name in enumerate(("first_order", "total"))}


def array_of_numbers(values: npt.ArrayLike) -> Array:
    """Floats, NaN where a mask hides a value."""
    taken = take("values", values)
    found: Array = np.asarray(taken.values if isinstance(taken, xr.DataArray) else taken)
    if found.dtype.kind != "f":
        raise InputError(f"values is {checks.shown(values)}; it must be an array of numbers")
    return found


def estimate(values: Array) -> Array:
    """[first order, total][parameter]."""
    first, mixed, last = values[:, 0], values[:, 1:-1], values[:, -1]
    both = np.concatenate([first, last])
    variance = both.var()
    if not variance > 1e-24 * np.square(both).mean():
        return np.full((2, mixed.shape[1]), np.nan)
    difference = mixed - first[:, None]
    parts = np.array([((last - both.mean())[:, None] * difference).mean(0), np.square(difference).mean(0) / 2])
    return np.asarray(parts / variance)


@checks.public
def sensitivity(data: xr.Dataset | PathLike, outputs: Names = None, *, resamples: int = RESAMPLES,
                level: float = LEVEL, seed: int = 0, fewest: int = FEWEST) -> xr.Dataset:
    """Sobol indices of the outputs of a map over its sample `{sample: saltelli, ...}`.

    Args:
        data: a map, as returned by `impactsweep.open`, or its path.
        outputs: real outputs and categories (default: all real ones with one value per cell, and `mode`).
            A category counts as one quantity for each of its names: 1 where a cell has the name, else 0.
        resamples, level, seed: as for `sobol_indices`.
        fewest: a name of a category is left out where, of as many solved cells as there are groups, fewer than these
            have it or have it not, because so few cells tell nothing about indices. 0: none is left out.

    Returns:
        `first_order`, `total` and their bounds (`first_order_low`, ...) over quantity, parameter and the
        axes other than the sample; `groups`, the number of groups used; `failed`, the part of the cells that were
        not solved; `undefined`, the part of the cells that were solved without a value of the quantity. A quantity is
        analysed over those groups in which it is defined at every point; where these are less than 95 % of the
        groups a warning of the category `Undefined` says so. The indices of a quantity that does not vary are NaN.
        The attribute `left_out` lists the names that are too rare.

    Raises:
        InputError: the map has no sample of this design, or an output is unknown or does not extend over it.
    """
    found = analyse(data, checks.names("outputs", outputs), checks.count("resamples", resamples, 1, 10**6),
                    checks.share("level", level), checks.count("seed", seed, 0), checks.count("fewest", fewest, 0))
    for note in notes_of(found):
        warnings.warn(note, Undefined, stacklevel=3)
    return found


def analyse(data: xr.Dataset | PathLike, outputs: list[str] | None = None, resamples: int = RESAMPLES,
            level: float = LEVEL, seed: int = 0, fewest: int = FEWEST) -> xr.Dataset:
    """`sensitivity` without its warnings."""
    data = map_of(data)
    axis = sample_of(data)
    parameters = contents.columns_of(data, axis)
    rest = [str(dim) for dim in data["outcome"].dims if dim != axis]
    solved = known(data, axis, rest)
    quantities, rare, points = {}, [], len(parameters) + 2
    for output in dict.fromkeys(usual_outputs(data) if outputs is None else outputs):
        for name, values in quantities_of(data, output, axis).items():
            grid = values.transpose(axis, *rest).values
            share = np.mean(grid[solved] == 1) if " = " in name and solved.any() else 0.5
            if min(share, 1 - share) * solved.shape[0] < fewest * points:
                rare.append(f"{name} ({100 * share:.2g} % of the cells)")
            else:
                quantities[name] = grid
    parts = [of_grid(np.where(solved, grid, np.nan).reshape(-1, points, *grid.shape[1:]),
                     solved.reshape(-1, points, *grid.shape[1:]), resamples, level, seed)
             for grid in quantities.values()]
    found = assemble(data, parts, list(quantities), parameters, rest)
    return found.assign_attrs(left_out=rare, all_groups=solved.shape[0] // points)


def notes_of(found: xr.Dataset) -> list[str]:
    """What a reader of the indices has to know: quantities that use few of the groups, and what is left out."""
    notes: list[str] = []
    whole = found.attrs["all_groups"]
    for quantity in found["quantity"].values.tolist() if "groups" in found else []:
        one = found.sel(quantity=quantity)
        used = int(one["groups"].min())
        if used < ENOUGH * whole:
            why = [text.format(f"{100 * float(one[name].max()):.2g}") for name, text in (
                ("failed", "{} % of the cells are not solved"), ("undefined", "it is undefined in {} % of the cells"))
                if float(one[name].max()) > 0]
            notes.append(f"{quantity}: {used:,} of {whole:,} groups are used, because {' and '.join(why)}; the indices "
                         "hold for the part of the sample where every point of a group has a value")
    if found.attrs["left_out"]:
        notes.append(f"left out, because too few cells have it or have it not: {', '.join(found.attrs['left_out'])}")
    return notes


def map_of(data: xr.Dataset | PathLike) -> xr.Dataset:
    from ..maps import dataset
    found = data if isinstance(data, xr.Dataset) else dataset.open(checks.path("data", data))
    if "outcome" not in found:
        raise InputError("the dataset is no map of impactsweep: it has no outcome")
    return found


def sample_of(data: xr.Dataset) -> str:
    for dim in data["outcome"].dims:
        if dim in data.coords and data[dim].attrs.get("design") == "saltelli":
            return str(dim)
    raise InputError("the map has no axis {sample: saltelli, ...}, which Sobol indices need")


def usual_outputs(data: xr.Dataset) -> list[str]:
    shape = set(data["outcome"].dims)
    real = [name for name in contents.real_fields(data)
            if set(data[name].dims) == shape and name not in contents.BOOKKEEPING]
    return (["mode"] if "mode" in data else []) + real


def known(data: xr.Dataset, axis: str, rest: list[str]) -> Array:
    outcome = data["outcome"].transpose(axis, *rest).values
    return np.asarray(outcome == ("solved" if outcome.dtype.kind in "OU" else SOLVED))


def quantities_of(data: xr.Dataset, output: str, axis: str) -> dict[str, xr.DataArray]:
    """{quantity: values}: a real output, or for each name of a category 1 where a cell has the name, else 0."""
    if output not in data.data_vars or axis not in data[output].dims:
        raise InputError(contents.unknown("output over the sample", output, usual_outputs(data)))
    values = data[output]
    if values.dtype.kind == "f":
        return {output: values}
    flags = flags_of(values)
    names = {code: name for code, name in flags.items()} if flags else {
        name: str(name) for name in np.unique(values.values.astype(str))}
    defined = values.where(values != next((code for code, name in names.items() if name == "none"),
                                          "none"))
    return {f"{output} = {name}": choose(defined.isnull(), np.nan, (values == code).astype(float))
            for code, name in names.items() if name != "none" and bool((values == code).any())}


def of_grid(grid: Array, solved: Array, resamples: int, level: float, seed: int) -> dict[str, Array]:
    """Indices of values [group][point][other axes], and of which cells were solved."""
    points, rest = grid.shape[1], grid.shape[2:]
    whole = np.isfinite(grid).all(axis=1)
    found = {f"{name}{bound}": np.full((points - 2, *rest), np.nan)
             for name in ("first_order", "total") for bound in BOUNDS}
    for place in np.ndindex(*rest):
        used = grid[(whole[(slice(None), *place)], slice(None), *place)]
        if len(used) > 1:
            for name, three in sobol_indices(used, resamples, level, seed).items():
                for bound, row in zip(BOUNDS, three):
                    found[name + bound][(slice(None), *place)] = row
    return {**found, "groups": whole.sum(axis=0), "failed": (~solved).mean(axis=(0, 1)),
            "undefined": (np.isnan(grid) & solved).mean(axis=(0, 1))}


def assemble(data: xr.Dataset, parts: list[dict[str, Array]], quantities: list[str], parameters: list[str],
             rest: list[str]) -> xr.Dataset:
    """The dataset of the indices of all quantities."""
    variables = {}
    for name in parts[0] if parts else ():
        of_parameter = ["parameter"] * (name not in COUNTS)
        variables[name] = (["quantity", *of_parameter, *rest], np.array([p[name] for p in parts]),
                           {"units": "1"})
    coordinates: dict[str, object] = {"quantity": quantities, "parameter": parameters,
                                      **{dim: data[dim] for dim in rest if dim in data.coords}}
    return xr.Dataset(variables, coordinates)
