"""The events of a history as rows of a table: phase by phase, as worked examples have them."""
from __future__ import annotations

import numpy as np

from ...errors import InputError
from ...maps import contents, histories
from ...maps.contents import unknown
from ...values import Reals
from ..labels import spaced
from . import panels

RATIOS = {"ratio of the impulses since the row above": 1, "ratio of the impulses since first touch": 0}


def is_history(path: str) -> bool:
    if path.lower().endswith(".csv"):
        return True
    with contents.open_file(path, "map or history") as data:
        return set(histories.CODES) <= set(data.variables)


def of_file(path: str) -> tuple[histories.History, list[str]]:
    """The history of a file with the rows of its events only, and the names of the events."""
    several = histories.read(path)
    if len(several) > 1:
        raise InputError(f"{path}: holds {len(several)} histories; a table is of one")
    whole = several[0]
    rows = [row for row, event in enumerate(whole.events) if event or row == 0]
    kept = histories.History({name: values[rows] for name, values in whole.columns.items()}, whole.units,
                             [whole.phases[row] for row in rows], [whole.events[row] for row in rows],
                             whole.phase_names, whole.inputs, whole.title, path)
    return kept, [spaced(event) if event else "first touch" for event in kept.events]


def columns_of(history: histories.History, wanted: list[str]) -> list[tuple[str, Reals]]:
    """[(head, values)]: the columns that are wanted, or impulses, velocities, and the ratios of the impulses."""
    for name in wanted:
        if name not in history.columns:
            raise InputError(unknown("column", name, list(history.columns)))
    names = wanted or [name for name in history.columns
                       if name == history.along or panels.is_impulse(name) or panels.is_velocity(name)]
    found = [(head_of(history, name), panels.scale_of([history], [name])[0] * panels.values_of(history, name))
             for name in names]
    pair = [f"{side}_impulse" for side in ("tangential", "normal")]
    both = not wanted and set(pair) <= set(history.columns)
    return found + (ratios_of(*(history.columns[name] for name in pair)) if both else [])


def head_of(history: histories.History, name: str) -> str:
    return panels.name_of(history, name) + panels.scale_of([history], [name])[1]


def ratios_of(tangential: Reals, normal: Reals) -> list[tuple[str, Reals]]:
    """The ratio of the impulses of each interval and of the whole so far: friction with its sign while the contact
    slips."""
    with np.errstate(divide="ignore", invalid="ignore"):
        steps = np.concatenate([[np.nan], np.diff(tangential) / np.diff(normal)])
        whole = tangential / normal
    return list(zip(RATIOS, (np.where(np.isfinite(steps), steps, np.nan), np.where(np.isfinite(whole), whole, np.nan))))
