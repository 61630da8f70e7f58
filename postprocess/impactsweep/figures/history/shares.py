"""Histories as shares of their greatest values: Maw's axes, on which contacts of any mass and stiffness can be
compared."""
from __future__ import annotations

import dataclasses

import numpy as np

from ...errors import InputError
from ...maps.histories import History, separates

TIME = "τ = time / duration"
FORCES = {"tangential_force": r"$φ_t = F_t / (μ\,F_{n,\mathrm{max}})$",
          "normal_force": r"$φ_n = F_n / F_{n,\mathrm{max}}$"}
CANCELLED = ("mass", "normal_stiffness", "normal_speed")  # change neither share


def of_history(history: History) -> History:
    """Time over the duration of the contact, forces over the greatest one that friction allows. The limits of friction
    are then the normal force itself."""
    friction = history.number("friction")
    if not friction or history.along != "time" or not set(FORCES) <= set(history.columns):
        raise InputError(f"{history.path}: --phi needs forces over time, in a plane, and a friction above 0")
    if not separates(history):
        raise InputError(f"{history.path}: --phi needs a contact that ends")
    peak = np.abs(history.columns["normal_force"]).max()
    scale = {"time": history.columns["time"][-1], "tangential_force": friction * peak, "normal_force": peak}
    inputs = {name: value for name, value in history.inputs.items() if name not in CANCELLED}
    title = [part for part in history.title.split(", ") if not part.startswith(CANCELLED)]
    return dataclasses.replace(
        history, inputs=inputs, title=", ".join(title),
        columns={name: values / scale.get(name, 1) for name, values in history.columns.items()},
        units={**history.units, **dict.fromkeys(scale, "1")}, shares={"time": TIME, **FORCES})
