"""The colours that printed figures and pages share, as looks.json has them. That file also says how colours are told
apart: matrices of eyes in linear RGB (Machado, Oliveira and Fernandes 2009, table 1, severity 1), and the least
distances in L*a*b* and in lightness."""
import json
from pathlib import Path

import matplotlib
from matplotlib.colors import ListedColormap

LOOKS = json.loads(Path(__file__).with_name("looks.json").read_text(encoding="utf-8"))

# Colours of the modes of every theory, by name: the same mode looks the same in every figure, and
# the modes of one theory differ to the colour-blind and in a grey print (a test measures both).
# The families: stick dark, slip throughout yellow, slip that comes back blue, slip that goes on green,
# wedging red.
MODE_COLOURS = LOOKS["modes"]
# Of lines, and of categories without a colour above: those of Okabe and Ito and two dark ones.
PALETTE = tuple(LOOKS["palette"])
NO_MODE, UNDEFINED = LOOKS["none"], LOOKS["undefined"]
SEQUENTIAL, DIVERGING = LOOKS["sequential"], LOOKS["diverging"]
# {code of an outcome: (colour, hatching)}. Hatching catches the eye: it marks pending cells and failures.
OUTCOME_STYLE = {int(code): tuple(style) for code, style in LOOKS["outcomes"].items()}
VISION = LOOKS["vision"]


def register(name):
    """Makes a scale of ours known to matplotlib: 256 colours, six digits each."""
    text = LOOKS["scales"][name]
    matplotlib.colormaps.register(ListedColormap([f"#{text[i:i + 6]}" for i in range(0, len(text), 6)], name))


for own in LOOKS["scales"].keys() - set(matplotlib.colormaps):
    register(own)
