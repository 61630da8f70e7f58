"""Draws the flow of the slip velocity of a body in space under friction.

A map of the theory swerve supplies the body, the friction, and the paths of its cells. With the keys and
values of `impactsweep cell swerve` no file is needed; paths then start in all directions, or at the
initial velocity if it is given. Bodies and their inverse mass come from libimpact.
"""
from __future__ import annotations

import argparse
import functools
import math
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import xarray as xr
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from ...errors import Error, InputError
from ...library.theories import Parameter, describe
from ...maps import contents
from ...maps.contents import coordinate, flags_of, unknown
from ...maps.shown_history import History
from ...solving.tracing import trace
from ...values import Reals
from .. import labels, layout, looks, settings, slicing
from ..labels import spaced
from ..survey import FLOW, Claim, Survey

Numbers = dict[str, float]  # {parameter: its value}
NODE, SADDLE, OUTGOING, CHANGE = looks.BLUE, looks.RED, looks.GREEN, looks.BLACK
FIELD, PATH = "#B8B8B8", looks.DARK
USES: set[str] = set()
MOST_PATHS = 60
NO_PART = 1e-11  # relative size of a vanishing coefficient after rounding
ROUNDING = 1e-12  # of B, relative

THEORY = "swerve"
# Parameters of the body's motion at first touch, which do not change the flow, and values with which a body slips in
# several directions.
MOTION = {"heading": (0.3, 2.5, 4.4), "velocity_ratio": (1.0, 0.8, 1.3), "swerve_ratio": (-0.7, 0.3, 1.1)}


@dataclass
class Flow:
    """Per normal impulse: dv/dp = bt - mu Btt e while the contact slips in the direction e."""
    body: str
    values: Numbers    # parameters of the body
    friction: float
    inertia: Reals  # the first two rows of B
    starts: list[Reals] = field(default_factory=list)  # initial slip velocities
    title: str = ""

    def rate(self, v: Reals) -> Reals:
        """dv/dtau = |v| bt - mu Btt v, the same directions and no singularity; v[..., 2]."""
        speed = np.hypot(v[..., 0], v[..., 1])[..., None]
        return np.asarray(speed * self.inertia[:2, 2] - self.friction * v @ self.inertia[:2, :2])

    def along(self, phi: Reals) -> tuple[Reals, Reals]:
        """f = ds/dp and g = s dphi/dp in the directions phi."""
        e = np.stack([np.cos(phi), np.sin(phi)], axis=-1)
        across = np.stack([-np.sin(phi), np.cos(phi)], axis=-1)
        rate = self.rate(e)
        return (rate * e).sum(axis=-1), (rate * across).sum(axis=-1)

    @property
    def fastest(self) -> float:
        return float(self.friction * np.linalg.norm(self.inertia[:2, :2]) + np.linalg.norm(self.inertia[:2, 2]))


# ------------------------------------------------------------------------------------ bodies

@functools.lru_cache(maxsize=None)
def inputs_of(body: str) -> dict[str, Parameter]:
    """{name: Parameter} of a body, from the tables of the library."""
    every = [one for entry in describe(THEORY).inputs.values() for one in entry.variants or (entry,)]
    return {one.name: one for one in every if f"body={body}" in one.applies_to}


def shape_of(body: str) -> dict[str, float | None]:
    """{name: default} of the parameters that change the flow; None: must be given."""
    return {name: one.default for name, one in inputs_of(body).items() if name not in MOTION and name != "mass"}


def history_of(body: str, values: Numbers, motion: Numbers, points: int) -> History:
    inputs: dict[str, Any] = {**values, **motion}  # keywords
    history = trace(THEORY, body=body, points=points, friction=0.1, restitution=0.5, **inputs)
    if history.attrs["outcome"] == "outside":
        raise InputError("no body has this inverse mass: B has a negative eigenvalue; it must be positive definite")
    return history


def inertia_of(body: str, values: Numbers) -> Reals:
    """The first two rows of B, up to a factor. Every row of a history obeys dv = B dP; B follows by least squares
    from slip in several directions."""
    equations, sides = [], []
    for k in range(3):
        motion = {name: MOTION[name][k] for name in MOTION if name in inputs_of(body)}
        rows = history_of(body, values, motion, 9)
        p1, p2, p3 = (rows[name].to_numpy() for name in ("impulse_1", "impulse_2", "normal_impulse"))
        none = np.zeros_like(p3)
        equations += [np.stack([p1, p2, p3, none, none], axis=-1), np.stack([none, p1, none, p2, p3], axis=-1)]
        sides += [rows[name] - rows[name].iloc[0] for name in ("velocity_1", "velocity_2")]
    b = np.linalg.lstsq(np.concatenate(equations), np.concatenate(sides), rcond=None)[0]
    b[np.abs(b) < ROUNDING * np.abs(b).max()] = 0
    return np.array([[b[0], b[1], b[2]], [b[1], b[3], b[4]]])


def start_of(body: str, values: Numbers, motion: Numbers) -> Reals | None:
    """The initial slip velocity over |v3(0)|, None if it is not given."""
    needed = [name for name in MOTION if name in inputs_of(body)]
    if not all(name in motion for name in needed):
        return None
    first = history_of(body, values, {name: motion[name] for name in needed}, 2).iloc[0]
    return np.asarray(np.array([first.velocity_1, first.velocity_2]) / -first.normal_velocity)


# ---------------------------------------------------------------------------------- the input

def number(name: str, text: str, angles: Collection[str]) -> float:
    return labels.parse_number(text, "rad" if name in angles else "1", name)


def from_words(words: Sequence[str]) -> Flow:
    """The flow of KEY=VALUE words."""
    given = {}
    for word in words:
        name, equals, value = (part.strip() for part in word.partition("="))
        if not equals or not name or not value:
            raise InputError(f"bad argument '{word}': write key=value")
        if name in given:
            raise InputError(f"'{name}' is given twice")
        given[name] = value
    body = check_body(given.pop("body", None))
    ignored = ("law", "restitution", "normal_speed", "mass")
    allowed = [*inputs_of(body), "friction", *MOTION, *ignored]
    angles = [name for name, one in inputs_of(body).items() if one.unit == "rad"]
    for name in given:
        if name not in allowed:
            raise InputError(unknown(f"parameter of {body}", name, allowed))
    numbers = {name: number(name, text, angles) for name, text in given.items() if name not in ignored}
    return make_flow(body, numbers, [numbers])


def check_body(body: str | None) -> str:
    if body is None:
        raise InputError(f"which body? give body=NAME, one of {', '.join(describe(THEORY).bodies)}")
    if body not in describe(THEORY).bodies:
        raise InputError(unknown("body", body, list(describe(THEORY).bodies)))
    return body


def knows_body_of(data: xr.Dataset) -> bool:
    """Whether a map has one body, which the library at hand knows."""
    if "body" not in data.variables or data["body"].size != 1:
        return False
    try:
        return flags_of(data["body"]).get(int(data["body"].values.item())) in describe(THEORY).bodies
    except Error:
        return False


def make_flow(body: str, numbers: Numbers, motions: Iterable[Numbers]) -> Flow:
    values = {}
    for name, default in shape_of(body).items():
        value = numbers.get(name, default)
        if value is None:
            raise InputError(f"'{name}' of {body} is not given")
        values[name] = value
    if "friction" not in numbers:
        raise InputError("'friction' is not given")
    friction = numbers["friction"]
    if friction < 0:
        raise InputError("'friction' must not be negative")
    inertia = inertia_of(body, values)
    starts = [start_of(body, values, motion) for motion in motions]
    flow = Flow(body, values, friction, inertia, [s for s in starts if s is not None])
    flow.title = title_of(flow)
    return flow


def title_of(flow: Flow) -> str:
    parts = [THEORY, f"body {flow.body}"]
    for name, value in flow.values.items():
        one = inputs_of(flow.body)[name]
        if one.default is None or value != one.default:
            parts.append(f"{spaced(name)} {labels.number_text(value, 'rad' if one.unit == 'rad' else '')}")
    return ", ".join(parts + [f"friction {labels.number_text(flow.friction)}"])


def from_map(path: str, slices: list[str], notes: list[str]) -> Flow:
    """The flow and the paths of a map, one path for each point of the axes of the motion."""
    with contents.open_map(path) as data:
        if data.attrs.get("theory") != "swerve":
            raise InputError(f"{path}: not a map of the theory swerve")
        dims = [str(dim) for dim in data["outcome"].dims]
        chosen = slicing.parse_slices(data, dims, slices, notes)
        body, motion = None, {}
        numbers: Numbers = {}
        for name in [*data.coords, *dims]:
            points = coordinate(data, name) if name in dims else data[name]
            if points.dims and str(points.dims[0]) not in dims:
                continue
            if str(name) in MOTION and points.dims and str(points.dims[0]) not in chosen:
                motion[str(name)] = points
                continue
            value = pick_one(data, points, chosen, notes)
            if str(name) == "body":
                body = flags_of(points).get(int(value))
            elif np.isfinite(value):
                numbers[str(name)] = float(value)
        return make_flow(check_body(body), numbers, motions_of(numbers, motion, notes))


def pick_one(data: xr.Dataset, points: xr.DataArray, chosen: dict[str, int], notes: list[str]) -> float:
    if not points.dims:
        return float(points.values[()])
    dim = str(points.dims[0])
    if dim not in chosen:
        slicing.take_middle(data, dim, chosen, notes)
    return float(points.values[chosen[dim]])


def motions_of(numbers: Numbers, motion: dict[str, xr.DataArray], notes: list[str]) -> list[Numbers]:
    """All combinations of the axes of the motion, thinned out if there are many."""
    cells = [dict(numbers)]
    for name, points in motion.items():
        cells = [{**cell, name: float(value)} for cell in cells for value in points.values]
    if len(cells) > MOST_PATHS:
        step = math.ceil(len(cells) / MOST_PATHS)
        notes.append(f"one in {step} of {len(cells)} paths is drawn")
        cells = cells[::step]
    return cells


# ------------------------------------------------------------------------- directions and paths

def zeros(function: Callable[[Reals], Reals], points: int = 7200) -> list[float]:
    """The angles at which a function on the circle changes sign: a fine grid, then bisection."""
    phi = np.linspace(0, 2 * math.pi, points + 1) - 0.5 * math.pi / points
    value = function(phi)
    found = []
    for k in np.flatnonzero((value[:-1] < 0) != (value[1:] < 0)):
        low, high, rises = phi[k], phi[k + 1], value[k] < 0
        for _ in range(60):
            middle = (low + high) / 2
            if (function(np.array(middle)) < 0) == rises:
                low = middle
            else:
                high = middle
        found.append(high % (2 * math.pi))
    return sorted(0.0 if 2 * math.pi - angle < 1e-12 else angle for angle in found)


def invariant_directions(flow: Flow) -> list[tuple[float, str]]:
    """[(angle, kind)]; empty if slip keeps every direction."""
    grid = np.linspace(0, 2 * math.pi, 100)
    if np.abs(flow.along(grid)[1]).max() <= NO_PART * max(flow.fastest, NO_PART):
        return []
    directions = []
    for angle in zeros(lambda phi: flow.along(phi)[1]):
        f = float(flow.along(np.array(angle))[0])
        g = flow.along(np.array([angle - 1e-6, angle + 1e-6]))[1]
        kind = "node" if f < 0 and g[1] < g[0] else "outgoing" if f > 0 else "saddle"
        directions.append((angle, kind))
    return directions


def flow_changes(flow: Flow) -> list[float]:
    return zeros(lambda phi: flow.along(phi)[0])


def path_from(flow: Flow, start: Reals, reach: float, sense: int = 1) -> Reals:
    """Points of the path of the slip velocity, until it halts or leaves the figure; sense -1: backwards."""
    step = sense * 0.02 / max(flow.fastest, NO_PART)
    v, points = np.array(start, dtype=float), [np.array(start, dtype=float)]
    for _ in range(4000):
        one = flow.rate(v)
        two = flow.rate(v + step / 2 * one)
        three = flow.rate(v + step / 2 * two)
        four = flow.rate(v + step * three)
        v = v + step / 6 * (one + 2 * two + 2 * three + four)
        points.append(v)
        if not 1e-3 * reach < np.hypot(*v) < 2 * reach:
            break
    return np.array(points)


# ------------------------------------------------------------------------------------ drawing

def reach_of(flow: Flow) -> float:
    speeds = [float(np.hypot(*start)) for start in flow.starts]
    return 1.25 * max(speeds) if speeds and max(speeds) > 0 else 1.0


@looks.styled
def draw(flow: Flow) -> Figure:
    figure = layout.new_figure()
    ax = figure.subplots()
    reach = reach_of(flow)
    draw_field(ax, flow, reach)
    handles = draw_directions(ax, flow, reach)
    draw_paths(ax, flow, reach)
    handles.append(Line2D([], [], color=PATH, linewidth=0.9, label="path of the slip velocity"))
    ax.set(xlim=(-reach, reach), ylim=(-reach, reach),
           xlabel="slip velocity 1 / initial normal speed",
           ylabel="slip velocity 2 / initial normal speed")
    if labels.filled(flow.title):
        figure.suptitle(labels.filled(flow.title))
    sheet = layout.Sheet(figure, np.array([[ax]]), 0.0, square=True)
    sheet.legends.append(layout.legend_under(ax, handles))
    return layout.fit(sheet)


def draw_field(ax: Axes, flow: Flow, reach: float) -> None:
    at = np.linspace(-reach, reach, 31)
    v = np.stack(np.meshgrid(at, at), axis=-1)
    rate = flow.rate(v)
    size = np.hypot(rate[..., 0], rate[..., 1])
    unit = rate / np.where(size > 0, size, 1)[..., None]
    keep = np.hypot(v[..., 0], v[..., 1]) > 0.02 * reach
    ax.quiver(v[keep][:, 0], v[keep][:, 1], unit[keep][:, 0], unit[keep][:, 1], color=FIELD,
              angles="xy", pivot="mid", scale=38, width=0.0022, headwidth=4.5, zorder=1)


def draw_directions(ax: Axes, flow: Flow, reach: float) -> list[Artist]:
    """Thick lines along invariant directions, thin ones along changes of flow; legend entries."""
    styles = {"node": (NODE, "-", "invariant direction, node"),
              "saddle": (SADDLE, (0, (5, 1)), "invariant direction, saddle"),
              "outgoing": (OUTGOING, (0, (1.5, 0.7)), "invariant direction out of rest")}
    handles = {}
    for angle, kind in invariant_directions(flow):
        colour, dash, label = styles[kind]
        end = 1.5 * reach * np.array([math.cos(angle), math.sin(angle)])
        ax.plot([0, end[0]], [0, end[1]], color=colour, linestyle=dash, linewidth=2.2, zorder=7)
        head, tail = (0.62, 0.6) if kind == "outgoing" else (0.6, 0.62)
        ax.annotate("", head * end, tail * end, zorder=8,
                    arrowprops={"arrowstyle": "-|>", "color": colour, "mutation_scale": 15})
        handles[kind] = Line2D([], [], color=colour, linestyle=dash, linewidth=2.2, label=label)
    for angle in flow_changes(flow):
        end = 1.5 * reach * np.array([math.cos(angle), math.sin(angle)])
        ax.plot([0, end[0]], [0, end[1]], color=CHANGE, linestyle="--", linewidth=1.2, zorder=2)
        handles["change"] = Line2D([], [], color=CHANGE, linestyle="--", linewidth=1.2,
                                   label="flow change")
    return [handles[kind] for kind in ("node", "saddle", "outgoing", "change") if kind in handles]


def draw_paths(ax: Axes, flow: Flow, reach: float) -> None:
    if flow.starts:
        for start in flow.starts:
            ax.plot(start[0], start[1], "o", color=PATH, markersize=3.2, zorder=9)
            draw_path(ax, path_from(flow, start, reach), 0.35)
        return
    for angle in np.linspace(0, 2 * math.pi, 24, endpoint=False) + 0.09:
        start = 0.55 * reach * np.array([math.cos(angle), math.sin(angle)])
        back = path_from(flow, start, reach, -1)
        path = np.concatenate([back[::-1], path_from(flow, start, reach)[1:]])
        draw_path(ax, path, len(back) / len(path))


def draw_path(ax: Axes, path: Reals, mark: float) -> None:
    """A line with an arrow head at a fraction of its points."""
    ax.plot(path[:, 0], path[:, 1], color=PATH, linewidth=0.9, zorder=5)
    k = min(int(mark * (len(path) - 1)), len(path) - 2)
    if k >= 0 and np.hypot(*(path[k + 1] - path[k])) > 0:
        ax.annotate("", path[k + 1], path[k], zorder=6,
                    arrowprops={"arrowstyle": "-|>", "color": PATH, "mutation_scale": 9})


# -------------------------------------------------------------------------------- command line

def suits(survey: Survey) -> Claim | None:
    data, dims = survey.data, survey.dims
    carried = {name for dim in dims for name in contents.columns_of(data, dim) or [dim]}
    return Claim(FLOW, "its axes change only the initial motion of a body in space") \
        if (data.attrs.get("theory") == THEORY and carried <= set(MOTION)
            and math.prod(data.sizes[dim] for dim in dims) <= MOST_PATHS and knows_body_of(data)) else None


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("what", nargs="+", metavar="FILE | KEY=VALUE",
                        help="a map of the theory swerve, or a body with its parameters")
    slicing.add_slice(parser)


def is_words(options: argparse.Namespace) -> bool:
    return "=" in options.what[0]


def default_output(options: argparse.Namespace) -> str:
    return "flow.png" if is_words(options) else settings.beside(options.what[0], "-flow.png")


def make(options: argparse.Namespace, notes: list[str]) -> Figure:
    try:
        return draw(flow_of(options, notes))
    except Error as reason:
        raise InputError(" ".join(str(reason).split())) from None


def flow_of(options: argparse.Namespace, notes: list[str]) -> Flow:
    if is_words(options):
        if options.slices:
            raise InputError("--slice goes with a map")
        return from_words(options.what)
    if len(options.what) > 1:
        raise InputError(f"'{options.what[1]}' after a map is not allowed: give one map, or words key=value "
                       "only")
    return from_map(options.what[0], options.slices, notes)
