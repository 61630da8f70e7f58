"""The panels that plot_trace.py draws of small histories made here: forces, velocities, phases, events, words."""
import netCDF4
import numpy as np
from small_histories import (FRICTION, PHASES, TITLE, Histories, contact, foot_of, legend_of, write_csv,
                             write_h5)
from impactsweep.maps import histories
from impactsweep.figures.kinds import trace as plot_trace
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import to_rgb
import pytest


def rendered(figure):
    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    return np.asarray(canvas.buffer_rgba())


def pixel(image, ax, x, y):
    """Colour at x on the axis and at a part y of the height of the panel."""
    column, row = ax.get_xaxis_transform().transform((x, y))
    return tuple(image[image.shape[0] - 1 - int(row), int(column), :3])


def rgb(colour):
    return tuple(round(255 * part) for part in to_rgb(colour))


class Panels(Histories):
    def both(self, **options):
        """The same history from either kind of file."""
        write_h5(self.path("a.h5"), *contact(), **options)
        write_csv(self.path("a.csv"), *contact(), **options)
        return [histories.read(self.path(name))[0] for name in ("a.h5", "a.csv")]

    def test_both_files_give_the_same_picture(self):
        images = [rendered(plot_trace.draw([history])) for history in self.both()]
        # The labels differ: only the HDF5 file has long names.
        assert images[0].shape == images[1].shape
        assert (images[0] != images[1]).any(axis=2).mean() < 0.01

    def test_forces_above_and_velocities_below(self):
        for history in self.both():
            figure = plot_trace.draw([history])
            above, below = figure.axes
            assert (above.get_ylabel(), below.get_ylabel(), below.get_xlabel()) == ("force (N)", "velocity (m/s)",
                                                                                    "time (s)")
            assert sorted(legend_of(above)) == ["friction limit", "normal", "tangential"]
            assert len(legend_of(below)) == 3
            assert foot_of(figure) == ["stick", "slip-", "slip+", "turn"]
            assert figure._suptitle.get_text() == "Compliant theory: sphere, friction 0.25"
            lines = {line.get_label(): line for line in above.lines}
            np.testing.assert_allclose(lines["normal"].get_ydata(),
                                       np.sin(lines["normal"].get_xdata()))

    def test_the_limits_of_friction_are_around_the_forces_only(self):
        for history in self.both():
            above, below = plot_trace.draw([history]).axes
            (area,) = [c for c in above.collections if c.get_label() == "friction limit"]
            corners = area.get_paths()[0].vertices
            top, bottom = corners[:, 1].max(), corners[:, 1].min()
            assert top == pytest.approx(FRICTION, abs=5e-4)
            assert bottom == pytest.approx(-FRICTION, abs=5e-4)
            assert "friction limit" not in [c.get_label() for c in below.collections]

    def test_no_limits_without_friction(self):
        for history in self.both(friction=None):
            above = plot_trace.draw([history]).axes[0]
            assert len(legend_of(above)) == 2

    def test_each_phase_is_shaded_from_its_start_to_its_end(self):
        shades = dict(zip(PHASES, plot_trace.SHADES))
        for history in self.both():
            np.testing.assert_allclose([run[1:] for run in plot_trace.runs_of(history)],
                                       [(0, 1), (1, 2), (2, np.pi)])
            figure = plot_trace.draw([history])
            image = rendered(figure)
            for place, phase in ((0.97, "slip+"), (1.03, "stick"), (1.97, "stick"),
                                 (2.03, "slip-")):
                for ax in figure.axes[:2]:
                    assert pixel(image, ax, place, 0.99) == rgb(shades[phase]), place

    def test_events_between_phases_are_marked(self):
        for history in self.both():
            marked = plot_trace.marked_events(history)
            assert list(marked) == ["turn"]
            assert history.columns["time"][marked["turn"]].tolist() == [np.pi / 2]

    def test_shades_can_be_told_apart(self):
        assert len(set(plot_trace.SHADES)) == len(plot_trace.SHADES)
        light = [0.299 * r + 0.587 * g + 0.114 * b for r, g, b in map(to_rgb, plot_trace.SHADES)]
        assert min(light) > 0.8, "lines must stand out"


class Words(Histories):
    def test_the_title_is_in_degrees_and_names_the_motion_of_the_body(self):
        write_h5(self.path("a.h5"), *contact())
        with netCDF4.Dataset(self.path("a.h5"), "a") as file:
            file.title = "beam, striker fixed, angle 0.523599 rad, angular_velocity -6 rad/s"
            for name, value, unit in (("angle", 0.523599, "rad"), ("position", 0.68, "1"),
                                      ("angular_velocity", -6.0, "rad/s")):
                file.createVariable(name, "f8")[...] = value
                file[name].units = unit
        assert (plot_trace.draw([histories.read(self.path("a.h5"))[0]])._suptitle.get_text() ==
                "Beam theory: striker fixed, angle 30°, angular velocity −6 rad/s, position 0.68")

    def test_a_slip_speed_without_a_tangential_direction_is_not_negative(self):
        """In a plane slip has a sign: test_trace_options.py."""
        columns, phase, event = contact()
        columns["slip_speed"] = (columns["slip_speed"][0] - 0.5, "m/s")
        write_csv(self.path("a.csv"), columns, phase, event)
        below = plot_trace.draw(histories.read(self.path("a.csv"))).axes[1]
        (line,) = [line for line in below.lines if line.get_label() == "slip speed"]
        np.testing.assert_allclose(line.get_ydata(), np.abs(columns["slip_speed"][0]))


class OtherHistories(Histories):
    def test_over_impulse(self):
        columns = {"normal_impulse": (np.linspace(0, 2, 9), "N s"),
                   "tangential_impulse": (np.linspace(0, -0.5, 9), "N s"),
                   "v_n": (np.linspace(-1, 1, 9), "m/s")}
        write_h5(self.path("a.h5"), columns, np.full(9, 2, "i1"), np.zeros(9, "i1"))
        figure = plot_trace.draw([histories.read(self.path("a.h5"))[0]])
        above, below = figure.axes
        assert (above.get_ylabel(), below.get_ylabel(), below.get_xlabel()) == ("tangential impulse (N s)", "v n (m/s)",
                                                                                "normal impulse (N s)")
        assert legend_of(above) == ["tangential impulse", "friction limit"]

    def test_neither_forces_nor_velocities(self):
        columns = {"time": (np.linspace(0, 1, 5), "1"), "position": (np.arange(5.0), "1")}
        write_csv(self.path("a.csv"), columns, np.ones(5, "i1"), np.zeros(5, "i1"))
        figure = plot_trace.draw([histories.read(self.path("a.csv"))[0]])
        assert [ax.get_ylabel() for ax in figure.axes] == ["position"]

    def test_gaps_and_unknown_phases(self):
        columns = {"time": (np.linspace(0, 1, 5), "s"),
                   "normal_force": (np.array([0, 1, np.nan, 1, 0]), "N")}
        write_csv(self.path("a.csv"), columns, np.zeros(5, "i1"), np.zeros(5, "i1"))
        history = histories.read(self.path("a.csv"))[0]
        assert plot_trace.shade_of(history, "") == plot_trace.UNKNOWN_PHASE
        plot_trace.draw([history])
