"""The kind strobe: a history of bounce as a strobe picture."""
import os
import subprocess

import numpy as np
import pytest

from impactsweep.errors import InputError
from impactsweep.figures import command, registry
from impactsweep.maps import histories

PROGRAM = os.path.abspath(os.environ["IMPACTSWEEP"])
STROBE = registry.KINDS["strobe"]
BODIES = {"sphere": [], "rod": [], "block": ["width=0.6"], "capsule": ["slenderness=1.5"],
          "points": ["gyration_radius=0.5", "corner_distance_1=1", "corner_angle_1=0.2", "corner_distance_2=0.9",
                     "corner_angle_2=2.2", "corner_distance_3=1.1", "corner_angle_3=4.1"]}


def trace(folder, theory, *words):
    path = os.path.join(folder, "drop.csv")
    subprocess.run([PROGRAM, "trace", theory, *words, "--points", "201", "-o", path], check=True, capture_output=True)
    return path


def figure_of(path, *words):
    options = command.parser_of("plot.py", STROBE).parse_args([path, *words])
    return command.make(STROBE, options, [])


class Strobe:
    @pytest.mark.parametrize("body", BODIES)
    def test_outlines_touch_the_plane_and_no_more(self, tmp_path, body):
        path = trace(tmp_path, "bounce", f"body={body}", *BODIES[body], "restitution=0.5", "friction=0.4", "drop=1",
                     "tilt=0.5", "spin=-1", "velocity_t=1")
        figure = figure_of(path, "--flashes", "12")
        ax, = figure.axes
        solid = [line for line in ax.lines if line.get_linestyle() == "-" and len(line.get_xdata()) > 2]
        assert len(solid) == 13  # the last one again, in black
        lowest = [line.get_ydata().min() for line in solid]
        assert min(lowest) > -1e-3 and abs(lowest[-1]) < 3e-3
        assert lowest[0] == pytest.approx(1, abs=3e-3)

    def test_impacts_are_where_points_strike(self, tmp_path):
        path = trace(tmp_path, "bounce", "body=rod", "restitution=0.5", "friction=0.4", "drop=1", "tilt=0.5")
        history, = histories.read(path)
        rows = [k for k, event in enumerate(history.events) if event == "impact"]
        ax, = figure_of(path).axes
        dots = np.array([one.get_offsets()[0] for one in ax.collections])
        assert len(dots) == len(rows) > 5
        place = {1: 0.5, 2: -0.5}
        columns = history.columns
        expected = [columns["body_x"][k] + place[int(columns["point"][k])] * np.cos(columns["body_angle"][k]) for k in rows]
        assert dots[:, 0] == pytest.approx(expected)
        areas = [one.get_sizes()[0] for one in ax.collections]
        assert int(np.argmax(areas)) == int(np.argmax([history.columns["normal_impulse"][k] for k in rows]))

    def test_other_histories_are_refused(self, tmp_path):
        path = trace(tmp_path, "compliant", "body=pendulum", "angle=30deg", "friction=0.3", "stiffness_ratio=1.21")
        with pytest.raises(InputError, match="one cell of bounce"):
            figure_of(path)
