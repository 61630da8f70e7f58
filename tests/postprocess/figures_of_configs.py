"""The kind of figure that plot.py chooses for each committed config, and a test case that draws coarse maps of them in both sizes."""
import os
import re

from drawn import ROOT, Figures
from impactsweep.figures import choose, survey
from impactsweep.figures.labels import spaced
from impactsweep.maps import contents
from support import BEAM

KINDS = {
    "band": ["beam-uncertainty", "ellipse-predicted", "pendulum-doubt"],
    "flow": ["pendulum3d-flow"],
    "lines": ["beam-energy", "beam-impulse", "beam-published", "beam-restitution",
              "bounce-count", "bounce-endless", "bounce-hardest",
              "brach-least-friction", "brach-ratio", "brach-tuned-damping",
              "brach-tuned-damping-strong",
              "critical-angle", "critical-angle-hertz", "critical-angle-rigid", "dashpot-asked", "dashpot-restitution",
              "general-restitution", "pendulum-friction", "pendulum-largest-angle", "restitution-largest", "restitution-law",
              "restitution-poisson", "restitution-smallest", "rod-junctions", "rod3d-largest", "rod3d-smallest",
              "sphere-continuum", "sphere-rebound", "theories-critical-angle", "wedge-window",
              "yield-speed"],
    "map": ["beam-refined", "billiard", "bounce-clatter", "bounce-device", "bounce-die", "bounce-rock",
            "bounce-rock-uncertain", "bounce-rod", "critical-angle-large", "ellipsoid3d-critical-friction", "golf",
            "pendulum-hertz-refined", "pendulum-probability", "pendulum-refined", "pendulum-stiffness",
            "pendulum-wedging", "phone", "plate-tilt", "robot-foot", "rock", "rod3d-modes", "rod3d-refined",
            "theories-capsule"],
    "sensitivity": ["pendulum-sensitivity"],
    "multiples": ["baruh-laws", "baruh-weights", "brach-damping", "pendulum-indices", "restitution-laws",
                  "rod-events", "rod-oblique", "theories-compromise", "theories-rebound"],
}
KIND_OF = {config: kind for kind, configs in KINDS.items() for config in configs}
UNITS = {"angle": "deg", "heading": "deg", "spin": "deg", "damping": "s/m"}


def of_kinds(*kinds):
    """The names of the configs that are drawn as these kinds, and that this build can run."""
    return [name for kind in kinds for name in KINDS[kind] if BEAM or not name.startswith("beam")]


def path_of(name):
    return os.path.join(ROOT, "configs", f"{name}.yaml")


class OfConfigs(Figures):
    def check_config(self, name):
        """It is drawn as its kind, and can be read in both sizes."""
        path = self.compute(path_of(name))
        figure, choice = self.figure(path)
        assert choice.kind == KIND_OF[name], choice.reason
        drawn = self.check_readable(figure)
        self.check_legends(figure)
        self.check_axes(path, choice, drawn)
        self.check_readable(self.figure(path, "--size", "one")[0])

    def check_axes(self, path, choice, drawn):
        """The axes of the map are named, with their units."""
        if choice.kind == "flow":
            return
        with contents.open_map(path) as data:
            # The titles of panels of a choice are the names of its options, without its own name.
            dims = [dim for dim in survey.free_dims(data) if not contents.is_sample(data, dim)
                    and not (choice.kind == "multiples" and contents.flags_of(data[dim]))]
        for dim in dims:
            assert spaced(dim) in drawn.labels()
        units = {**UNITS, "spin": "rad/s"} if data.attrs.get("theory") == "bounce" else UNITS
        for dim in (dim for dim in dims if dim in units and choose.KINDS[choice.kind]
                    is not choose.KINDS["multiples"]):
            assert re.search(rf"{dim} \({units[dim]}\)|{dim} [−\d.]+(°| {units[dim]})", drawn.labels())
