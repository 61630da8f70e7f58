"""Options of plot_trace.py on histories of the program: shares, parts of an axis, histories side by side, columns by name,
the direction of slip; and where histories end."""

import numpy as np
import pytest
from small_histories import Traces, contact, write_csv
from impactsweep.errors import InputError
from impactsweep.figures.kinds import trace as plot_trace
from impactsweep.maps import histories
from drawn import legends_of

WINDOW = ["compliant", "body=pendulum", "angle=13deg", "friction=0.1", "stiffness_ratio=1.21"]


class Options(Traces):
    CELLS = {"sphere": ["compliant", "body=sphere", "friction=0.5", "poisson_ratio=0.3", "velocity_ratio=0.7285714"],
             "maw": ["continuum", "body=sphere", "friction=0.5", "poisson_ratio=0.3", "velocity_ratio=0.7285714"],
             "heavy": ["compliant", "body=sphere", "friction=0.5", "poisson_ratio=0.3", "velocity_ratio=0.7285714", "mass=3",
                       "normal_stiffness=200", "normal_speed=2"],
             "window": [*WINDOW, "--with", "friction=0.5", "--with", "friction=1"],
             "wedge": [*WINDOW[:3], "friction=0.5", WINDOW[4]],
             "edge": ["compliant", "body=pendulum", "angle=36.08deg", "friction=1", "stiffness_ratio=0.1", "--with",
                      "angle=36.07deg"]}

    def curves(self, ax):
        return [line for line in ax.lines if line.get_linewidth() > 1 and len(line.get_xdata()) > 2]


class Shares(Options):
    def test_forces_over_what_friction_allows_over_the_duration(self):
        """By definition; and whatever the mass, the stiffness and the speed."""
        (plain,) = self.read("sphere")
        expected = plain.columns["tangential_force"] / (0.5 * plain.columns["normal_force"].max())
        for name in ("sphere", "heavy"):
            above = self.figure(name, "--phi", "--panels=tangential_force").axes[0]
            (line,) = self.curves(above)
            np.testing.assert_allclose(line.get_xdata(), plain.columns["time"] / plain.columns["time"][-1], atol=1e-12)
            np.testing.assert_allclose(line.get_ydata(), expected, atol=1e-9)
            assert above.get_xlabel() == "τ = time / duration"
            assert "F_{n," in above.get_ylabel()

    def test_theories_share_the_axes_and_the_limits_of_friction(self):
        for size in ("one", "two"):
            figure = self.figure("sphere", "maw", "--phi", "--psi", "--panels=forces", size=size)
            text = self.check_readable(figure)
            for words in ("τ = time / duration", "compliant, law linear", "continuum", "ψ₁ 1.2"):
                assert words in text
            assert "N/m" not in text
        sides = [line.get_ydata() for line in figure.axes[0].lines if line.get_color() == plot_trace.ENVELOPE]
        assert [(y.min(), y.max()) for y in sides[:2]] == [(0.0, 1.0), (-1.0, -0.0)]

    def test_refusals(self):
        with pytest.raises(InputError, match="needs a contact that ends"):
            self.figure("wedge", "--phi")
        columns, phase, event = contact()
        write_csv(self.path("a.csv"), columns, phase, event, friction=None)
        with pytest.raises(InputError, match="needs forces over time"):
            self.figure(self.path("a.csv"), "--phi")


class Panels(Options):
    def test_columns_by_name_share_a_panel_and_slip_keeps_its_sign(self):
        """v_t = u1' + slip, and the slip at the end is the other way."""
        (history,) = self.read("sphere")
        figure = self.figure("sphere", "--panels=forces,tangential_velocity+u1_rate+slip_speed")
        lines = {line.get_label(): line.get_ydata() for line in self.curves(figure.axes[1])}
        whole, rate, slip = (next(y for name, y in lines.items() if word in name)
                             for word in ("tangential", "elongation", "slip velocity"))
        np.testing.assert_array_equal(slip, history.columns["slip_speed"])
        assert slip.min() < 0
        assert slip.max() > 0
        np.testing.assert_allclose(whole, rate + slip, atol=1e-12)
        text = self.check_readable(figure)
        assert "velocity / $v_n$" in text

    def test_a_part_of_the_axis_has_the_height_of_what_is_in_it(self):
        figure = self.figure("edge", "--each", "--panels=forces,forces@10:21")
        self.check_readable(figure)
        grid = np.array(figure.axes).reshape(2, 2)
        for ax in grid[1]:
            assert ax.get_xlim() == (10, 21)
            assert np.ptp(ax.get_ylim()) < 0.2
            assert ax.get_ylim() == grid[1, 0].get_ylim()
        assert np.ptp(grid[0, 0].get_ylim()) > 2
        assert [ax.get_title() for ax in grid[0]] == ["angle 36.08°", "angle 36.07°"]

    def test_the_legend_takes_the_place_of_a_panel_that_there_is_not(self):
        figure = self.figure("window", "--panels=forces,velocities")
        self.check_readable(figure)
        (legend,) = legends_of(figure)
        assert not legend.axes.axison
        assert legend.axes.get_window_extent().padded(30).contains(*legend.get_window_extent().p0)
        assert len(figure.axes) == 6

    def test_the_user_names_the_histories(self):
        figure = self.figure("sphere", "maw", "--phi", "--called=springs", "--called=Maw")
        (legend,) = legends_of(figure)
        assert [text.get_text() for text in legend.get_texts()][:2] == ["springs", "Maw"]

    def test_refusals(self):
        for words, says in ((["sphere", "--panels=u1_rate+u9"], "u1_rate"), (["sphere", "--panels=u1+slip_speed"], "units"),
                            (["sphere", "--panels=forces@2:1"], "forces@LOW:HIGH"), (["sphere", "--panels=forces@x"], "LOW:HIGH"),
                            (["sphere", "--panels=phase-plane@0:1"], "is a plane"),
                            (["window", "window", "--each"], "too many"),
                            (["sphere", "--called=a", "--called=b"], "1 history is drawn")):
            with pytest.raises(InputError, match=says):
                self.figure(*words)


class Ends(Options):
    def test_a_body_that_wedges_goes_on_to_the_end_of_the_axis(self):
        """Friction 0.1 and 1 rebound, 0.5 wedges, for ever: its last period comes again."""
        (wedge,) = self.read("wedge")
        ends = [one.columns["time"][-1] for one in self.read("window")]
        figure = self.figure("window", "--panels=forces", "--limits=time=0:60")
        curves = {line.get_label(): line.get_xydata() for line in self.curves(figure.axes[1])}
        for friction, end in ((0.1, ends[0]), (1, ends[2])):
            np.testing.assert_allclose(curves[f"friction {friction:g}"][-1], (end, 0), atol=1e-9)
        time, force = curves["friction 0.5"].T
        assert time[-1] > 59
        last = wedge.columns["time"][np.flatnonzero(np.array(wedge.phases) != "stick")[-1] + 1]
        period = wedge.columns["time"][-1] - last
        later = time > last + period
        np.testing.assert_allclose(np.interp(time[later] - period, time, force), force[later], atol=1e-3)
        assert np.ptp(force[later]) > 0.05

    def test_the_impulse_of_a_wedge_grows_on(self):
        (wedge,) = self.read("wedge")
        longer = histories.continued(wedge, 3 * wedge.columns["time"][-1])
        time, force, impulse = (longer.columns[name] for name in ("time", "normal_force", "normal_impulse"))
        by_hand = np.concatenate([[0], np.cumsum(np.diff(time) * (force[1:] + force[:-1]) / 2)])
        np.testing.assert_allclose(impulse, by_hand, atol=2e-3)
        assert len(longer.phases) == len(time)
        assert len(longer.events) == len(time)

    def test_a_cross_marks_where_bodies_leave(self):
        ax = self.figure("window", "--panels=normal_force").axes[0]
        crosses = [line.get_xydata()[0] for line in ax.lines if line.get_marker() == "X"]
        assert [round(x, 6) for x, _ in crosses] == [round(one.columns["time"][-1],
                                                           6) for one in self.read("window") if one.events[-1]]
        assert len(crosses) == 2

    def test_a_history_that_failed_is_not_continued(self):
        (wedge,) = self.read("wedge")
        columns = {name: values[:-30] for name, values in wedge.columns.items()}
        cut = histories.History(columns, wedge.units, wedge.phases[:-30], wedge.events[:-30], wedge.phase_names)
        assert histories.continued(cut, 100) is cut
