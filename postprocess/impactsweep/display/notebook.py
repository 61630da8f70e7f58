"""Pieces of HTML that notebooks show: tables, small pictures, axes. They need no script and no file, and take the colour of
text from the notebook, so that they can be read on light and dark ground."""
from __future__ import annotations

import base64
import html
import math
import struct
import zlib
from dataclasses import dataclass
from typing import Sequence

import numpy as np
import numpy.typing as npt

from ..values import Array
from .words import typeset

# Lines that differ from white and from black by a contrast of 3 at least (WCAG 2.2, 1.4.11), and in their dashes.
LINES = (("#1F86C9", ""), ("#D55E00", "6 2"), ("#009E73", "2 2"))
WIDTH, HEIGHT = 372, 220  # of the field of a picture
LEFT, TOP = 62, 8
LEAF = "style='font:13px sans-serif;max-width:44em'"
TICKS = 6


def escape(text: object) -> str:
    return html.escape(str(text))


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """All cells are texts, none of which is taken for HTML."""
    names = "".join(f"<th style='text-align:left;padding:.1em .6em'>{escape(name)}</th>" for name in head)
    cells = ["".join(f"<td style='text-align:left;padding:.1em .6em'>{escape(cell)}</td>" for cell in row) for row in rows]
    body = "".join(f"<tr>{row}</tr>" for row in cells)
    return f"<table style='border-collapse:collapse;font-size:inherit'><thead><tr>{names}</tr></thead><tbody>{body}</tbody></table>"


def folded(title: str, content: str) -> str:
    return f"<details><summary>{escape(title)}</summary>{content}</details>"


def png(places: npt.ArrayLike, colours: Sequence[str]) -> str:
    """An address that holds a picture: colours by their place in a list of at most 256, [rows][columns], the first row above."""
    picture = np.asarray(places, np.uint8)
    height, width = picture.shape
    rows = np.column_stack([np.zeros(height, np.uint8), picture])
    palette = b"".join(bytes.fromhex(colour[1:]) for colour in colours)
    parts = [(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)), (b"PLTE", palette),
             (b"IDAT", zlib.compress(rows.tobytes(), 9)), (b"IEND", b"")]
    data = b"\x89PNG\r\n\x1a\n" + b"".join(struct.pack(">I", len(part)) + name + part + struct.pack(">I", zlib.crc32(name + part))
                                           for name, part in parts)
    return f"data:image/png;base64,{base64.b64encode(data).decode()}"


def image(places: npt.ArrayLike, colours: Sequence[str], box: tuple[float, float, float, float]) -> str:
    x, y, width, height = box
    return (f"<image x='{x}' y='{y}' width='{width}' height='{height}' preserveAspectRatio='none' "
            f"style='image-rendering:pixelated' href='{png(places, colours)}'/>")


def swatch(colour: str, text: str) -> str:
    return (f"<span style='white-space:nowrap;margin-right:1.2em'><span style='display:inline-block;width:.9em;height:.9em;"
            f"border:1px solid;vertical-align:-.1em;background:{colour}'></span> {escape(text)}</span>")


# ------------------------------------------------------------------------------------------- axes

@dataclass
class Axis:
    """One side of a picture: its name, and ticks as (share of the way, text)."""
    name: str
    ticks: list[tuple[float, str]]


def is_ratios(values: Array) -> bool:
    """Whether values are spaced by equal ratios, and not by equal differences."""
    if len(values) < 3 or values.min() <= 0:
        return False
    steps, ratios = np.diff(values), np.diff(np.log(values))
    return bool(np.ptp(ratios) < 1e-3 * abs(ratios).max() and np.ptp(steps) > 1e-3 * abs(steps).max())


def round_values(low: float, high: float, ratios: bool) -> list[float]:
    """Short numbers from low to high; ratios: 1, 2 and 5 of each decade, or powers of ten alone."""
    if not low < high:
        return [low]
    if ratios:
        tens = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
        found = [digit * 10.0 ** ten for ten in tens for digit in (1, 2, 5)]
        found = [one for one in found if low * (1 - 1e-9) <= one <= high * (1 + 1e-9)]
        return found if len(found) <= TICKS + 1 else [one for one in found if round(math.log10(one), 9).is_integer()]
    step = next(digit * 10.0 ** ten for ten in range(math.floor(math.log10(high - low)) - 1, 400) for digit in (1, 2, 2.5, 5)
                if (high - low) / (digit * 10.0 ** ten) <= TICKS)
    return [step * place for place in range(math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9) + 1)]


def ticks_of(values: Array) -> list[tuple[float, str]]:
    """Ticks along numbers that rise or fall, each as wide as the others."""
    rising = values if values[0] <= values[-1] else values[::-1]
    found = round_values(float(rising[0]), float(rising[-1]), is_ratios(rising))
    shares = (np.interp(found, rising, np.arange(len(rising))) + .5) / len(rising)
    return [(float(share if rising is values else 1 - share), typeset(f"{value + 0.0:.4g}"))
            for share, value in zip(shares, found)]


def text(x: float, y: float, words: str, anchor: str = "middle", turn: str = "") -> str:
    return f"<text x='{x:.1f}' y='{y:.1f}' text-anchor='{anchor}' fill='currentColor' stroke='none'{turn}>{escape(words)}</text>"


def frame(inside: str, across: Axis, up: Axis | None, height: int, told: str) -> str:
    """A picture with its axes. told: what somebody who does not see it is told."""
    parts = [inside, f"<rect x='{LEFT}' y='{TOP}' width='{WIDTH}' height='{height}' fill='none'/>"]
    below = TOP + height
    for share, words in across.ticks:
        x = LEFT + WIDTH * share
        parts.append(f"<path d='M{x:.1f} {below}v4'/>" + text(x, below + 16, words))
    parts.append(text(LEFT + WIDTH / 2, below + 32, across.name))
    for share, words in up.ticks if up else []:
        y = below - height * share
        parts.append(f"<path d='M{LEFT} {y:.1f}h-4'/>" + text(LEFT - 7, y + 4, words, "end"))
    if up:
        middle = TOP + height / 2
        parts.append(text(14, middle, up.name, turn=f" transform='rotate(-90 14 {middle:.1f})'"))
    return (f"<svg role='img' aria-label='{escape(told)}' width='{LEFT + WIDTH + 14}' height='{below + 38}' "
            f"viewBox='0 0 {LEFT + WIDTH + 14} {below + 38}' style='max-width:100%;height:auto;font:12px sans-serif' "
            f"stroke='currentColor' fill='none'>{''.join(parts)}</svg>")
