"""Tables of numbers: columns, digits, undefined values, blocks that fit, and tables that are too long."""
import os
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))

import matplotlib
import numpy as np
import pytest
import small_maps as maps
from small_histories import write_h5
from impactsweep.errors import InputError
from impactsweep.figures import choose, command, looks, settings, wrapping
from impactsweep.figures.kinds import table
from drawn import Drawn

FRICTION = np.array([0.1, 0.5975, 1])
LOSS = np.array([[0, 0.12345, np.nan], [12.3456, -1.5, 0.00004]])
FIELDS = ("energy_loss", "impulse", "mode", "duration")


class Tables:
    def setup_method(self):
        folder = self.ending.enter_context(tempfile.TemporaryDirectory())
        self.path = os.path.join(folder, "map.h5")
        mode = np.array([[maps.WEDGE, maps.STICK, maps.REVERSED]] * 2, "i1")
        outcome = np.ones(LOSS.shape, "i1")
        outcome[0, 1] = 2
        maps.write_map(self.path, {"angle": (np.radians([10, 30]), "rad"), "friction": (FRICTION, "1")},
                       {"mode": (mode, {}), "energy_loss": (LOSS, {"units": "1"}),
                        "impulse": (1e9 * LOSS, {"units": "N s"}),
                        "duration": (np.full(LOSS.shape, 2.0), {"units": "s"}), "outcome": (outcome, {})})

    def make(self, *words):
        options = command.parser_of("plot.py", table).parse_args([self.path, *words])
        with settings.used(settings.settings_of(options)), matplotlib.rc_context(looks.style()):
            return Drawn(command.make(table, options, []))

    def fields(self, *names):
        return [f"--field={name}" for name in names or FIELDS]

    def texts(self, *words):
        return [text.replace("\n", " ") for text, _ in self.make(*words).texts]

    def test_a_row_for_each_cell_and_a_column_for_each_field(self):
        texts = self.texts(*self.fields())
        for text in ("angle (deg)", "friction", "energy loss", "impulse (N s)", "duration (s)", "10", "30", "0.5975",
                     "12.35", "−1.50", "1.235×10¹⁰", "wedge"):
            assert text in texts
        assert texts.count("10") == 3, "one for each friction"
        assert texts.count("2") == 5, "whole numbers have no decimals"

    def test_velocity_ratios_as_angles_of_maw(self):
        """Over friction 0.5 times a stiffness ratio of 2 the numbers are those of the map; without friction they cannot
        be drawn."""
        found = np.array([[0.7, 0.2]])
        maps.write_map(self.path, {"stiffness_ratio": ([2.0], "1"), "friction": ([0.5, 1.0], "1")},
                       {"root": (found, {"units": "1", "long_name": "velocity ratio of the boundary"}),
                        "velocity_ratio_out": (3 * found, {"units": "1"}), "outcome": (np.ones((1, 2), "i1"), {})})
        assert self.texts("--psi", *self.fields("root", "velocity_ratio_out"))[-9:] == ["friction", "0.5", "1", "ψ₁",
                                                                                        "0.7000", "0.1000", "ψ₂",
                                                                                        "2.100", "0.300"]
        maps.write_map(self.path, {"angle": ([1.0], "rad")}, {"root": (np.ones(1), {"units": "1"}),
                                                             "outcome": (np.ones(1, "i1"), {})})
        with pytest.raises(InputError, match="--psi needs the friction"):
            self.make("--psi", "--field=root")

    def test_a_slice_takes_a_parameter_away(self):
        texts = self.texts(*self.fields(), "--slice", "angle=30deg")
        assert "angle (deg)" not in texts
        assert any("Angle 30°" in text for text in texts)

    def test_what_is_undefined_or_not_solved_is_a_dash(self):
        assert self.texts(*self.fields("energy_loss", "duration")).count(table.NOTHING) == 3

    def test_columns_that_do_not_fit_are_continued_below(self):
        for size, heads in (("two", 1), ("one", 2)):
            drawn = self.make(*self.fields(), "--size", size)
            assert (drawn.overlaps(), drawn.cut()) == ([], [])
            assert [text for text, _ in drawn.texts].count("friction") == heads

    def test_lines_break_beside_formulas_and_not_inside_them(self):
        formula = settings.SYMBOLS["velocity_ratio"]
        assert " " in formula
        assert wrapping.wrapped(f"final {formula} out", 0.1) == f"final\n{formula}\nout"

    def test_a_table_that_is_too_long_is_refused(self):
        maps.write_map(self.path, {"friction": (np.linspace(0, 1, 61), "1")},
                       {"energy_loss": (np.zeros(61), {"units": "1"}), "outcome": (np.ones(61, "i1"), {})})
        with pytest.raises(InputError, match="a table of 61 rows is too long, at most 60 are drawn"):
            self.make()

    def test_units_and_signs_of_the_source(self):
        texts = self.texts(*self.fields("energy_loss", "duration"), "--unit", "energy_loss=-%", "--unit", "duration=ms",
                           "--unit", "angle=rad")
        for text in ("energy loss (%)", "duration (ms)", "angle (rad)", "−1235", "150", "2000", "0.174533"):
            assert text in texts
        assert "−0" not in texts
        with pytest.raises(InputError, match="duration=deg: allowed for its unit are s, ns"):
            self.make(*self.fields("duration"), "--unit", "duration=deg")
        with pytest.raises(InputError, match="--unit: unknown axis or output 'durations'"):
            self.make("--unit", "durations=s")

    def write_second(self, rows=3):
        path = self.path.replace("map.h5", "second.h5")
        maps.write_map(path, {"case": (np.arange(2.0 * rows), "1")}, {
            "energy_loss": (0.25 * np.arange(2.0 * rows), {"units": "1"}), "outcome": (np.ones(2 * rows, "i1"), {})})
        return path

    def test_two_maps_side_by_side(self):
        """Row by row, with the parameters that are asked for, of either map."""
        drawn = self.make(*self.fields("energy_loss", "duration"), "--beside", self.write_second(), "--key", "friction",
                          "--key", "case", "--called", "theory", "--called", "simulation")
        assert (drawn.overlaps(), drawn.cut()) == ([], [])
        texts = [text for text, _ in drawn.texts]
        assert [texts.count(name) for name in ("theory", "simulation", "angle (deg)", "friction", "case")] == [1, 1, 0,
                                                                                                               1, 1]
        assert [text.replace("\n", " ") for text in texts].count("energy loss") == 2
        assert texts[-7:] == ["energy loss", "0.000", "0.250", "0.500", "0.750", "1.000", "1.250"]
        with pytest.raises(InputError, match="has 4 rows, and .*map.h5 6"):
            self.make(*self.fields("energy_loss"), "--beside", self.write_second(2))
        with pytest.raises(InputError, match="--key: unknown parameter 'fraction'"):
            self.make(*self.fields("energy_loss"), "--key", "fraction")

    def test_a_history_event_by_event(self):
        """The worked example: friction with the sign of slip in each interval, and their sums."""
        time = np.linspace(0, np.pi, 7)
        normal = 1 - np.cos(time)
        tangential = np.where(normal < 1, -0.25 * normal, -0.25 + 0.25 * (normal - 1))
        event = np.zeros(7, "i1")
        event[3], event[6] = 2, 4
        write_h5(self.path, {"normal_impulse": (normal, "N s"), "tangential_impulse": (tangential, "N s"),
                             "tangential_velocity": (1 - normal, "m/s")}, np.full(7, 2, "i1"), event)
        texts = self.texts()
        assert texts[texts.index("event") + 1:][:3] == ["first touch", "turn", "separation"]
        assert texts[-4:] == ["ratio of the impulses since first touch", "–", "−0.2500", "0.0000"]
        assert texts[-8:-4] == ["ratio of the impulses since the row above", "–", "−0.2500", "0.2500"]
        with pytest.raises(InputError, match="are for maps"):
            self.make("--key", "x")

    def test_directions_that_slip_keeps_are_nodes_or_saddles(self):
        maps.write_map(self.path, {"direction": (np.arange(1.0, 5), "1")}, {
            "invariant_f": (np.array([0.18, -0.68, -1, np.nan]), {"units": "1"}),
            "invariant_g_prime": (np.array([-1.18, -0.32, 0.5, np.nan]), {"units": "1"}),
            "outcome": (np.ones(4, "i1"), {})})
        assert self.texts(*self.fields("invariant_f", "invariant_g_prime"))[-5:] == ["kind", "saddle", "node", "saddle",
                                                                                     "–"]

    def test_it_is_drawn_only_if_it_is_asked_for(self):
        assert choose.choose(self.path).kind != "table"
