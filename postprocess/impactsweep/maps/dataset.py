"""Opens the program's files as xarray Datasets: as stored, or decoded into names, degrees and NaN."""
from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Hashable, Iterable, Mapping

import h5py
import numpy as np
import numpy.typing as npt
import xarray as xr
from xarray.backends import BackendArray, BackendEntrypoint
from xarray.backends.locks import HDF5_LOCK
from xarray.core import indexing

from .. import checks
from ..checks import brief
from ..errors import InputError, MissingFile, Unfinished
from ..values import Array, Attributes, PathLike as PathLike
from .codes import SOLVED as SOLVED, common_names_of, flags_of as flags_of
from .sequences import sequence_text
from .shown import Dataset
from .typed import Key, column_at, lazy, load, make_variable, once, own, part, where

# Attributes for the program alone; attributes that are empty in most files.
PRIVATE = ("fingerprint", "impactsweep_format", "impactsweep_history", "Conventions")
OFTEN_EMPTY = ("part", "parts", "overrides", "tables", "config", "config_path")
STORED_AS = ("_FillValue", "flag_values", "flag_meanings", "flag_common", "impactsweep_role")
DEGREES = 180 / np.pi
ROUNDING = 1e-15



# --------------------------------------------------------------------------------- stored values

class Lock:
    """xarray's lock of the HDF5 library. The lock itself can be pickled only where dask is installed; this one names it,
    so that maps can be pickled everywhere."""

    def acquire(self, blocking: bool = True, timeout: float = -1) -> bool:
        return bool(HDF5_LOCK.acquire(blocking, timeout))

    def release(self) -> None:
        HDF5_LOCK.release()

    def locked(self) -> bool:
        return bool(HDF5_LOCK.locked())

    def __enter__(self) -> bool:
        return bool(HDF5_LOCK.__enter__())

    def __exit__(self, *reason: object) -> None:
        HDF5_LOCK.__exit__(*reason)


def check_file(path: PathLike, what: str) -> None:
    if not os.path.exists(path):
        raise MissingFile(f"{brief(path)}: no such file")
    if os.path.isdir(path):
        raise InputError(f"{brief(path)}: is a folder, not a {what}")


def first_line(reason: BaseException) -> str:
    return (str(reason).splitlines() or [type(reason).__name__])[0]


def read(path: PathLike, what: str = "map or history", cache: bool = True) -> xr.Dataset:
    """The file as stored, read lazily: codes, radians, values of cells that are not solved. The
    bookkeeping that layout 1 keeps among the outputs is left out."""
    check_file(path, what)
    try:
        # Values stay as stored: scaling would turn categories into floats, "s" into time deltas.
        data = xr.open_dataset(path, engine="h5netcdf", mask_and_scale=False, decode_times=False,
                               phony_dims="sort", cache=cache, lock=Lock())
    except PermissionError:
        raise InputError(f"{brief(path)}: permission denied") from None
    except Exception as reason:  # libraries raise many kinds for a file that is no netCDF-4
        raise InputError(f"{brief(path)}: not a {what} ({first_line(reason)})") from None
    return without(data, [name for name, variable in data.variables.items()
                          if variable.attrs.get("impactsweep_role") == "session"])


def without(data: xr.Dataset, names: str | Iterable[Hashable]) -> xr.Dataset:
    """The dataset without some variables; closing it closes the file."""
    kept = data.drop_vars(names)
    kept.set_close(data.close)
    return kept


def is_complete(path: PathLike) -> bool:
    """Whether every cell is done; a history always is."""
    with h5py.File(path, "r") as file:
        for name in ("run/complete", "run_complete"):  # in layouts 2 and 1
            if name in file:
                return bool(column_at(file, name)[()])
    return True


# -------------------------------------------------------------------------------- decoded values

class Computed(BackendArray):
    """A lazy array: a part of it is computed from the same part of other arrays at the first access."""

    def __init__(self, compute: Callable[..., Array], dtype: npt.DTypeLike, *sources: xr.Variable) -> None:
        self.compute, self.sources = compute, sources
        self.shape, self.dtype = sources[0].shape, np.dtype(dtype)

    def __getitem__(self, key: indexing.ExplicitIndexer) -> Array:
        return part(key, self.shape, indexing.IndexingSupport.OUTER, self.part)

    def part(self, key: Key) -> Array:
        place = dict(zip(self.sources[0].dims, key))
        parts = [source.isel({dim: at for dim, at in place.items() if dim in source.dims})
                 for source in self.sources]
        return np.asarray(self.compute(*parts), self.dtype)


def computed(attrs: Attributes, compute: Callable[..., Array], dtype: npt.DTypeLike, *sources: xr.Variable) -> xr.Variable:
    data = lazy(Computed(compute, dtype, *sources))
    return make_variable(sources[0].dims, cached(data), attrs)


def cached(data: object) -> object:
    """The array, read once at the first access; changes by the user stay in memory."""
    if isinstance(data, np.ndarray):
        return data
    return once(own(data))


def is_sequence(variable: xr.Variable) -> bool:
    return bool(variable.dtype == np.uint64)


# What computes lazy values is a function or an object of a module, so that a map can be pickled.

class Labels:
    """The names of codes."""

    def __init__(self, table: Array) -> None:
        self.table = table

    def __call__(self, codes: xr.Variable) -> Array:
        return np.asarray(self.table[codes.values])


class Decoder:
    """Turns the stored variables of a file into decoded ones."""

    def __init__(self, outputs: Mapping[str, xr.Variable], degrees: bool, labels: bool, masked: bool) -> None:
        self.outputs, self.degrees, self.labels = outputs, degrees, labels
        self.outcome = None if masked else outputs.get("outcome")

    def decode(self, name: str, variable: xr.Variable) -> dict[str, xr.Variable]:
        """The variables that replace a stored one."""
        attrs = {key: value for key, value in variable.attrs.items() if key not in STORED_AS}
        names = flags_of(variable)
        if self.labels and names:
            return self.category(name, variable, attrs, names)
        if self.labels and is_sequence(variable):
            text = computed(attrs, texts_of, object, variable)
            code = f"{variable.attrs.get('long_name', name)}, 2 bits per phase"
            return {name: text, f"{name}_code": self.as_stored(variable, long_name=code)}
        if self.labels and "members" in attrs:  # the places along a dimension have names
            return {name: make_variable(variable.dims, np.array(attrs.pop("members").split()), attrs)}
        if variable.dtype.kind != "f":
            return {name: self.as_stored(variable)}
        return {name: self.real(name, variable, attrs)}

    def category(self, name: str, variable: xr.Variable, attrs: Attributes, names: dict[int, str]) -> dict[str, xr.Variable]:
        table = np.array([names.get(code, f"code {code}") for code in range(max(names) + 1)])
        common = common_names_of(variable)
        if common:  # modes that other theories have by other names: `compare` knows them by these
            attrs["common_names"] = " ".join(word for pair in common.items() for word in pair)
        decoded = {name: computed(attrs, Labels(table), table.dtype, variable)}
        if name in self.outputs:
            text = f"{variable.attrs.get('long_name', name)}, code"
            decoded[f"{name}_code"] = self.as_stored(variable, long_name=text)
        return decoded

    def as_stored(self, variable: xr.Variable, **changes: str) -> xr.Variable:
        attrs = {key: value for key, value in variable.attrs.items()
                 if key not in ("_FillValue", "impactsweep_role")}
        return make_variable(variable.dims, cached(variable._data), {**attrs, **changes})

    def real(self, name: str, variable: xr.Variable, attrs: Attributes) -> xr.Variable:
        turned = self.degrees and attrs.get("units") == "rad"
        if turned:
            attrs["units"] = "deg"
        outcome = self.outcome if name in self.outputs else None
        if outcome is not None and not set(outcome.dims) <= set(variable.dims):
            outcome = None
        if not turned and outcome is None:
            return make_variable(variable.dims, cached(variable._data), attrs)
        if outcome is not None:
            return computed(attrs, masked_degrees if turned else masked, variable.dtype, variable, outcome)
        return computed(attrs, to_degrees, variable.dtype, variable)


def masked(values: xr.Variable, outcome: xr.Variable) -> Array:
    values, outcome = load(values), load(outcome)
    solved: xr.Variable = outcome == SOLVED
    return np.asarray(values.values if solved.values.all() else where(values, solved).values)


def masked_degrees(values: xr.Variable, outcome: xr.Variable) -> Array:
    return to_degrees(masked(values, outcome))


def to_degrees(values: npt.ArrayLike) -> Array:
    """Values in degrees; the short number of the config, where the two differ by rounding alone."""
    degrees = np.asarray(values) * DEGREES
    short = np.round(degrees, 9)
    return np.where(np.abs(degrees - short) <= ROUNDING * np.abs(degrees), short, degrees)


def texts_of(codes: xr.Variable) -> Array:
    distinct, places = np.unique(codes.values, return_inverse=True)
    texts = np.array([sequence_text(code) for code in distinct.tolist()] or [""], object)
    return texts[places].reshape(codes.shape)


def decode_file(stored: xr.Dataset, degrees: bool, labels: bool) -> Dataset:
    outputs, coordinates = ({str(name): stored.variables[name] for name in part}
                            for part in (stored.data_vars, stored.coords))
    data = decode(outputs, coordinates, stored.attrs, degrees, labels)
    data.encoding["source"] = stored.encoding.get("source")
    data.set_close(stored.close)
    return data


def decode(outputs: Mapping[str, xr.Variable], coordinates: Mapping[str, xr.Variable],
           attrs: Attributes, degrees: bool, labels: bool, masked: bool = False) -> Dataset:
    """masked: what was not solved is NaN already."""
    decoder = Decoder(outputs, degrees, labels, masked)
    variables, places = ({key: one for name, variable in part.items()
                          for key, one in decoder.decode(name, variable).items()}
                         for part in (outputs, coordinates))
    for variable in places.values():
        if not variable.dims:
            variable.values  # read now, so that it is seen; load() would look for dask every time
    return Dataset(variables, places, {
        name: value for name, value in attrs.items() if name not in PRIVATE and not (
            name in OFTEN_EMPTY and value in (0, ""))})


class Decoded(BackendEntrypoint):
    """Files of impactsweep for xarray: `xarray.open_dataset(path, engine="impactsweep")` is
    `impactsweep.open(path)` where the package is installed."""

    description = "Maps and histories of impactsweep"
    open_dataset_parameters = ("filename_or_obj", "drop_variables", "degrees", "labels")

    def open_dataset(self, filename_or_obj: PathLike,  # type: ignore[override]  # it takes two keywords, not any
                     drop_variables: str | Iterable[str] | None = None, *,
                     degrees: bool = False, labels: bool = True) -> xr.Dataset:
        return without(open(filename_or_obj, degrees=degrees, labels=labels), drop_variables or [])


def read_known(path: PathLike) -> xr.Dataset:
    stored = read(path, cache=False)
    if stored.attrs.get("program") != "impactsweep":
        stored.close()
        raise InputError(f"{brief(path)}: not a map or history of impactsweep")
    return stored


@checks.public
def open(path: PathLike, *, degrees: bool = False, labels: bool = True) -> xr.Dataset:
    """Opens a map (of a sweep, a search, a sample, or one of its parts) or the history of one cell.

    Only the axes are read at once, outputs when they are used: cut a map that is larger than memory with
    `sel` or `isel` first.

    Args:
        path: a file that `impactsweep run`, `join` or `trace -o FILE.h5` wrote, in any version.
        degrees: angles in degrees instead of radians, on axes and in outputs.
        labels: modes, other categories and sequences of phases by name, with their codes beside them
            (`mode`, `mode_code`; xarray plots codes only: `data.mode_code.plot()`); False leaves the codes of the
            file under the bare name.

    Real outputs of cells that were not solved are NaN; `outcome` says why they were not.
    An unfinished map and a part of a map open with a warning of the category `Unfinished`.

    Raises:
        InputError: the file is not one of impactsweep. MissingFile (an InputError): there is no such file.
    """
    path, degrees, labels = (checks.path("path", path), checks.switch("degrees", degrees),
                             checks.switch("labels", labels))
    data = decode_file(read_known(path), degrees, labels)
    if data.attrs.get("parts"):
        warn(f"{path} is part {data.attrs['part']} of {data.attrs['parts']} of a map; `impactsweep "
             "join` puts the parts together")
    if not is_complete(path):
        warn(f"{path} is unfinished: cells to come have the outcome 'pending'")
    return data


def warn(text: str) -> None:
    warnings.warn(text, Unfinished, stacklevel=4)
