"""The panels of a figure of histories: which columns each holds, and in which units."""
from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from ...errors import InputError
from ...maps.histories import History
from ...values import Reals
from .. import labels, settings, twin_scales
from ..labels import spaced
from . import dimensionless

Part = tuple[float, float]  # of an axis: its ends
SLIP = {"slip_speed", "slip_velocity"}
ELONGATIONS, DISPLACEMENTS = {"u1", "u2", "u3"}, {"contact_displacement", "penetration", "indentation"}


def is_force(name: str) -> bool:
    return "force" in name


def is_impulse(name: str) -> bool:
    return "impulse" in name


def is_velocity(name: str) -> bool:
    return ("velocity" in name or "speed" in name or name.startswith("v_")) and "angular" not in name


def is_slip(name: str) -> bool:
    return name in SLIP


def is_work(name: str) -> bool:
    return name.endswith("_work")


def is_energy(name: str) -> bool:
    return name.endswith(("_energy", "_loss"))


def is_elongation(name: str) -> bool:
    return name in ELONGATIONS or "elongation" in name


def is_displacement(name: str) -> bool:
    return name.removesuffix("_si") in DISPLACEMENTS


def is_turn(name: str) -> bool:
    return "angle" in name or "angular" in name


def is_radius(name: str) -> bool:
    return name.endswith("_radius")


def is_gap(name: str) -> bool:
    return name.startswith("gap_")


def is_struck(history: History, name: str) -> bool:
    """Whether a column is 0 but in the rows of impacts, which take no time."""
    return "point" in history.columns and (is_impulse(name) or name == "approach_speed")


def is_absent(history: History, name: str) -> bool:
    """Whether a column is the gap of a point that the body does not have: the height of the mass centre."""
    return is_gap(name) and "body_y" in history.columns and len(history.columns["body_y"]) > 1 and np.array_equal(
        history.columns[name], history.columns["body_y"])


def is_needless(histories: Sequence[History], name: str) -> bool:
    """Whether a column is the loss of a dashpot that none of the histories has."""
    return name == "tangential_loss" and not any(one.columns[name].any() for one in histories)


# Panels over time: {word of --panels: (label, test of a column)}.
OVER_TIME = {"forces": ("force", is_force), "impulses": ("impulse", is_impulse),
             "elongations": ("elongation", is_elongation),
             "displacements": ("displacement", is_displacement),
             "velocities": ("velocity", is_velocity), "slip": ("slip speed", is_slip),
             "works": ("work", is_work), "energies": ("energy", is_energy),
             "turns": ("turn", is_turn), "radii": ("radius", is_radius), "gaps": ("gap", is_gap)}
# Planes: {word: columns across and upward; the first pair that the history has}.
PLANES = {"phase-plane": (("u3", "normal_velocity"), ("penetration", "normal_velocity"),
                          ("contact_displacement_si", "contact_velocity_si")),
          "impulse-plane": (("normal_impulse", "tangential_impulse"),)}
WORDS = (*OVER_TIME, *PLANES)


@dataclass
class Panel:
    word: str
    columns: list[str]       # a plane: across, upward
    label: str = ""          # of several columns
    part: Part | None = None  # the part of the axis that is drawn, as in --limits

    @property
    def is_plane(self) -> bool:
        return self.word in PLANES


def names_over_time(history: History, word: str) -> list[str]:
    return [name for name in list(history.columns)[1:] if OVER_TIME[word][1](name)
            and f"{name}_si" not in history.columns and not is_absent(history, name)]


def pair_of(history: History, word: str) -> list[str]:
    if word == "impulse-plane" and "impulse_1" in history.columns:
        return []  # of an impact in space it would need a third axis
    return next((list(pair) for pair in PLANES[word] if set(pair) <= set(history.columns)), [])


def there(history: History) -> list[str]:
    """The words of the panels for which a history has columns."""
    return [word for word in WORDS if (pair_of(history, word) if word in PLANES else names_over_time(history, word))]


def usual(history: History) -> list[str]:
    words = there(history)
    if "displacements" in words and "energies" in words:  # of the beam
        return [word for word in ("displacements", "velocities", "forces", "energies") if word in words]
    if "gaps" in words:  # of a body that bounces
        return [word for word in ("gaps", "impulses", "energies") if word in words]
    above = "forces" if "forces" in words else "impulses"
    return [word for word in (above, "velocities") if word in words]


def asked_for(text: str) -> list[tuple[str, Part | None]]:
    """[(word, part of the axis or None)]"""
    found = [(word.strip(), part_of(word, ends) if at else None)
             for word, at, ends in (one.partition("@") for one in text.split(",")) if word.strip()]
    if not found:
        raise InputError(f"--panels: no panel is named; there are: {', '.join(WORDS)}, all, and columns such as "
                       "u1_rate+slip_speed")
    return list(dict.fromkeys(found))


def check_words(words: Iterable[str], first: History) -> None:
    """A word is that of a panel, or names columns of the history."""
    columns = list(first.columns)[1:]
    for word in words:
        for name in [] if word in WORDS else word.split("+"):
            if name not in columns:
                raise InputError(f"--panels: there is no panel '{word}'; there are: {', '.join(WORDS)}, all, and the "
                               f"columns of {first.path} joined by +: {', '.join(columns)}")
    lacking = [word for word in words if word in WORDS and word not in there(first)]
    if lacking:
        raise InputError(f"--panels: {first.path}: has no columns for: {', '.join(lacking)}; it has those for: "
                       f"{', '.join(there(first)) or 'none'}")


def part_of(word: str, text: str) -> Part:
    """The part of the axis that a panel shows."""
    try:
        return settings.limits_of("part", text.strip())
    except InputError:
        raise InputError(f"--panels: '{word.strip()}@{text}': write {word.strip()}@LOW:HIGH, such as "
                       "forces@1.5:2") from None


def panels_of(histories: Sequence[History], text: str | None = None, each: bool = False) -> list[Panel]:
    """The panels that are asked for, or the usual ones; of a history without either, all columns. Several
    histories have a panel for each column, unless each history has panels of its own."""
    first = histories[0]
    asked: list[tuple[str, Part | None]] = [(word, None) for word in usual(first)] if text is None else asked_for(text)
    asked = [(word, None) for word in there(first)] if asked == [("all", None)] else asked
    words = [word for word, _ in asked]
    check_words(words, first)
    found = []
    for word, part in asked:
        if part and word in PLANES:
            raise InputError(f"--panels: '{word}' is a plane, which has no part of an axis; --limits sets its ends")
        for panel in of_word(histories, word, words, each):
            panel.part = part
            found.append(panel)
    rest = list(first.columns)[1:]
    return found or [Panel("", rest, spaced(rest[0]) if len(rest) == 1 else "value")]


def of_word(histories: Sequence[History], word: str, words: Sequence[str], each: bool) -> list[Panel]:
    """The panels of a word: one for each unit, or for each column of several histories."""
    first = histories[0]
    if word in PLANES:
        return [Panel(word, pair_of(first, word))]
    if word not in WORDS:
        return of_columns(histories, word.split("+"), each)
    names = [name for name in names_over_time(first, word) if all(name in one.columns for one in histories)
             and not is_needless(histories, name)]
    if word == "velocities" and "slip" in words and not all(is_slip(name) for name in names):
        names = [name for name in names if not is_slip(name)]
    if len(histories) > 1 and not each:
        return [Panel(word, [name]) for name in names]
    units = dict.fromkeys(first.units[name] for name in names)
    return [Panel(word, [name for name in names if first.units[name] == unit], OVER_TIME[word][0])
            for unit in units]


def of_columns(histories: Sequence[History], names: list[str], each: bool) -> list[Panel]:
    """A panel of columns that the user names."""
    first = histories[0]
    if len({(first.units[name], dimensionless.kind_of(name)) for name in names}) > 1:
        raise InputError(f"--panels: {' and '.join(names)} have different units; give them panels of their own")
    if len(histories) > 1 and not each:
        return [Panel("", [name]) for name in names]
    return [Panel("", names, dimensionless.kind_of(names[0]) or "value")]


# ----------------------------------------------------------------------------- values and names

def values_of(history: History, name: str) -> Reals:
    """A column as it is drawn: without unit times its group, angles in degrees. Slip in a plane has a sign."""
    values, group = history.columns[name], dimensionless.group_of(history, name)
    values = values if group is None else values * group.factor
    values = np.degrees(values) if history.units[name].startswith("rad") else values
    return np.abs(values) if is_slip(name) and not has_sign(history) else values


def has_sign(history: History) -> bool:
    """Whether slip has one direction and its opposite, and not any in a plane."""
    return "tangential_velocity" in history.columns


def name_of(history: History, name: str) -> str:
    """The name of a column in the figure."""
    asked = settings.now()
    if name in asked.labels or (asked.names == "symbols" and name in settings.SYMBOLS):
        return asked.labels.get(name) or settings.SYMBOLS[name]
    if name in history.shares:
        return history.shares[name]
    if is_slip(name):
        return "slip velocity" if has_sign(history) else "slip speed"
    return NAMES.get(name) or spaced(name.removesuffix("_si"))


def component_of(history: History, name: str) -> str | None:
    """The direction of a column, which has one colour in all panels; in space the tangents are axes 1 and 2."""
    if is_gap(name) or (name in NAMES and name not in ELONGATIONS):
        return None
    axes = {"u1": "axis 1", "u2": "axis 2"} if "u2" in history.columns else {"u1": "tangential"}
    ends = {"_1": "axis 1", "_2": "axis 2"}
    return {**axes, "u3": "normal"}.get(name) or ends.get(name[-2:]) or next(
        (one for one in ("tangential", "normal") if name.startswith(f"{one}_")), None)


NAMES = {"stuck_radius": "stuck radius / contact radius", "u1": "tangential elongation", "u3": "normal elongation",
         "contact_displacement_si": "indentation", "contact_displacement": "indentation",
         "u1_rate": "rate of the tangential elongation", "normal_loss": "loss in the normal spring",
         "tangential_loss": "loss in the tangential dashpot", "friction_loss": "loss to friction"}


def unit_of(history: History, name: str) -> str:
    unit = history.units[name]
    return "deg" + unit[3:] if unit.startswith("rad") else labels.unit_of(unit)


def plain_ratio(histories: Sequence[History], names: Sequence[str]) -> float | None:
    """What columns in SI are multiplied by to have no unit; None where the histories have no others, or differ."""
    plain = {name: other for name in names if (other := twin_scales.plain_name(name)) is not None}
    if len(plain) < len(set(names)) or not all(other in one.columns for one in histories for other in plain.values()):
        return None
    return twin_scales.ratio_of([(one.columns[name], one.columns[other]) for one in histories
                            for name, other in plain.items()])


def largest_of(histories: Sequence[History], names: Sequence[str]) -> float:
    parts = [np.abs(values_of(one, name)) for one in histories for name in names]
    return max((part[np.isfinite(part)].max(initial=0) for part in parts), default=0)


def scale_of(histories: Sequence[History], names: Sequence[str]) -> tuple[float, str]:
    """(factor, text after the name): the unit with its prefix, or the group."""
    first = histories[0]
    if names[0] in first.shares:
        return 1.0, ""
    group = dimensionless.group_of(first, names[0])
    if group is not None:
        return 1.0, f" {group.text}"
    if first.theory == "beam" and is_energy(names[0]):
        return 1.0, " / initial energy"
    factor, unit = dimensionless.prefix_of(first.units[names[0]], largest_of(histories, names))
    unit = labels.unit_of(unit) if factor != 1 else unit_of(first, names[0])
    return factor, f" ({unit})" if unit else ""
