"""plot_trace.py on histories that the program writes, and its command line. Single panels: test_trace_panels.py."""
import os
import subprocess

import matplotlib
import netCDF4
import numpy as np
from small_histories import Histories, Traces, contact, foot_of, write_csv
from impactsweep.errors import InputError
from impactsweep.figures import command, looks, settings
from impactsweep.figures.history import dimensionless, inertia, panels
from impactsweep.figures.kinds import trace as plot_trace
from impactsweep.maps import histories
from matplotlib.colors import to_rgb
from matplotlib.image import imread
import pytest
from drawn import BEAM, legends_of


class Compared(Traces):
    """Pendulums of the program: every panel, several histories in one picture, units and groups."""

    CELLS = {name: ["compliant", "body=pendulum", "angle=30deg", "stiffness_ratio=1.21", *words] for name, words in (
        ("rough", ["friction=0.5"]), ("smooth", ["friction=0.1"]),
        ("steel", ["friction=0.5", "mass=0.0041", "normal_stiffness=1.5e7", "normal_speed=0.1"]),
        ("soft", ["friction=0.5", "mass=3", "normal_stiffness=12"]),
        ("hertz", ["friction=0.5", "law=hertz", "mass=3", "normal_stiffness=12"]),
        ("dashpot", ["friction=0.5", "law=dashpot", "normal_damping_ratio=0.2"]))}

    def cell(self, name):
        return self.read(name)[0]

    def check_readable(self, figure):
        text = super().check_readable(figure)
        for legend in legends_of(figure):
            texts = [text.get_text() for text in legend.get_texts()]
            assert len(texts) == len(set(texts))
        return text

    def test_every_panel_can_be_read_in_both_sizes(self):
        for size, name in (("one", "rough"), ("two", "steel"), ("two", "hertz")):
            text = self.check_readable(self.figure(name, "--panels=all", size=size))
            for word in ("elongation", "slip velocity", "work", "kinetic energy", "indentation", "impulse",
                         "line of friction"):
                assert word in text

    def test_panels_are_chosen_in_the_order_of_the_user(self):
        figure = self.figure("rough", "--panels=works,forces")
        assert [ax.get_ylabel().split(" /")[0] for ax in figure.axes] == ["work", "force"]
        figure = self.figure("rough", "--panels=velocities,slip")
        assert [len([line for line in ax.lines if line.get_label()[0] != "_"]) for ax in figure.axes] == [2, 1]

    def test_units_of_a_cell_in_si(self):
        text = self.check_readable(self.figure("steel", "--panels=forces,elongations,velocities,energies"))
        for words in ("force (N)", "elongation (µm)", "velocity (m/s)", "energy (µJ)", "time (µs)"):
            assert words in text
        figure = self.figure("steel", "--panels=elongations")
        (line,) = [line for line in figure.axes[0].lines if line.get_label() == "tangential"]
        columns = self.cell("steel").columns
        np.testing.assert_allclose(line.get_ydata(), 1e6 * columns["u1"])
        np.testing.assert_allclose(line.get_xdata(), 1e6 * columns["time"])

    def test_a_cell_without_units_is_drawn_in_groups(self):
        """Mass 3 and stiffness 12 without a speed: the group of every column is that of mass and stiffness 1."""
        plain, soft = self.cell("rough"), self.cell("soft")
        for name in plain.columns:
            np.testing.assert_allclose(panels.values_of(soft, name), panels.values_of(plain, name), rtol=1e-9,
                                       atol=1e-12, err_msg=name)
        assert soft.columns["time"][-1] == pytest.approx(plain.columns["time"][-1] / 2, abs=5e-8)
        texts = {name: dimensionless.group_of(self.cell("hertz"), name).text for name in
                 ("time", "u3", "normal_force", "normal_impulse", "normal_work", "normal_velocity")}
        assert texts == {"time": r"× $(k/m)^{2/5}\,v_n^{1/5}$", "u3": r"× $(k/m)^{2/5}/v_n^{4/5}$",
                         "normal_force": r"/ $(m^{3/5}\,k^{2/5}\,v_n^{6/5})$", "normal_impulse": r"/ $(m\,v_n)$",
                         "normal_work": r"/ $(m\,v_n^{2})$", "normal_velocity": r"/ $v_n$"}
        for name in ("time", "normal_force"):
            assert dimensionless.group_of(self.cell("dashpot"), name).text == dimensionless.group_of(plain, name).text
        assert "(s)" not in self.check_readable(self.figure("soft"))

    def test_two_histories_in_one_picture(self):
        for size in ("one", "two"):
            figure = self.figure("rough", "smooth", "--panels=forces,velocities,phase-plane,impulse-plane",
                                 size=size)
            text = self.check_readable(figure)
            for words in ("friction 0.5", "friction 0.1", "a new phase", "friction limit"):
                assert words in text
            assert "friction" not in figure._suptitle.get_text()
            entries = [(-round(entry.get_window_extent().y1), entry.get_window_extent().x0, entry.get_text())
                       for legend in legends_of(figure) for entry in legend.get_texts()]
            assert [text for _, _, text in sorted(entries)[:2]] == ["friction 0.5", "friction 0.1"]
            lines = {line.get_label(): line for line in figure.axes[0].lines}
            for name, label in (("rough", "friction 0.5"), ("smooth", "friction 0.1")):
                np.testing.assert_allclose(lines[label].get_ydata(), self.cell(name).columns["tangential_force"])
        over = self.figure("rough", f"--over={self.cells}/smooth.h5", "--panels=slip")
        assert len([line for line in over.axes[0].lines if line.get_label()[0] in "f"]) == 2

    def test_the_impulse_plane_has_the_lines_of_the_body(self):
        """B of a rod and of a pendulum, which the drawn lines need, from their histories."""
        program = os.path.abspath(os.environ["IMPACTSWEEP"])
        path, (s, c) = self.path("rod.h5"), (np.sin(0.5), np.cos(0.5))
        for theory, law, friction in (("compliant", "law=linear", 0.1), ("compliant", "law=hertz", 0.6),
                                      ("rigid", "law=poisson", 0.6), ("continuum", "body=rod", 0.6)):
            given = ["stiffness_ratio=1.2"] if theory != "rigid" else ["restitution=0.7"]
            subprocess.run([program, "trace", theory, *dict.fromkeys(["body=rod", law]), "angle=0.5",
                            "velocity_ratio=0.8", f"friction={friction}", "mass=2", *given, "-o", path], check=True)
            found = inertia.rows_of_b(histories.read(path)[0])
            np.testing.assert_allclose(found, [((1 + 3 * c * c) / 2, 1.5 * s * c, 0.8),
                                               (1.5 * s * c, (1 + 3 * s * s) / 2, -1)], rtol=1e-6, err_msg=law)
        (line,) = inertia.rows_of_b(self.cell("rough"))
        np.testing.assert_allclose(line, (-np.cos(np.pi / 6), -0.5, 2), rtol=1e-6)  # against its first velocity
        figure = self.figure("rough", "--panels=impulse-plane")
        assert "line of sticking and of greatest compression" in self.check_readable(figure)

    def test_a_beam_in_seconds_with_its_own_time_above(self):
        program = os.path.abspath(os.environ["IMPACTSWEEP"])
        if not BEAM:
            pytest.skip("a build without PETSc")
        path = self.path("beam.h5")
        subprocess.run([program, "trace", "beam", "position=0.68", "angular_velocity=-6", "-o", path], check=True)
        for size in ("one", "two"):
            options = command.parser_of("plot_trace.py", plot_trace).parse_args([path, "--size", size])
            with settings.used(settings.settings_of(options)), matplotlib.rc_context(looks.style()):
                figure = command.make(plot_trace, options, [])
            text = self.check_readable(figure)
            for words in ("time (ms)", "time × $S$", "61.7649 s⁻¹", "indentation (µm)", "force (N)", "velocity (m/s)",
                          "rigid energy", "flight"):
                assert words in text
        (above,) = [ax for ax in figure.axes[0].child_axes if ax.get_xlabel()]
        assert above.get_xlim()[1] == pytest.approx(0.0980914, abs=5e-7)
        assert figure.axes[0].get_xlim()[1] == pytest.approx(1.588142, abs=5e-6)

    def test_refusals(self):
        for words, says in ((["rough", "--panels=forced"], "there is no panel 'forced'"),
                            (["rough", "--panels=displacements"], "has no columns for: displacements"),
                            (["rough", "--panels="], "no panel is named"),
                            (["rough", "steel"], "differs from that in"),
                            (["rough", "hertz"], "differs from that in")):
            with pytest.raises(InputError, match=says):
                self.figure(*words)


class Command(Histories):
    refuses = "plot_trace.py", plot_trace

    def test_histories_of_the_program_are_drawn(self):
        program = os.path.abspath(os.environ["IMPACTSWEEP"])
        for name in ("a.csv", "b.h5"):
            subprocess.run([program, "trace", "null", "x=1", "y=2", "-o", self.path(name)],
                           check=True)
            run = self.run_script(self.path(name))
            assert (run.returncode, run.stdout, run.stderr) == (0, "", "")
        assert sorted(os.listdir(self.folder)) == ["a.csv", "a.png", "b.h5", "b.png"]
        image = imread(self.path("b.png"))
        falling = np.isclose(image[:, :, :3], to_rgb(plot_trace.SHADES[1]), atol=3e-3)
        assert falling.all(axis=2).mean() > 0.1

    def test_a_contact_of_the_compliant_theory(self):
        program = os.path.abspath(os.environ["IMPACTSWEEP"])
        subprocess.run([program, "trace", "compliant", "body=pendulum", "angle=30deg",
                        "friction=0.3", "stiffness_ratio=1.21", "-o", self.path("a.h5")],
                       check=True)
        history = histories.read(self.path("a.h5"))[0]
        assert [run[0] for run in plot_trace.runs_of(history)] == ["slip-", "stick", "slip+"]
        limit = plot_trace.limits_of(history, ["tangential_force"])
        assert (np.abs(history.columns["tangential_force"]) <= limit + 1e-12).all()
        figure = plot_trace.draw([history])
        above, below = figure.axes
        assert (above.get_ylabel(), below.get_ylabel(), below.get_xlabel()) == (r"force / $((m\,k)^{1/2}\,v_n)$",
                                                                                "velocity / $v_n$",
                                                                                r"time × $(k/m)^{1/2}$")
        assert foot_of(figure) == ["stick", "slip-", "slip+"]

    def test_other_formats(self):
        write_csv(self.path("a.csv"), *contact())
        run = self.run_script(self.path("a.csv"), "-o", self.path("b.pdf"))
        assert (run.returncode, run.stderr) == (0, "")
        assert os.path.getsize(self.path("b.pdf")) > 1000

    def test_bad_input(self):
        for name, text in (("empty.csv", ""), ("words.csv", "time,phase,event\na,stick,\n"),
                           ("short.csv", "time,x,phase,event\n"), ("other.csv", "x,y\n1,2\n"),
                           ("text.h5", "no\n")):
            with open(self.path(name), "w", encoding="utf-8") as file:
                file.write(text)
            assert "not a history" in self.refuse(name), name
        assert "no such file" in self.refuse("missing.csv")
        assert "is a folder" in self.refuse(".")
        write_csv(self.path("a.csv"), *contact())
        assert "a picture ends in" in self.refuse("a.csv", "-o", "a.csv")
        assert "no such folder" in self.refuse("a.csv", "-o", "nowhere/a.png")
        assert "unrecognized" in self.refuse("a.csv", "--colour")

    def test_a_map_is_refused_as_a_history(self):
        with netCDF4.Dataset(self.path("map.h5"), "w") as file:
            file.createDimension("angle", 2)
            file.createVariable("mode", "i1", ("angle",))[:] = 1
        assert "not a history" in self.refuse("map.h5")
