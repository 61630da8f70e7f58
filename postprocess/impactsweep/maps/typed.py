"""Calls of NumPy, xarray and h5py under types, which these have not in the oldest versions that the package takes."""
from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from typing import Any, Protocol, TypeAlias, Union

import h5py
import numpy as np
import xarray as xr
from xarray.backends import BackendArray
from xarray.core import indexing

from ..values import Array, Attributes

Masked: TypeAlias = "np.ma.MaskedArray[Any, Any]"
Key = tuple[Union[int, slice, Array], ...]  # of a part of a lazy array, an entry for each dimension


class MakesVariable(Protocol):
    def __call__(self, dims: Hashable, data: object, attrs: Attributes | None = None, /) -> xr.Variable: ...


class Part(Protocol):
    """Of an array that is computed when it is read: what a key asks for."""
    def __call__(self, key: Any, shape: tuple[int, ...], support: indexing.IndexingSupport,
                 read: Callable[[Key], Array], /) -> Array: ...


class Indexed(Protocol):
    def __getitem__(self, key: indexing.OuterIndexer, /) -> Array: ...


make_variable: MakesVariable = xr.Variable
load: Callable[[xr.Variable], xr.Variable] = xr.Variable.load
where: Callable[[xr.Variable, xr.Variable], xr.Variable] = xr.Variable.where
choose: Callable[[xr.DataArray, float, xr.DataArray], xr.DataArray] = xr.where
set_dims: Callable[[xr.Variable, Mapping[str, int]], xr.Variable] = xr.Variable.set_dims
lazy: Callable[[BackendArray], indexing.LazilyIndexedArray] = indexing.LazilyIndexedArray
once: Callable[[object], indexing.MemoryCachedArray] = indexing.MemoryCachedArray
own: Callable[[object], indexing.CopyOnWriteArray] = indexing.CopyOnWriteArray
part: Part = indexing.explicit_indexing_adapter
outer: Callable[[Key], indexing.OuterIndexer] = indexing.OuterIndexer
of_numpy: Callable[[Array], Indexed] = indexing.NumpyIndexingAdapter
masked_invalid: Callable[[Array], Masked] = np.ma.masked_invalid
masked_less: Callable[[Array, float], Masked] = np.ma.masked_less
masked_array: Callable[[object], Masked] = np.ma.array
mask_of: Callable[[Masked], Array] = np.ma.getmaskarray


# ----------------------------------------------------------------------------------------- h5py

class Column(Protocol):
    """A dataset of HDF5."""
    name: str
    dtype: np.dtype[Any]
    ndim: int
    attrs: Mapping[str, Any]
    parent: Columns

    def __getitem__(self, key: tuple[()], /) -> Array: ...


class Columns(Protocol):
    """A group of datasets."""
    def __contains__(self, name: object, /) -> bool: ...

    def __getitem__(self, name: str, /) -> Column: ...

    def items(self) -> Iterable[tuple[str, Column]]: ...


def column_at(file: h5py.File, path: str) -> Column:
    found: Column = file[path]
    return found


def columns_at(file: h5py.File, path: str) -> Columns:
    found: Columns = file[path]
    return found
