"""The inverse mass B of a body, from the history of its contact.

Every row obeys M (v - v0) = P with M = B^-1, and v . M v / 2 is its kinetic energy: M follows by least squares.
A body that can only move along one line has no M, and its impulses along that line change its speed.
"""
from __future__ import annotations

import numpy as np

from ...maps.histories import History
from ...values import Reals

COLUMNS = ("tangential_velocity", "normal_velocity", "tangential_impulse", "normal_impulse")
ENOUGH = 1e-9  # of the largest singular value


def rows_of_b(history: History) -> list[tuple[float, float, float]]:
    """[(b_t, b_n, v)]: v + b_t P_t + b_n P_n is the tangential velocity, then the normal one; of a body on one line
    its speed alone. Empty where the history does not tell."""
    if not set(COLUMNS) <= set(history.columns):
        return []
    v_t, v_n, p_t, p_n = (history.columns[name] for name in COLUMNS)
    d_t, d_n = v_t - v_t[0], v_n - v_n[0]
    start = np.array([v_t[0], v_n[0]])
    none = np.zeros_like(d_t)
    if np.allclose(v_t * start[1], v_n * start[0], atol=1e-9 * np.abs(start).max() ** 2):
        way = start / np.linalg.norm(start)
        found = solved(np.column_stack([p_t, p_n]), d_t * way[0] + d_n * way[1])
        return [] if found is None else [(found[0], found[1], float(np.linalg.norm(start)))]
    equations, sides = [np.column_stack([d_t, d_n, none]), np.column_stack([none, d_t, d_n])], [p_t, p_n]
    if "kinetic_energy" in history.columns and history.theory != "viscoelastic":
        equations.append(np.column_stack([v_t ** 2, 2 * v_t * v_n, v_n ** 2]))
        sides.append(2 * history.columns["kinetic_energy"])
    found = solved(np.vstack(equations), np.concatenate(sides))
    if found is None:
        return []
    b = np.linalg.inv([[found[0], found[1]], [found[1], found[2]]])
    return [(b[0, 0], b[0, 1], v_t[0]), (b[1, 0], b[1, 1], v_n[0])]


def solved(equations: Reals, sides: Reals) -> Reals | None:
    """The solution by least squares; None if it is not unique."""
    found, _, rank, _ = np.linalg.lstsq(equations, sides, rcond=ENOUGH)
    return found if rank == equations.shape[1] else None
