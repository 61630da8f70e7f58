"""Maps as tables of pandas."""
from __future__ import annotations

import numpy as np
import pandas as pd
import xarray as xr

from .. import checks
from ..errors import InputError
from ..values import Array, Names, PathLike
from .dataset import open
from .typed import set_dims


@checks.public
def table(data: xr.Dataset | PathLike, outputs: Names = None) -> pd.DataFrame:
    """A map as a table with one row for each cell, as `impactsweep export` writes it.

    Args:
        data: a Dataset of `open`, `solve` or `run`, a part of one, or the path of a map.
        outputs: names of outputs; None: all of them, without the codes beside names.

    The first columns are the axes, with the columns of tables and samples; then follow the outputs. An output with
    several values per cell has a column for each: `slip_loss_1`, `slip_loss_2`, ... Parameters and choices that do not
    vary are in `attrs["fixed"]`, units of the columns in `attrs["units"]`.

    >>> import impactsweep
    >>> cells = impactsweep.solve("compliant", body="pendulum", angle=["20 deg", "30 deg"], friction=[[0.1], [0.3]],
    ...                           stiffness_ratio=1.21, degrees=True)
    >>> frame = table(cells, ["mode", "slip_loss"])
    >>> frame.shape, list(frame.columns)[:4]
    ((4, 11), ['friction', 'angle', 'mode', 'slip_loss_1'])
    """
    if not isinstance(data, xr.Dataset):
        data = open(checks.path("data", data))
    if "outcome" not in data.data_vars:
        raise InputError("the dataset is no map of impactsweep: it has no outcome")
    cells = [str(dim) for dim in data["outcome"].dims]
    names = chosen(data, cells, checks.names("outputs", outputs))
    axes = [name for dim in cells for name in ([dim] if dim in data.coords else [])
            + [str(other) for other, one in data.coords.items() if other != dim and one.dims == (dim,)]]
    axes += [str(name) for name, one in data.coords.items() if len(one.dims) > 1 and set(one.dims) <= set(cells)]
    columns, units = {}, {}
    for name in [*axes, *names]:
        for column, values in columns_of(data, name, cells).items():
            columns[column] = values
            units[column] = str(data[name].attrs.get("units", ""))
    frame = pd.DataFrame(columns, index=pd.RangeIndex(data["outcome"].size))
    frame.attrs = {"units": units, "fixed": {str(name): one.item() for name, one in data.coords.items() if not one.dims}}
    return frame


def chosen(data: xr.Dataset, cells: list[str], outputs: list[str] | None) -> list[str]:
    known = [str(name) for name, one in data.data_vars.items() if set(cells) <= set(one.dims)]
    wrong = [f"unknown output '{checks.brief(name)}'{checks.hint(name, known)}" for name in outputs or () if name not in known]
    if wrong:
        raise InputError("\n".join(wrong))
    named = [name for name in known if not (name.endswith("_code") and name[:-len("_code")] in known)]
    return named if outputs is None else list(dict.fromkeys(outputs))


def columns_of(data: xr.Dataset, name: str, cells: list[str]) -> dict[str, Array]:
    """{column: a value for each cell}"""
    one = data[name]
    own = [str(dim) for dim in one.dims if dim not in cells]
    sizes = {dim: data.sizes[dim] for dim in cells}
    values = set_dims(one.variable, {**sizes, **{dim: one.sizes[dim] for dim in own}}).transpose(*cells, *own).values
    flat = values.reshape(data["outcome"].size, -1)
    if not own:
        return {name: flat[:, 0]}
    numbers = [".".join(str(part + 1) for part in np.unravel_index(place, values.shape[len(cells):]))
               for place in range(flat.shape[1])]
    return {f"{name}_{number}": flat[:, place] for place, number in enumerate(numbers)}
