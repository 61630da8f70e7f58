"""plot_lines.py on small maps made here. On committed configs: test_plot_lines_configs.py."""
import netCDF4
import numpy as np
import small_maps as maps
from line_maps import ANGLE, FRICTION, STIFFNESS, Lines, family
from impactsweep.figures.kinds import lines as plot_lines


class Roles(Lines):
    def test_longest_axis_is_horizontal_and_the_outermost_makes_panels(self):
        found = self.family(self.make())
        assert (found.x_label, found.curves, found.panels) == ("friction", ["10°", "20°", "40°"],
                                                               ["stiffness 0.1 N/m", "stiffness 1 N/m"])
        assert list(found.values) == ["restitution", "loss"]
        assert found.labels["loss"] == "lost energy (J)"
        assert self.notes == []

    def test_values_are_those_of_the_cells_and_unsolved_cells_are_gaps(self):
        found, expected = self.family(self.make()), family()
        for name in ("restitution", "loss"):
            np.testing.assert_array_equal(found.values[name][0], expected[name][0])
        assert np.isnan(found.values["loss"][0, :, 1, 4]).all()

    def test_axes_can_be_chosen(self):
        found = self.family(self.make(), "--x", "angle", "--curves", "stiffness", "--slice",
                            "friction=0.3", "--field", "loss")
        np.testing.assert_allclose(found.x[0, 0], [10, 20, 40])
        assert (found.x_label, found.panels) == ("angle (deg)", [""])
        np.testing.assert_allclose(found.values["loss"][0, 0],
                                   [[s - 0.3, np.nan, s - 0.3] for s in STIFFNESS])
        assert found.title == "friction 0.3"

    def test_a_slice_leaves_fewer(self):
        found = self.family(self.make(), "--slice", "stiffness=1", "--slice", "angle=20deg")
        assert (found.panels, found.curves, found.values["loss"].shape) == ([""], [""], (1, 1, 1, len(FRICTION)))

    def test_an_axis_too_many_is_taken_at_its_middle(self):
        shape = (12, 3, 19)
        outputs = {"loss": (np.zeros(shape), {}), "outcome": (np.ones(shape, "i1"), {})}
        maps.write_map(self.path("a.h5"), {"stiffness": (np.arange(12.0), "1"),
                                           "angle": (ANGLE, "rad"), "friction": (FRICTION, "1")},
                       outputs)
        found = self.family(self.path("a.h5"))
        assert (len(found.curves), len(found.panels)) == (3, 1)
        assert "'stiffness' is taken at its middle, 6" in self.notes[0]
        assert "at most 9 are drawn as curves" in self.refuse("a.h5", "--curves", "stiffness")

    def test_options_are_curves_by_name(self):
        outputs = {"loss": (np.arange(8.0).reshape(2, 4), {}), "outcome": (np.ones((2, 4), "i1"), {})}
        maps.write_map(self.path("a.h5"), {"law": (np.arange(2, dtype="i1"), "linear hertz"),
                                           "friction": (np.arange(4.0), "1")}, outputs)
        found = self.family(self.path("a.h5"))
        assert (found.curves, found.curves_ordered) == (["linear", "Hertz"], False)
        assert len({plot_lines.look_of(found, k)[0] for k in range(2)}) == 2


class Drawing(Lines):
    def test_a_row_for_each_field_and_a_column_for_each_panel(self):
        figure = plot_lines.draw(self.family(self.make()))
        assert len(figure.axes) == 4
        assert [ax.get_title() for ax in figure.axes[:2]] == ["stiffness 0.1 N/m", "stiffness 1 N/m"]
        legend = figure.axes[1].get_legend()
        assert [text.get_text() for text in legend.get_texts()] == ["10°", "20°", "40°", "wedge"]
        assert legend.get_title().get_text() == "angle (deg)"

    def test_where_another_field_is_undefined_lines_are_thin(self):
        figure = plot_lines.draw(self.family(self.make()))
        lines = [line for line in figure.axes[2].lines if line.get_linewidth() > 1]
        thin = [line for line in figure.axes[2].lines if line.get_linewidth() == 0.5]
        for line in lines:
            assert np.isnan(line.get_ydata()[FRICTION > 0.8]).all()
        for line in thin:
            assert np.isfinite(line.get_ydata()[FRICTION > 0.8]).all()
            assert np.isnan(line.get_ydata()[FRICTION < 0.7]).all()

    def test_curves_can_be_told_apart_without_colours(self):
        found = self.family(self.make())
        looks = [plot_lines.look_of(found, curve) for curve in range(3)]
        assert len({str(dash) for _, dash in looks}) == 3
        light = [0.299 * c[0] + 0.587 * c[1] + 0.114 * c[2] for c, _ in looks]
        assert light == sorted(light)


class ExtraDimensions(Lines):
    """Values of one cell: the first of three flexible modes is 100 in every cell, the second 200."""

    def make_modes(self):
        path = self.path("modes.h5")
        speed, position = np.array([1.0, 2.0]), np.linspace(0, 1, 12)
        plane = np.add.outer(speed, position)
        maps.write_map(path, {"speed": (speed, "m/s"), "position": (position, "1")},
                       {"rigid": (plane, {"units": "1"}), "outcome": (np.ones((2, 12), "i1"), {})})
        with netCDF4.Dataset(path, "a") as file:
            file.createDimension("flexible_mode", 3)
            file.createVariable("flexible_mode", "i8", ("flexible_mode",))[:] = [1, 2, 3]
            file["flexible_mode"].impactsweep_role = "dimension"
            energy = file.createVariable("energy", "f8", ("speed", "position", "flexible_mode"),
                                         fill_value=False)
            energy[:] = plane[..., None] + 100 * np.arange(1, 4)
        return path

    def test_a_slice_takes_one_mode(self):
        found = self.family(self.make_modes(), "--field", "energy", "--slice", "flexible_mode=2")
        assert (found.values["energy"].shape, found.title) == ((1, 1, 2, 12), "flexible mode 2")
        np.testing.assert_allclose(found.values["energy"][0, 0, 0], 201 + found.x[0, 0])
        assert found.curves == ["1 m/s", "2 m/s"]

    def test_a_slice_beyond_the_last_mode_is_an_error(self):
        assert "flexible_mode=4 is outside the axis, which runs from 1 to 3" in self.refuse(self.make_modes(),
                                                                                            "--field", "energy",
                                                                                            "--slice",
                                                                                            "flexible_mode=4")

    def test_each_mode_is_a_curve_with_its_name(self):
        for words in ((), ("--curves", "flexible_mode")):
            found = self.family(self.make_modes(), "--field", "energy", *words)
            assert (found.curves, found.panels) == (["1", "2", "3"], ["speed 1 m/s", "speed 2 m/s"])
            for curve in range(3):
                np.testing.assert_allclose(found.values["energy"][0, 0, curve],
                                           100 * curve + 101 + found.x[0, 0])
            legend = plot_lines.draw(found).axes[1].get_legend()
            assert [text.get_text() for text in legend.get_texts()] == ["1", "2", "3"]
            assert legend.get_title().get_text() == "flexible mode"

    def test_each_mode_is_a_panel(self):
        found = self.family(self.make_modes(), "--field", "energy", "--panels", "flexible_mode")
        assert found.panels == ["flexible mode 1", "flexible mode 2", "flexible mode 3"]
        np.testing.assert_allclose(found.values["energy"][0, 2, 1], 302 + found.x[0, 0])

    def test_an_output_without_modes_is_one_black_line(self):
        found = self.family(self.make_modes(), "--field", "energy", "--field", "rigid")
        lines = [line for line in plot_lines.draw(found).axes[2].lines
                 if line.get_linewidth() > 1 and np.isfinite(line.get_ydata()).any()]
        assert [line.get_color() for line in lines] == ["#000000"]

    def test_an_output_of_modes_is_left_out_by_default_with_a_note(self):
        found = self.family(self.make_modes())
        assert list(found.values) == ["rigid"]
        assert self.notes == ["not drawn: energy; choose with --field NAME"]


class WhatIsDrawn(Lines):
    def test_a_curve_without_a_point_is_not_in_the_legend(self):
        outputs = family()
        outputs["outcome"][0][:, 1] = 2
        maps.write_map(self.path("a.h5"), {"stiffness": (STIFFNESS, "N/m"), "angle": (ANGLE, "rad"),
                                           "friction": (FRICTION, "1")}, outputs)
        legend = plot_lines.draw(self.family(self.path("a.h5"))).axes[1].get_legend()
        assert [text.get_text() for text in legend.get_texts()] == ["10°", "40°", "wedge"]

    def test_level_lines_are_left_out_with_a_note(self):
        outputs = family()
        outputs["level"] = (np.full(outputs["loss"][0].shape, 0.5), {})
        maps.write_map(self.path("a.h5"), {"stiffness": (STIFFNESS, "N/m"), "angle": (ANGLE, "rad"),
                                           "friction": (FRICTION, "1")}, outputs)
        found = self.family(self.path("a.h5"))
        assert list(found.values) == ["restitution", "loss"]
        assert "not drawn: level" in self.notes[0]

    def test_the_bookkeeping_of_a_search_is_left_out_by_default(self):
        x = np.linspace(0, 1, 20)
        outputs = {name: (values, {"units": "1"}) for name, values in (
            ("root_bracket", 1 + x), ("root_count", np.where(x < 0.5, 0.0, 1.0)), ("root", x))}
        maps.write_map(self.path("a.h5"), {"friction": (x, "1")},
                       {**outputs, "outcome": (np.ones(20, "i1"), {})})
        assert list(self.family(self.path("a.h5")).values) == ["root"]

    def test_a_sample_is_drawn_as_points(self):
        number = np.arange(40)
        maps.write_map(self.path("a.h5"), {"sample": (number, "1")},
                       {"loss": (np.sin(number), {}), "outcome": (np.ones(40, "i1"), {})})
        lines = plot_lines.draw(self.family(self.path("a.h5"))).axes[0].lines
        assert {line.get_linestyle() for line in lines} == {"None"}

    def test_a_note_names_each_logarithmic_axis(self):
        stiffness = np.geomspace(0.1, 10, 21)
        maps.write_map(self.path("a.h5"), {"stiffness": (stiffness, "N/m")},
                       {"loss": (stiffness ** 3, {}), "outcome": (np.ones(21, "i1"), {})})
        self.family(self.path("a.h5"))
        assert self.notes == ["axis 'stiffness' has equal ratios and is drawn logarithmically",
                              "'loss' spans more than three decades and is drawn logarithmically"]

    def test_an_axis_of_nan_is_refused(self):
        maps.write_map(self.path("a.h5"), {"stiffness": (np.full(5, np.nan), "N/m")},
                       {"loss": (np.arange(5.0), {}), "outcome": (np.ones(5, "i1"), {})})
        assert "axis 'stiffness' holds values that are not numbers" in self.refuse("a.h5")

    def test_commas_separate_the_parts_of_the_title(self):
        path = self.make()
        with netCDF4.Dataset(path, "a") as file:
            file.title = "rigid, law impulse_ratio, angle -0.785398 rad, friction 0.6"
        found = self.family(path, "--slice", "stiffness=1", "--slice", "angle=20deg")
        assert found.title == "rigid, law impulse ratio, angle −45°, friction 0.6, stiffness 1 N/m, angle 20°"


class Psi(Lines):
    def write(self, name, scalars):
        ratio = np.linspace(0, 5, 11)
        outputs = {"velocity_ratio_out": (np.tile(ratio - 1, (2, 1)), {}),
                   "outcome": (np.ones((2, 11), "i1"), {})}
        maps.write_map(self.path(name), {"friction": (np.array([0.1, 0.5]), "1"),
                                         "velocity_ratio": (ratio, "1")}, outputs)
        with netCDF4.Dataset(self.path(name), "a") as file:
            for scalar, value in scalars.items():
                file.createVariable(scalar, "f8")[...] = value
            file["outcome"].coordinates = " ".join(scalars)
        return self.path(name)

    def test_velocity_ratios_are_over_friction_and_stiffness_ratio(self):
        for name, scalars, eta in (("a.h5", {"stiffness_ratio": 1.25}, 1.25),
                                   ("b.h5", {"poisson_ratio": 0.3}, 1.7 / 1.4)):
            found = self.family(self.write(name, scalars), "--psi")
            for curve, friction in enumerate((0.1, 0.5)):
                ratio = np.linspace(0, 5, 11)
                np.testing.assert_allclose(found.x[0, curve], ratio / (friction * eta))
                np.testing.assert_allclose(found.values["velocity_ratio_out"][0, 0, curve],
                                           (ratio - 1) / (friction * eta))
            assert "ψ₁" in found.x_label

    def test_psi_needs_the_stiffness_ratio_or_poisson_ratio(self):
        self.write("a.h5", {})
        assert "stiffness_ratio or poisson_ratio" in self.refuse("a.h5", "--psi")


class Command(Lines):
    def test_bad_input(self):
        path = self.make()
        for words, phrase in ((("--field", "los"), "did you mean 'loss'?"),
                              (("--field", "mode"), "no real output"),
                              (("--x", "angl"), "did you mean 'angle'?"),
                              (("--x", "angle", "--curves", "angle"), "only be one of"),
                              (("--slice", "angle=10deg", "--x", "angle"), "axis for --x"),
                              (("-o", "a.txt"), "a picture ends in"),
                              (("--colour",), "unrecognized")):
            assert phrase in self.refuse(path, *words), words
        assert "no such file" in self.refuse("missing.h5")
