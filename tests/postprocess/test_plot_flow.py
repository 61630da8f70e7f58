"""plot_flow.py: its directions are those of the program for every body, and its pictures show them."""
import json
import math
import os
import subprocess


ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

import h5py  # noqa: E402
import matplotlib  # noqa: E402

matplotlib.use("Agg")
import numpy as np  # noqa: E402
from folder import FolderTest  # noqa: E402
from impactsweep.figures import choose, command  # noqa: E402
from impactsweep.figures.kinds import flow as plot_flow  # noqa: E402
from matplotlib.backends.backend_agg import FigureCanvasAgg  # noqa: E402
from matplotlib.colors import to_rgb  # noqa: E402
import pytest

PROGRAM = os.environ.get("IMPACTSWEEP", os.path.join(ROOT, "build", "release", "impactsweep"))
MOTION = {"heading": "40deg", "velocity_ratio": "1.5"}
BODIES = [
    {"body": "pendulum3d", "angle": "60deg", "friction": "1"},
    {"body": "pendulum3d", "angle": "30deg", "azimuth": "100deg", "friction": "0.3"},
    {"body": "rod3d", "angle": "-35deg", "azimuth": "0.4", "friction": "0.3"},
    {"body": "rod3d", "angle": "35deg", "friction": "0.9"},
    {"body": "ellipsoid3d", "semi_axis_a": "2", "semi_axis_c": "0.6", "angle": "50deg",
     "azimuth": "20deg", "spin": "-70deg", "friction": "0.2"},
    {"body": "matrix3d", "b11": "1", "b12": "0.2", "b13": "-0.4", "b22": "2", "b23": "0.5",
     "b33": "1.5", "friction": "0.4"},
    {"body": "sphere3d", "friction": "0.3"},
]


def words(parameters):
    return [f"{name}={value}" for name, value in parameters.items()]


def program(parameters):
    motion = {"swerve_ratio": "0.3"} if parameters["body"] == "pendulum3d" else MOTION
    run = subprocess.run([PROGRAM, "cell", "swerve", "restitution=0.5", "--json",
                          *words(parameters), *words(motion)],
                         capture_output=True, text=True, check=True)
    return json.loads(run.stdout)


def listed(values):
    return [value for value in values if value is not None]


class Directions:
    def test_every_body_has_the_directions_of_the_program(self):
        for parameters in BODIES:
            flow = plot_flow.from_words(words(parameters))
            cell = program(parameters)
            assert cell["outcome"] == "solved"
            directions = plot_flow.invariant_directions(flow)
            np.testing.assert_allclose([angle for angle, _ in directions],
                                       listed(cell["invariant_direction"]), atol=1e-9)
            np.testing.assert_allclose(plot_flow.flow_changes(flow), listed(cell["flow_change"]),
                                       atol=1e-9)
            kinds = [kind for _, kind in directions]
            assert kinds.count("node") == cell["node_count"]
            assert kinds.count("outgoing") == sum(f > 0 for f in listed(cell["invariant_f"]))

    def test_published_directions(self):
        flow = plot_flow.from_words(words(BODIES[0]))
        angles = [angle for angle, _ in plot_flow.invariant_directions(flow)]
        np.testing.assert_allclose(angles, [0, 2.186276, math.pi, 4.096909], atol=1e-6)
        np.testing.assert_allclose(plot_flow.flow_changes(flow), [0.447428, 5.835757], atol=1e-6)

    def test_paths_turn_as_those_of_the_program(self):
        parameters = {**BODIES[5], **MOTION}
        flow = plot_flow.from_words(words(parameters))
        path = plot_flow.path_from(flow, flow.starts[0], 5)
        cell = program(BODIES[5])
        heading = math.radians(40) + cell["swerve"]
        speed = cell["velocity_ratio_out"]
        assert cell["mode"] == "slip"
        nearest = np.abs(path - speed * np.array([math.cos(heading), math.sin(heading)])).sum(axis=1)
        assert nearest.min() < 0.03


class Pictures(FolderTest):
    def test_lines_lie_along_their_directions(self):
        figure = plot_flow.draw(plot_flow.from_words(words(BODIES[0])))
        canvas = FigureCanvasAgg(figure)
        canvas.draw()
        image, ax = np.asarray(canvas.buffer_rgba()), figure.axes[0]
        for angle, colour in ((math.pi, plot_flow.NODE), (2.186276, plot_flow.SADDLE),
                              (4.096909, plot_flow.SADDLE), (0, plot_flow.OUTGOING)):
            column, row = ax.transData.transform((0.4 * math.cos(angle), 0.4 * math.sin(angle)))
            pixel = image[image.shape[0] - 1 - int(row), int(column), :3]
            assert tuple(pixel) == tuple(round(255 * part) for part in to_rgb(colour))
        legend = [text.get_text() for text in figure.axes[0].get_legend().get_texts()]
        assert len(legend) == 5

    def test_map_gives_body_and_paths(self):
        config = os.path.join(ROOT, "configs", "pendulum3d-flow.yaml")
        subprocess.run([PROGRAM, "run", config, "-o", self.path("flow.h5")], check=True,
                       capture_output=True)
        notes = []
        flow = plot_flow.from_map(self.path("flow.h5"), [], notes)
        assert (flow.body, flow.friction, notes) == ("pendulum3d", 1, [])
        assert len(flow.starts) == 9
        np.testing.assert_allclose(flow.starts[0], [-1 / math.sqrt(3), -2])
        assert command.run_kind("plot_flow.py", plot_flow, [self.path("flow.h5")]) == 0
        assert sorted(os.listdir(self.folder)) == ["flow-flow.png", "flow.h5"]

    def test_other_axes_are_sliced(self):
        config = self.path("rod.yaml")
        with open(config, "w", encoding="utf-8") as file:
            file.write("model: swerve\nchoose: {body: rod3d}\naxes:\n"
                       "  - {param: friction, values: [0.1, 0.2, 0.3]}\n"
                       "  - {param: heading, from: 0 deg, to: 90 deg, points: 4}\n"
                       "fixed: {angle: 30 deg, velocity_ratio: 1, restitution: 0.5}\n")
        subprocess.run([PROGRAM, "run", config, "-o", self.path("rod.h5")], check=True,
                       capture_output=True)
        notes = []
        flow = plot_flow.from_map(self.path("rod.h5"), ["friction=0.3"], notes)
        assert flow.friction == pytest.approx(0.3, abs=5e-8)
        assert (len(flow.starts), notes) == (4, [])
        flow = plot_flow.from_map(self.path("rod.h5"), [], notes)
        assert flow.friction == pytest.approx(0.2, abs=5e-8)
        assert len(notes) == 1


    def test_a_body_that_the_figure_does_not_know_is_drawn_in_another_way(self):
        config, path = self.path("rod.yaml"), self.path("rod.h5")
        with open(config, "w", encoding="utf-8") as file:
            file.write("model: swerve\nchoose: {body: rod3d}\n"
                       "axes: [{param: heading, from: 0 deg, to: 90 deg, points: 4}]\n"
                       "fixed: {angle: 30 deg, velocity_ratio: 1, restitution: 0.5, friction: 0.3}\n")
        subprocess.run([PROGRAM, "run", config, "-o", path], check=True, capture_output=True)
        assert choose.choose(path, []).kind == "flow"
        with h5py.File(path, "r+") as file:
            names = file["body"].attrs["flag_meanings"]
            file["body"].attrs["flag_meanings"] = names.replace(b"rod3d", b"cube3d") \
                if isinstance(names, bytes) else names.replace("rod3d", "cube3d")
        assert choose.choose(path, []).kind == "lines"


class BadInput(FolderTest):
    refuses = "plot_flow.py", plot_flow

    def test_messages(self):
        assert "no such file" in self.refuse("missing.h5")
        assert "which body" in self.refuse("friction=1")
        assert "did you mean 'rod3d'" in self.refuse("body=rod2d", "friction=1")
        assert "'angle' of rod3d is not given" in self.refuse("body=rod3d", "friction=1")
        assert "'friction' is not given" in self.refuse("body=sphere3d")
        assert "negative" in self.refuse("body=sphere3d", "friction=-1")
        assert "did you mean 'friction'" in self.refuse("body=sphere3d", "frction=1")
        assert "given twice" in self.refuse("body=sphere3d", "friction=1", "friction=2")
        assert "B has a negative eigenvalue" in self.refuse("body=matrix3d", "b11=1", "b12=2", "b13=0", "b22=1",
                                                            "b23=0", "b33=1", "friction=1")
        assert "'semi_axis_a' is 0 m" in self.refuse("body=ellipsoid3d", "semi_axis_a=0", "friction=1")
        assert "a picture ends in" in self.refuse("body=sphere3d", "friction=1", "-o", "a.h5")
        assert "goes with a map" in self.refuse("body=sphere3d", "friction=1", "--slice", "friction=1")
