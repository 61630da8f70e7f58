"""Time steps of sources, which show in the numbers that they print. For validate.py; uses nothing of the program."""
from __future__ import annotations

import csv
import math
import os

import numpy as np
import xarray as xr

PAMC_STEP = 0.01
PAMC_NORMAL_STIFFNESS = 4 / 3
PAMC_POISSON_RATIO = 0.28
PAMC_STIFFNESS_RATIO = (2 - PAMC_POISSON_RATIO) / (2 - 2 * PAMC_POISSON_RATIO)


def pamc_time_steps(folder: str) -> xr.Dataset:
    """Cases A to D' of PAMC by semi-implicit Euler: velocities take their step by the forces before it,
    elongations theirs by the velocities after it. Mass and normal speed are 1 and the normal stiffness is
    4/3, as in the thesis."""
    with open(os.path.join(folder, "pamc-cases.csv"), newline="", encoding="utf-8") as file:
        rows = [{name.strip(): float(text) for name, text in row.items()} for row in csv.DictReader(file)]
    inputs = {name: ("case", [row[name] for row in rows]) for name in rows[0]}
    results = [pamc_contact(**row) for row in rows]
    outputs = {name: ("case", [result[name] for result in results]) for name in results[0]}
    return xr.Dataset({**outputs, "outcome": ("case", ["solved"] * len(rows))}, coords=inputs)


def pamc_contact(friction: float, inertia_coupling: float, angle: float, velocity_ratio: float,
                 step: float = PAMC_STEP) -> dict[str, float]:
    """Restitutions and losses of one contact of linear springs."""
    along, across = math.cos(2 * angle), math.sin(2 * angle)
    inverse_mass = np.array([[1 + inertia_coupling * along, inertia_coupling * across],
                             [inertia_coupling * across, 1 - inertia_coupling * along]])
    stiffness = PAMC_NORMAL_STIFFNESS / np.array([PAMC_STIFFNESS_RATIO, 1])
    start = velocity = np.array([velocity_ratio, -1.0])
    elongation, force = np.zeros(2), np.zeros(2)
    impulse, work, tangential_work = [0.0, 0.0], [0.0, 0.0], 0.0
    while True:
        velocity = velocity + step * inverse_mass @ force
        elongation = elongation + step * velocity
        if elongation[1] >= 0:
            break
        force = -stiffness * elongation
        limit = friction * force[1]
        if abs(force[0]) > limit:
            force[0] = math.copysign(limit, force[0])
            elongation[0] = -force[0] / stiffness[0]
        phase = int(velocity[1] >= 0)
        impulse[phase] += step * force[1]
        work[phase] += step * force[1] * velocity[1]
        tangential_work += step * force[0] * velocity[0]
    energy = start @ np.linalg.solve(inverse_mass, start) / 2
    return {"kinematic_restitution": velocity[1], "kinetic_restitution": impulse[1] / impulse[0],
            "energetic_restitution_squared": -work[1] / work[0],
            "energy_loss": 1 - velocity @ np.linalg.solve(inverse_mass, velocity) / 2 / energy,
            "energy_loss_by_works": -(sum(work) + tangential_work) / energy}
