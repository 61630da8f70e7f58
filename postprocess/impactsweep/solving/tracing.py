"""The history of one cell, by libimpact."""
from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from .. import checks
from ..errors import InputError
from ..library import binding as c
from ..library.binding import library, text
from ..library.theories import Output, modes_of, output_of
from ..maps.shown_history import History
from ..values import Value
from .cells import declared, refuse_options
from .inputs import Given, is_array, take_all, words_of

MOST_POINTS = 10_000_000  # as of the program


@checks.public
def trace(theory: str, /, *, points: int = 401, variables: Mapping[str, str] | None = None, **inputs: Value) -> History:
    """The history of one cell: rows evenly spaced from first contact to the end, and one for every event.

    Args:
        theory, variables, inputs: as for `solve`, with one value for each input.
        points: number of evenly spaced rows.

    The first column grows: it is time or impulse. The last two are the names of `phase` and `event`.
    `attrs` holds the units of the columns, the theory, the inputs and the outcome of the cell.

    >>> history = trace("compliant", body="pendulum", angle="30 deg", friction=0.3,
    ...                 stiffness_ratio=1.21, points=11)
    >>> list(history.phase.unique())
    ['slip-', 'stick', 'slip+']
    >>> history[history.event == "separation"].normal_velocity.round(6).tolist()
    [0.743712]
    """
    theory = checks.text("theory", theory)
    variables = checks.table("variables", variables)
    refuse_options(theory, [name for name in inputs if name not in variables], ("points", "variables"))
    given = take_all(inputs)
    several = [name for name, value in given.items() if is_array(value)]
    if several:
        raise InputError(f"a history is that of one cell, but these inputs have several values: "
                         f"{', '.join(several)}")
    points = checks.count("points", points, 2, MOST_POINTS)
    with c.Solver(theory, words_of({**declared(variables), **given})) as solver:
        return record(solver, given, points)


def record(solver: c.Solver, given: Given, points: int) -> History:
    history = solver.theory.history.contents if solver.theory.history else None
    count = history.n_columns if history else 0
    rows, phases, events, stopped = [], [], [], []

    def take_row(_: object, row: c.Doubles, phase: int, event: int) -> None:
        try:
            rows.append(row[:count])
            phases.append(phase)
            events.append(event)
        except BaseException as reason:  # Ctrl-C, no memory: C code between here and the caller takes no exceptions
            stopped.append(reason)
    outcome = solver.trace(c.Recorder(points, c.RECORD(take_row)))
    if stopped:
        raise stopped[0]
    columns = [output_of(solver.theory, history.columns[place]) for place in range(count)]
    data = History(np.array(rows).reshape(-1, count), columns=[one.name for one in columns])
    data["phase"] = names(modes_of(history.phases, history.n_phases), phases)
    data["event"] = names(modes_of(history.events, history.n_events), events)
    data.attrs = {"theory": text(solver.theory.name), "inputs": dict(given),
                  "outcome": text(library().imp_outcome_name(outcome)),
                  "units": units_of(solver, given, columns)}
    return data


def names(modes: dict[int, tuple[str, str]], codes: list[int]) -> list[str]:
    return [modes[code][0] if code in modes else "" for code in codes]


def units_of(solver: c.Solver, given: Given, columns: Sequence[Output]) -> dict[str, str]:
    si = c.dimensional(solver, given)
    return {one.name: one.unit if one.own_unit or si else "1" for one in columns}
