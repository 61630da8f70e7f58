"""Names and numbers as a reader sees them: without underscores, with units, angles in degrees."""
from __future__ import annotations

import math
import re

SUPERSCRIPT = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
PERSONS = re.compile(r"\b(coulomb|hertz|maw|newmark|newton|poisson)\b")
NUMBER = re.compile(r"(?<![\w.])(-?)(\d+(?:\.\d*)?)(?:e([-+]\d+))?(?![\w.])")
BODIES = {"sphere3d": "sphere in space", "rod3d": "rod in space", "pendulum3d": "pendulum in space",
          "ellipsoid3d": "ellipsoid", "matrix3d": "body in space of a given inverse mass",
          "matrix": "body of a given inverse mass", "general": "body of a given inertia coupling",
          "capsule": "rod with hemispherical ends"}


def spaced(name: object) -> str:
    """A name as words; persons keep their capital letter."""
    return PERSONS.sub(lambda match: match[0].capitalize(), str(name).replace("_", " "))


def typeset(text: str) -> str:
    """Numbers as they are printed: −1, 6.8×10¹⁰."""
    return NUMBER.sub(printed, text)


def printed(number: re.Match[str]) -> str:
    sign, digits, power = number.groups()
    power = f"×10{str(int(power)).translate(SUPERSCRIPT)}" if power else ""
    return ("−" if sign else "") + (power[1:] if power and digits == "1" else digits + power)


def unit_of(text: str) -> str:
    """A unit of the file as a figure shows it; nothing for 1."""
    if text in ("1", ""):
        return ""
    return "deg" if text == "rad" else re.sub(r"\^(-?\d+(?:\.\d+)?)", raised, text)


def raised(power: re.Match[str]) -> str:
    """A power as it is printed; there is no raised point among the letters."""
    return f"$^{{{power[1]}}}$" if "." in power[1] else power[1].translate(SUPERSCRIPT)


def number_text(value: float, unit: str = "") -> str:
    """A value with its unit, `unit` as in the file: 30°, 0.1 N/m."""
    if unit == "rad":
        return typeset(f"{math.degrees(value):.5g}") + "°"
    return f"{typeset(f'{value:.6g}')} {unit_of(unit)}".strip()


def readable(title: str) -> str:
    """A title of the program with its angles in degrees and its names in words."""
    in_degrees = re.sub(r"(?<![\w.])(-?\d[\d.eE+-]*) rad(?![\w/])",
                        lambda match: number_text(float(match[1]), "rad"), title.strip())
    return re.sub(r"(?<=[A-Za-z)])\^(-?\d+(?:\.\d+)?)", raised, spaced(typeset(in_degrees)))


def heading(title: str) -> str:
    """A title of the program as a paper has it: the theory by name, the body without its key."""
    parts = title.split(", ") if title else []
    body = next((place for place, part in enumerate(parts) if part.startswith("body ")), None)
    if body is not None:
        parts[body] = BODIES.get(parts[body][5:], parts[body][5:])
    if len(parts) > 1 and body != 0 and re.fullmatch(r"[a-z]\w+", parts[0]):
        parts[:2] = [f"{parts[0]} theory: {parts[1]}"]
    whole = ", ".join(parts)
    return whole[:1].upper() + whole[1:] if whole[:1].isascii() else whole
