"""Shared by the tests of plot_lines.py: a small map of three axes, and a test case that loads and refuses maps."""
import os

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
SCRIPT = os.path.join(ROOT, "postprocess", "plot_lines.py")

import numpy as np
from folder import FolderTest
import small_maps as maps
from impactsweep.figures import command
from impactsweep.figures.kinds import lines as plot_lines

ANGLE = np.radians([10.0, 20.0, 40.0])
FRICTION = np.linspace(0.1, 1.0, 19)
STIFFNESS = np.array([0.1, 1.0])


def family():
    """[stiffness][angle][friction]: a function of all three, NaN where the mode is wedge."""
    stiffness, angle, friction = np.meshgrid(STIFFNESS, ANGLE, FRICTION, indexing="ij")
    mode = np.where(friction > 0.8, maps.WEDGE, 3).astype("i1")
    outcome = np.ones(mode.shape, "i1")
    outcome[:, 1, 4] = 2
    mode[outcome != 1] = 0
    restitution = np.where((mode == 3), stiffness + angle + friction, np.nan)
    loss = np.where(outcome == 1, stiffness - friction, np.nan)
    return {"mode": (mode, {}), "restitution": (restitution, {"units": "1"}),
            "loss": (loss, {"units": "J", "long_name": "lost energy"}),
            "residual": (0 * loss, {"units": "1"}), "outcome": (outcome, {})}


class Lines(FolderTest):
    refuses = "plot_lines.py", plot_lines

    def make(self, name="map.h5"):
        maps.write_map(self.path(name), {"stiffness": (STIFFNESS, "N/m"), "angle": (ANGLE, "rad"),
                                         "friction": (FRICTION, "1")}, family())
        return self.path(name)

    def family(self, *words):
        self.notes = []
        return plot_lines.load(self.options(*words), self.notes)[0]

    def options(self, *words):
        return command.parser_of("plot_lines.py", plot_lines).parse_args(words)
