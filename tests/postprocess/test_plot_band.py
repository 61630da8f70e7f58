"""plot_band.py on small maps made here: it draws the quantiles of the solved cells."""
import contextlib
import io
import os
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

import netCDF4
import numpy as np
from impactsweep.figures import command, samples, slicing
from impactsweep.maps import contents
from impactsweep.figures.kinds import band as plot_band

SAMPLE, POINTS = 100, 5


def write_map(path, broken=()):
    """value = point of the sample + 1000 x, in the first (sample, x, speed) of two speeds."""
    with netCDF4.Dataset(path, "w") as file:
        for name, size in (("sample", SAMPLE), ("x", POINTS), ("speed", 2)):
            file.createDimension(name, size)
            variable = file.createVariable(name, "f8", (name,))
            variable[:] = np.arange(size)
            variable.long_name = "point of the sample" if name == "sample" else name
        dims = ("sample", "x", "speed")
        n, x, speed = np.meshgrid(np.arange(SAMPLE), np.arange(POINTS), np.arange(2),
                                  indexing="ij")
        value = file.createVariable("value", "f8", dims, fill_value=False)
        value[:] = n + 1000.0 * x + 1e6 * speed
        value.long_name = "value"
        outcome = file.createVariable("outcome", "i1", dims, fill_value=False)
        codes = np.ones(n.shape, "i1")
        for place in broken:
            codes[place] = 5
            value[place] = 1e30
        outcome[:] = codes


class Band:
    def setup_method(self):
        folder = self.ending.enter_context(tempfile.TemporaryDirectory())
        self.map, self.picture = (os.path.join(folder, n) for n in ("map.h5", "map.png"))

    def run_script(self, *words):
        errors = io.StringIO()
        with contextlib.redirect_stderr(errors):
            code = command.run_kind("plot_band.py", plot_band,
                                    [self.map, "-o", self.picture, *words])
        return code, errors.getvalue()

    def test_median_and_bands_are_those_of_the_solved_cells(self):
        write_map(self.map, broken=[(99, 2, 0)])
        with contents.open_map(self.map) as data:
            axis = slicing.make_axis(data, "x")
            values = samples.load_values(data, "value", "sample", axis, {"speed": 0})
        figure = plot_band.draw(axis, values, "value", "100 points", "")
        line = figure.axes[0].lines[0].get_ydata()
        expected = 49.5 + 1000 * np.arange(POINTS)
        expected[2] = 2049  # without the cell that failed
        np.testing.assert_allclose(line, expected)
        wide = figure.axes[0].collections[0].get_paths()[0].vertices
        at_zero = wide[wide[:, 0] == 0][:, 1]
        np.testing.assert_allclose([at_zero.min(), at_zero.max()], [4.95, 94.05])

    def test_slices_the_sample_and_the_axis_can_be_chosen(self):
        write_map(self.map)
        code, errors = self.run_script()
        assert code == 0
        assert "axis 'speed' is taken at its middle" in errors
        assert os.path.getsize(self.picture) > 1000
        assert self.run_script("--slice", "speed=0") == (0, "")
        assert self.run_script("--sample", "speed", "--x", "sample", "--slice", "x=1") == (0, "")

    def test_bad_input(self):
        write_map(self.map)
        for words, says in ((["--field", "valve"], "value"), (["--sample", "time"], "axis"),
                            (["--x", "sample"], "axis for --x"), (["--slice", "x"], "axis=value")):
            code, errors = self.run_script(*words)
            assert code == 2
            assert says in errors
            assert errors.count("\n") == 1
            assert not os.path.exists(self.picture)


def write_quantiles(path, probabilities):
    """value_quantile = 10 x + 100 p, of a map of uncertain parameters."""
    with netCDF4.Dataset(path, "w") as file:
        file.createDimension("x", POINTS)
        file.createDimension("quantile", len(probabilities))
        x = file.createVariable("x", "f8", ("x",))
        x[:] = np.arange(POINTS)
        number = file.createVariable("quantile", "i8", ("quantile",))
        number[:] = np.arange(len(probabilities)) + 1
        number.setncatts({"members": " ".join(f"{p:g}" for p in probabilities), "impactsweep_role": "dimension"})
        value = file.createVariable("value_quantile", "f8", ("x", "quantile"))
        value[:] = 10.0 * np.arange(POINTS)[:, None] + 100 * np.array(probabilities)
        value.long_name = "value quantile"
        outcome = file.createVariable("outcome", "i1", ("x",), fill_value=False)
        outcome[:] = 1


class TestQuantiles(Band):
    def test_bands_lie_between_quantiles_in_pairs(self):
        axis = slicing.named_axis("x", "x", ["a", "b", "c"])
        values = np.array([[3.0] * 3, [1.0] * 3, [9.0] * 3, [5.0] * 3, [7.0] * 3])
        figure = plot_band.draw_quantiles(axis, values, [0.25, 0.05, 0.95, 0.5, 0.75], "value", "")
        ax = figure.axes[0]
        assert ax.lines[0].get_ydata().tolist() == [5, 5, 5]
        ends = [sorted({y for _, y in band.get_paths()[0].vertices}) for band in ax.collections]
        assert ends == [[1, 9], [3, 7]]
        texts = [text.get_text() for legend in figure.legends + [ax.get_legend()] if legend
                 for text in legend.get_texts()]
        assert texts == ["90 % of the draws", "50 % of the draws", "median"]

    def test_a_map_with_quantiles_is_drawn(self):
        write_quantiles(self.map, [0.05, 0.5, 0.95])
        assert self.run_script() == (0, "")
        assert self.run_script("--field", "value") == (0, "")
        code, errors = self.run_script("--field", "other")
        assert code == 2 and "other" in errors
