"""Codes of the file and their names."""
from __future__ import annotations

import numpy as np
import xarray as xr

SOLVED = 1  # code of the outcome
PENDING = 0


def flags_of(variable: xr.DataArray | xr.Variable) -> dict[int, str]:
    """{code: name} of a CF category, {} of anything else."""
    names = variable.attrs.get("flag_meanings", "")
    codes = np.atleast_1d(variable.attrs.get("flag_values", []))
    return {int(code): name for code, name in zip(codes, str(names).split())}


def common_names_of(variable: xr.DataArray | xr.Variable) -> dict[str, str]:
    """{name: common name} of the modes that other theories have by other names."""
    words = str(variable.attrs.get("common_names", "")).split()
    pairs = zip(words[::2], words[1::2]) if words else zip(flags_of(variable).values(),
                                                           str(variable.attrs.get("flag_common", "")).split())
    return {name: common for name, common in pairs if name != common}
