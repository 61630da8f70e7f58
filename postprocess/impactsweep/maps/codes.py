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
