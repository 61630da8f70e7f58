"""Texts in lines that fit, by the width that they are drawn with."""
from __future__ import annotations

import functools
import re

from matplotlib.backends.backend_agg import FigureCanvasAgg, RendererAgg
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties

from . import settings

DPI = 200
# Where a line may end: after a comma, or else before any word, but a number keeps its unit and a formula its parts.
BREAKS = re.compile("(?<=,) "), re.compile(r"(?<!\d) (?=(?:[^$]*\$[^$]*\$)*[^$]*\Z)")
NARROWER = 0.97


@functools.lru_cache(maxsize=None)
def ruler() -> RendererAgg:
    return FigureCanvasAgg(Figure(dpi=DPI)).get_renderer()


@functools.lru_cache(maxsize=4096)
def measured(text: str, points: float) -> tuple[float, float]:
    width, height, _ = ruler().get_text_width_height_descent(
        text, FontProperties(size=points), "$" in text)
    return width / DPI, height / DPI


def size_of(text: str, share: float = 1.0) -> tuple[float, float]:
    """Width and height in inches of lines of text, in a share of the size of the figure's letters."""
    sizes = [measured(line, share * settings.now().font_size) for line in text.split("\n")]
    return max(width for width, _ in sizes), 1.2 * sum(height for _, height in sizes)


def wrapped(text: str, inches: float | None = None) -> str:
    """In as few lines as fit a width, that of the figure by default, and about equally long."""
    limit = inches or settings.now().width - 0.1
    by_commas, by_words = (balanced(breaks.split(text), limit) for breaks in BREAKS)
    fits = len(by_commas) == len(by_words) and all(size_of(line)[0] <= limit for line in by_commas)
    return "\n".join(by_commas if fits else by_words)


def balanced(words: list[str], limit: float) -> list[str]:
    lines = fewest = fill(words, limit)
    while 1 < len(lines) == len(fewest) < len(words):
        limit *= NARROWER
        fewest, lines = lines, fill(words, limit)
    return fewest


def fill(words: list[str], limit: float) -> list[str]:
    lines: list[str] = []
    for word in words:
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and size_of(longer)[0] <= limit:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines
