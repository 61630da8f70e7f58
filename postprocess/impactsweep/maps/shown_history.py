"""How a notebook shows a history: forces or velocities over time or impulse with the phases behind them, what each phase
transferred, and the restitution."""
from __future__ import annotations

from dataclasses import dataclass
from typing import Mapping

import numpy as np
import pandas as pd
import xarray as xr

from ..display import notebook
from ..display.words import heading, readable, spaced, typeset, unit_of
from ..values import Array
from .codes import flags_of

# The columns that are drawn: the first of these groups that the history has.
GROUPS = (("normal_force", "tangential_force"), ("normal_force", "force_1", "force_2"), ("force",),
          ("normal_velocity", "tangential_velocity"), ("normal_velocity", "velocity_1", "velocity_2"), ("body_y",))
TRANSFERRED = ("normal_impulse", "tangential_impulse", "impulse_1", "impulse_2", "impulse", "friction_loss")
VELOCITIES = ("normal_velocity", "relative_velocity")
MOST_PLACES = 400  # of a line
MOST_PHASES = 40  # rows of the table


@dataclass
class Told:
    """What is shown of a history, whether it comes from a file or from a table."""
    title: str
    outcome: str
    along: str
    columns: dict[str, Array]
    units: Mapping[str, str]
    phases: list[str]
    events: list[str]


class History(pd.DataFrame):
    """The history of one cell as a table; its parts are plain tables. It differs from them in what notebooks show."""

    def _repr_html_(self) -> str:
        whole = str(super()._repr_html_())
        try:
            return f"<div {notebook.LEAF}>{page(of_table(self))}</div>{notebook.folded('the table', whole)}"
        except Exception:  # of a table that a user has changed beyond recognition
            return whole


def of_table(data: pd.DataFrame) -> Told:
    names = [str(name) for name in data.columns if name not in ("phase", "event")]
    inputs = ", ".join(f"{spaced(name)} {value}" for name, value in data.attrs["inputs"].items())
    return Told(f"{data.attrs['theory']}, {inputs}", data.attrs["outcome"], names[0], {name: data[name].to_numpy() for name in names},
                data.attrs["units"], data["phase"].tolist(), data["event"].tolist())


def is_history(data: xr.Dataset) -> bool:
    return {"phase", "event"} <= set(data.data_vars) and len(data["phase"].dims) == 1


def history_page(data: xr.Dataset) -> str:
    along = str(data["phase"].dims[0])
    columns = {str(name): one.values for name, one in {along: data[along], **data.data_vars}.items()
               if one.dims == (along,) and one.dtype.kind == "f"}
    units = {name: str(data[name].attrs.get("units", "1")) for name in columns}
    named = [[flags_of(data[name]).get(value, value) for value in data[name].values.tolist()] for name in ("phase", "event")]
    return page(Told(str(data.attrs.get("title", "")), str(data.attrs.get("outcome", "")), along, columns, units,
                     *[[str(one).removeprefix("none") for one in names] for names in named]))


def page(told: Told) -> str:
    parts = [f"<p><b>{notebook.escape(heading(readable(told.title)))}</b><br>{notebook.escape(summary(told))}</p>"]
    group = next((names for names in GROUPS if set(names) <= set(told.columns)), ())
    if group and len(told.phases) > 1:
        parts.append(picture(told, group))
    return "".join([*parts, phases(told)])


def number(value: float) -> str:
    return typeset(f"{value + 0.0:.4g}")


def labelled(told: Told, name: str) -> str:
    unit = unit_of(told.units.get(name, "1"))
    return f"{spaced(name)} ({unit})" if unit else spaced(name)


def summary(told: Told) -> str:
    """The outcome, restitution and last impulses in one line."""
    parts = [f"outcome {spaced(told.outcome)}"] if told.outcome else []
    for name in VELOCITIES:
        values = told.columns.get(name)
        if values is not None and len(values) and values[0] < 0 and told.events[-1] != "wedged":
            parts.append(f"restitution {number(-values[-1] / values[0])} ({spaced(name)} out over in)")
            break
    parts += [f"{labelled(told, name)} {number(told.columns[name][-1])}" for name in TRANSFERRED if name in told.columns]
    return ", ".join(parts)


def spans(told: Told) -> list[tuple[str, int, int]]:
    """The phases in order: name, first row, row at which the next one begins (the last row of the last one)."""
    starts = [place for place, name in enumerate(told.phases) if place == 0 or name != told.phases[place - 1]]
    ends = [*starts[1:], len(told.phases) - 1]
    return [(told.phases[start], start, end) for start, end in zip(starts, ends)]


def phases(told: Told) -> str:
    """A row for each phase: from where to where, and what it transferred."""
    x = told.columns[told.along]
    names = [name for name in TRANSFERRED if name in told.columns and name != told.along]
    rows = []
    for name, start, end in spans(told)[:MOST_PHASES]:
        event = next((one for one in told.events[start:start + 1] if one), "")
        rows.append((spaced(name) or "no contact", number(x[start]), number(x[end]),
                     *(number(told.columns[one][end] - told.columns[one][start]) for one in names), spaced(event)))
    left = len(spans(told)) - len(rows)
    head = ("phase", f"from {labelled(told, told.along)}", "to", *(f"{labelled(told, one)} in it" for one in names), "begins with")
    return notebook.table(head, rows) + (f"<p>{left} more phases</p>" if left else "")


# ------------------------------------------------------------------------------------------ the picture

def picture(told: Told, group: tuple[str, ...]) -> str:
    x = told.columns[told.along]
    low, high = (float(end) for end in (x.min(), x.max()))
    values = [told.columns[name] for name in group]
    bottom, top = min(0.0, *(float(one.min()) for one in values)), max(0.0, *(float(one.max()) for one in values))
    reach = [(low, (high - low) or 1.0), (bottom, (top - bottom) * 1.06 or 1.0)]
    axes = [notebook.Axis(labelled(told, told.along) if side == 0 else "", [
        ((one - start) / size, number(one)) for one in notebook.round_values(start, start + size, False)])
        for side, (start, size) in enumerate(reach)]
    places = np.unique(np.linspace(0, len(x) - 1, min(len(x), MOST_PLACES)).astype(int))
    inside = bands(told, x, reach[0])
    for (colour, dashes), one in zip(notebook.LINES, values):
        points = " ".join(f"{notebook.LEFT + notebook.WIDTH * (x[place] - low) / reach[0][1]:.1f},"
                          f"{notebook.TOP + notebook.HEIGHT * (1 - (one[place] - bottom) / reach[1][1]):.1f}" for place in places)
        inside += f"<polyline points='{points}' stroke='{colour}' stroke-width='2' stroke-dasharray='{dashes}'/>"
    told_words = f"{', '.join(map(spaced, group))} over {spaced(told.along)}"
    return notebook.frame(inside, axes[0], axes[1], notebook.HEIGHT, told_words) + legend(told, group)


def bands(told: Told, x: Array, reach: tuple[float, float]) -> str:
    """Every other phase is shaded, and each has its name above where there is room."""
    found = ""
    for count, (name, start, end) in enumerate(spans(told)[:MOST_PHASES]):
        left, right = (notebook.LEFT + notebook.WIDTH * (x[place] - reach[0]) / reach[1] for place in (start, end))
        if count % 2:
            found += (f"<rect x='{left:.1f}' y='{notebook.TOP}' width='{right - left:.1f}' height='{notebook.HEIGHT}' stroke='none' "
                      "fill='currentColor' fill-opacity='.1'/>")
        if right - left > 7 * len(name) > 0:
            found += notebook.text((left + right) / 2, notebook.TOP + 14, spaced(name))
    return found


def legend(told: Told, group: tuple[str, ...]) -> str:
    lines = [f"<span style='white-space:nowrap;margin-right:1.2em'><svg width='26' height='10' style='vertical-align:middle'><path "
             f"d='M0 5h26' stroke='{colour}' stroke-width='2' stroke-dasharray='{dashes}'/></svg> "
             f"{notebook.escape(labelled(told, name))}</span>"
             for (colour, dashes), name in zip(notebook.LINES, group)]
    return f"<p>{''.join(lines)}</p>"
