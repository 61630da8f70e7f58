"""A search for a boundary and a refinement of the same map find the same curve within their tolerances."""
import h5py
import numpy as np
import pytest
from support import Case

LOW, HIGH, TOLERANCE = 0.1, 89.9, 2.0**-14
REFINED = f"""model: compliant
choose: {{body: pendulum, law: LAW}}
refine: {{base: 32, depth: 8, boundary: {TOLERANCE}, audit: 0}}
axes:
  - {{param: angle, from: {LOW} deg, to: {HIGH} deg}}
  - {{param: friction, from: 0.005, to: 1.5}}
fixed: {{stiffness_ratio: 1.21}}
outputs: [mode]
"""
SEARCH = f"""model: compliant
choose: {{body: pendulum, law: LAW}}
axes: [{{param: friction, from: 0.02, to: 1.48, points: 74}}]
search:
  over: {{param: angle, from: {LOW} deg, to: {HIGH} deg, samples: 64}}
  find: boundary
  of: mode
  in: [wedge]
  tolerance: 1e-9
  max_roots: 2
fixed: {{stiffness_ratio: 1.21}}
outputs: [root]
"""


def distance(place, first, last):
    """The distance of a place from the nearest of the pieces between two rows of vertices."""
    along = last - first
    part = np.sum((place - first) * along, axis=1) / np.maximum(np.sum(along**2, axis=1), 1e-300)
    nearest = first + np.clip(part, 0, 1)[:, None] * along
    return np.min(np.linalg.norm(place - nearest, axis=1))


class Agreement(Case):
    def scaled(self, angle, friction):
        return np.stack([(np.degrees(angle) - LOW) / (HIGH - LOW), (friction - 0.005) / 1.495],
                        axis=-1)

    @pytest.mark.parametrize("law", ["linear", "hertz"])
    def test_the_wedge_of_the_pendulum(self, law):
        self.write("refined.yaml", REFINED.replace("LAW", law))
        self.write("search.yaml", SEARCH.replace("LAW", law))
        for name in ("refined", "search"):
            self.good("run", f"{name}.yaml", "-o", f"{name}.h5", "--force", "--progress",
                      "none")
        with h5py.File(self.path("refined.h5")) as file:
            labels = file.attrs["labels"].split()
            table = {name: file["boundaries"][f"boundary_{name}"][()]
                     for name in ("number", "left", "right", "angle", "friction")}
        wedge = labels.index("wedge")
        vertex = self.scaled(table["angle"], table["friction"])
        joined = table["number"][1:] == table["number"][:-1]
        of_wedge = (table["left"][1:] == wedge) | (table["right"][1:] == wedge)
        first, last = vertex[:-1][joined & of_wedge], vertex[1:][joined & of_wedge]
        with h5py.File(self.path("search.h5")) as file:
            root, friction = file["root"][()], file["friction"][()]
        found = 0
        for angle, mu in ((one, mu) for row, mu in zip(root, friction) for one in row):
            if np.isfinite(angle):
                found += 1
                assert distance(self.scaled(angle, mu), first, last) < 1.1 * TOLERANCE
        assert found > 60
