"""How far colours are apart for every eye and in a grey print, and colours that are far enough from others."""
import functools

import numpy as np
from matplotlib.colors import to_hex, to_rgb
from .colours import VISION

EYES = tuple(map(np.array, VISION["eyes"].values()))
XYZ = np.array(VISION["xyz"])
# Two colours can be told apart from this distance in L*a*b* on, and this distance in lightness alone.
LEAST, LEAST_IN_GREY = VISION["apart"], VISION["apart_in_grey"]


def lab(colours, eye=EYES[0]):
    """CIE L*a*b* (D65) of colours of sRGB, as an eye sees them; [..., 3]."""
    coded = np.asarray(colours)
    linear = np.where(coded <= 0.04045, coded / 12.92, ((coded + 0.055) / 1.055) ** 2.4)
    ratio = np.clip(linear @ eye.T, 0, 1) @ XYZ.T / XYZ.sum(axis=1)
    f = np.where(ratio > 216 / 24389, np.cbrt(ratio), (24389 / 27 * ratio + 16) / 116)
    return np.stack([116 * f[..., 1] - 16, 500 * (f[..., 0] - f[..., 1]),
                     200 * (f[..., 1] - f[..., 2])], axis=-1)


def distances(one, other):
    """Of two colours: the least distance in L*a*b* over all eyes, and the distance in lightness."""
    pair = [to_rgb(one), to_rgb(other)]
    seen = [lab(pair, eye) for eye in EYES]
    return (min(float(np.linalg.norm(a - b)) for a, b in seen),
            abs(float(seen[0][0, 0] - seen[0][1, 0])))


@functools.lru_cache
def many_colours():
    """Colours of sRGB on a grid, neither as dark as black lines nor as light as paper; [n, 3]."""
    steps = np.linspace(0, 1, VISION["steps"])
    darkest, lightest = VISION["lightness"]
    colours = np.stack(np.meshgrid(steps, steps, steps, indexing="ij"), axis=-1).reshape(-1, 3)
    lightness = lab(colours)[:, 0]
    return colours[(lightness > darkest) & (lightness < lightest)]


@functools.lru_cache(maxsize=64)
def more_colours(number, taken, preferred):
    """Colours, as many as asked for, that every eye can tell from those taken and from each other, and a grey
    print too while there is room. Each is the first preferred one that serves, else the one of a grid that is
    farthest from all before it; so a longer list begins with a shorter one."""
    first = np.array([to_rgb(colour) for colour in preferred]).reshape(-1, 3)
    colours = np.concatenate([first, many_colours()])
    seen = np.stack([lab(colours, eye) for eye in EYES])
    apart, grey = np.full((2, len(colours)), np.inf)  # in multiples of what can be told apart
    chosen = []
    for colour in taken:
        apart, grey = nearer(apart, grey, seen, to_rgb(colour))
    for _ in range(number):
        both = np.minimum(apart, grey)
        serves = np.flatnonzero(both[:len(first)] >= 1)
        best = serves[0] if serves.size else np.argmax(both if both.max() >= 1 else apart)
        apart, grey = nearer(apart, grey, seen, colours[best])
        chosen.append(to_hex(colours[best]).upper())
    return tuple(chosen)


def nearer(apart, grey, seen, colour):
    """The least distances of colours, as all eyes see them, from those before and from one more."""
    other = np.stack([lab(colour, eye) for eye in EYES])[:, None]
    return (np.minimum(apart, np.linalg.norm(seen - other, axis=-1).min(axis=0) / LEAST),
            np.minimum(grey, np.abs(seen[0] - other[0])[:, 0] / LEAST_IN_GREY))
