"""The colours that printed figures, notebooks and pages share, as looks.json has them. That file also says how colours are
told apart: matrices of eyes in linear RGB (Machado, Oliveira and Fernandes 2009, table 1, severity 1), and the least
distances in L*a*b* and in lightness."""

import json
from pathlib import Path
from typing import TypedDict


class Vision(TypedDict):
    """How colours are told apart."""
    eyes: dict[str, list[list[float]]]
    xyz: list[list[float]]
    apart: float
    apart_in_grey: float
    steps: int
    lightness: tuple[float, float]


class Looks(TypedDict):
    """The contents of looks.json."""
    modes: dict[str, str]
    palette: list[str]
    none: str
    undefined: str
    sequential: str
    diverging: str
    outcomes: dict[str, tuple[str, str]]
    scales: dict[str, str]
    vision: Vision


LOOKS: Looks = json.loads(Path(__file__).with_name("looks.json").read_text(encoding="utf-8"))

# Colours of the modes of every theory, by name: the same mode looks the same in every figure, and
# the modes of one theory differ to the colour-blind and in a grey print (a test measures both).
# The families: stick dark, slip throughout yellow, slip that comes back blue, slip that goes on green,
# wedging red.
MODE_COLOURS = LOOKS["modes"]
# Of lines, and of categories without a colour above: those of Okabe and Ito and two dark ones.
PALETTE: tuple[str, ...] = tuple(LOOKS["palette"])
NO_MODE, UNDEFINED = LOOKS["none"], LOOKS["undefined"]
SEQUENTIAL, DIVERGING = LOOKS["sequential"], LOOKS["diverging"]
# {code of an outcome: (colour, hatching)}. Hatching catches the eye: it marks pending cells and failures.
OUTCOME_STYLE = {int(code): (style[0], style[1]) for code, style in LOOKS["outcomes"].items()}
VISION = LOOKS["vision"]


def scale(name: str) -> list[str]:
    """The 256 colours of a scale of ours."""
    text = LOOKS["scales"][name]
    return [f"#{text[place:place + 6]}" for place in range(0, len(text), 6)]
