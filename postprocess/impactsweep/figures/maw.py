"""Maw's non-dimensional angles of incidence and rebound, with which curves for all frictions coincide."""
from __future__ import annotations

import dataclasses
from typing import TypeVar

import xarray as xr

from ..errors import InputError
from ..maps.histories import History

PSI = {"velocity_ratio": "ψ₁ = velocity ratio / (friction · stiffness ratio)",
       "velocity_ratio_out": "ψ₂ = velocity ratio out / (friction · stiffness ratio)"}

Number = TypeVar("Number", float, xr.DataArray)
FIRST = "ψ₁"
COLUMNS = {"velocity_ratio": "psi1", "velocity_ratio_out": "psi2"}  # of measured points


def is_psi(name: str, psi: bool) -> bool:
    return psi and name in PSI


def psi_label(name: str) -> str:
    return PSI[name]


def symbol_of(variable: xr.DataArray) -> str | None:
    """ψ₁ of a velocity ratio before the impact, also of one that a search found; ψ₂ of one after; None of others."""
    if variable.name == "velocity_ratio_out":
        return "ψ₂"
    searched = str(variable.attrs.get("long_name", "")).startswith("velocity ratio of the")
    return "ψ₁" if variable.name == "velocity_ratio" or searched else None


def in_psi(part: xr.Dataset) -> xr.Dataset:
    """The part of a map with Maw's angles in place of the velocity ratios that are no axes."""
    scale = maw_scale(part)
    found = {str(name): symbol_of(part[name]) for name in part.variables if name not in part.dims}
    return part.assign({name: (part[name] / scale).assign_attrs(part[name].attrs, long_name=symbol)
                        for name, symbol in found.items() if symbol})


def maw_scale(part: xr.Dataset) -> xr.DataArray:
    """Friction times stiffness ratio, which may be given by Poisson's ratio."""
    if "friction" not in part.variables:
        raise InputError("--psi needs the friction of the map")
    if "stiffness_ratio" in part.variables:
        scale: xr.DataArray = part["friction"] * part["stiffness_ratio"]
        return scale
    if "poisson_ratio" not in part.variables:
        raise InputError("--psi needs the stiffness_ratio or poisson_ratio of the map")
    scale = part["friction"] * ratio_of_poisson(part["poisson_ratio"])
    return scale


def ratio_of_poisson(poisson_ratio: Number) -> Number:
    """The stiffness ratio of bodies of one material."""
    found: Number = (2 - poisson_ratio) / (2 - 2 * poisson_ratio)
    return found


def of_history(history: History) -> History:
    """A history with Maw's angle of incidence among its inputs, in place of the velocity ratio."""
    ratio, friction = history.number("velocity_ratio"), history.number("friction")
    poisson = history.number("poisson_ratio")
    stiffness = history.number("stiffness_ratio", None if poisson is None else ratio_of_poisson(poisson))
    if ratio is None or friction is None or stiffness is None or friction * stiffness == 0:
        raise InputError(f"{history.path}: --psi needs the velocity_ratio, the friction and the stiffness_ratio or "
                       "poisson_ratio of the cell")
    angle = float(f"{ratio / (friction * stiffness):.6g}")
    inputs = {FIRST if name == "velocity_ratio" else name: value for name, value in history.inputs.items()}
    title = [part for part in history.title.split(", ") if not part.startswith("velocity_ratio ")]
    return dataclasses.replace(history, inputs=inputs | {FIRST: (angle, "1")}, title=", ".join(title))
