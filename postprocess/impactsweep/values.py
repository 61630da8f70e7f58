"""Types of what functions take and give, for all rooms. Where a type holds `Any`, the library behind it has no better word."""
from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import Any, SupportsFloat, TypeAlias, Union

import numpy as np
import numpy.typing as npt

Reals: TypeAlias = npt.NDArray[np.float64]
Whole: TypeAlias = npt.NDArray[np.int_]
Mask: TypeAlias = npt.NDArray[np.bool_]
# Of numbers or texts; NumPy 1.24 has neither a type of "any number" that one can calculate with, nor one of shapes.
Array: TypeAlias = np.ndarray[Any, Any]
Attributes: TypeAlias = dict[str, Any]  # of a netCDF file: texts, numbers, arrays
PathLike: TypeAlias = Union[str, "os.PathLike[str]"]

# What users give for a parameter: a number, a text with a unit, a formula, an array or a list of these, in which None is a
# missing value. DataArrays, Series and masked arrays are arrays to ArrayLike.
Scalar: TypeAlias = Union[str, SupportsFloat, None]
Value: TypeAlias = Union[npt.ArrayLike, SupportsFloat, Sequence[Scalar], Sequence[Sequence[Scalar]]]
Names: TypeAlias = Union[str, Iterable[str], None]  # one, several or all
