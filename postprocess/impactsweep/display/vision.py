"""How far colours are apart for every eye and in a grey print, and colours that are far enough from others."""
from __future__ import annotations

import functools

import numpy as np
import numpy.typing as npt

from ..values import Reals
from .colours import MODE_COLOURS, NO_MODE, PALETTE, UNDEFINED, VISION

EYES = tuple(map(np.array, VISION["eyes"].values()))
XYZ = np.array(VISION["xyz"])
# Two colours can be told apart from this distance in L*a*b* on, and this distance in lightness alone.
LEAST, LEAST_IN_GREY = VISION["apart"], VISION["apart_in_grey"]


def rgb(colour: str) -> tuple[float, float, float]:
    """#RRGGBB as numbers from 0 to 1."""
    red, green, blue = bytes.fromhex(colour[1:])
    return red / 255, green / 255, blue / 255


def lab(colours: npt.ArrayLike, eye: Reals = EYES[0]) -> Reals:
    """CIE L*a*b* (D65) of colours of sRGB, as an eye sees them; [..., 3]."""
    coded = np.asarray(colours)
    linear = np.where(coded <= 0.04045, coded / 12.92, ((coded + 0.055) / 1.055) ** 2.4)
    ratio = np.clip(linear @ eye.T, 0, 1) @ XYZ.T / XYZ.sum(axis=1)
    f = np.where(ratio > 216 / 24389, np.cbrt(ratio), (24389 / 27 * ratio + 16) / 116)
    return np.stack([116 * f[..., 1] - 16, 500 * (f[..., 0] - f[..., 1]),
                     200 * (f[..., 1] - f[..., 2])], axis=-1)


def distances(one: str, other: str) -> tuple[float, float]:
    """Of two colours: the least distance in L*a*b* over all eyes, and the distance in lightness."""
    pair = [rgb(one), rgb(other)]
    seen = [lab(pair, eye) for eye in EYES]
    return (min(float(np.linalg.norm(a - b)) for a, b in seen),
            abs(float(seen[0][0, 0] - seen[0][1, 0])))


@functools.lru_cache
def many_colours() -> Reals:
    """Colours of sRGB on a grid, neither as dark as black lines nor as light as paper; [n, 3]."""
    steps = np.linspace(0, 1, VISION["steps"])
    darkest, lightest = VISION["lightness"]
    colours = np.stack(np.meshgrid(steps, steps, steps, indexing="ij"), axis=-1).reshape(-1, 3)
    lightness = lab(colours)[:, 0]
    return np.asarray(colours[(lightness > darkest) & (lightness < lightest)])


@functools.lru_cache(maxsize=64)
def more_colours(number: int, taken: tuple[str, ...], preferred: tuple[str, ...]) -> tuple[str, ...]:
    """Colours, as many as asked for, that every eye can tell from those taken and from each other, and a grey
    print too while there is room. Each is the first preferred one that serves, else the one of a grid that is
    farthest from all before it; so a longer list begins with a shorter one."""
    first = np.array([rgb(colour) for colour in preferred]).reshape(-1, 3)
    colours = np.concatenate([first, many_colours()])
    seen = np.stack([lab(colours, eye) for eye in EYES])
    apart, grey = np.full((2, len(colours)), np.inf)  # in multiples of what can be told apart
    chosen: list[str] = []
    for colour in taken:
        apart, grey = nearer(apart, grey, seen, rgb(colour))
    for _ in range(number):
        both = np.minimum(apart, grey)
        serves = np.flatnonzero(both[:len(first)] >= 1)
        best = serves[0] if serves.size else np.argmax(both if both.max() >= 1 else apart)
        apart, grey = nearer(apart, grey, seen, colours[best])
        chosen.append("#" + "".join(f"{round(255 * part):02X}" for part in colours[best]))
    return tuple(chosen)


def nearer(apart: Reals, grey: Reals, seen: Reals, colour: npt.ArrayLike) -> tuple[Reals, Reals]:
    """The least distances of colours, as all eyes see them, from those before and from one more."""
    other = np.stack([lab(colour, eye) for eye in EYES])[:, None]
    return (np.minimum(apart, np.linalg.norm(seen - other, axis=-1).min(axis=0) / LEAST),
            np.minimum(grey, np.abs(seen[0] - other[0])[:, 0] / LEAST_IN_GREY))


def category_colours(names: dict[int, str]) -> dict[int, str]:
    """{code: colour} of a category {code: name}. A name without a colour of its own, or with one that the
    category already has, takes another colour: the first of the palette, or else any, that every eye can tell
    from all colours before it. A code that is appended changes no other colour."""
    colours: dict[int, str] = {}
    for code, name in sorted(names.items()):
        own = NO_MODE if name == "none" else MODE_COLOURS.get(name)
        if own and own not in colours.values():
            colours[code] = own
    others = sorted(names.keys() - colours.keys())
    taken = (NO_MODE, UNDEFINED, *colours.values())
    return {**colours, **dict(zip(others, more_colours(len(others), taken, PALETTE)))}
