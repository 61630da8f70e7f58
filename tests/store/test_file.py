"""The map file through its readers: ncdump, xarray, netCDF4 and h5py. `info` and `export`: test_info_export.py."""
import csv
import io
import os
import re
import signal
import subprocess
import time

import h5py
import netCDF4
import numpy as np
import pytest
import xarray
from sample_map import BODIES, CONFIG, MODES, OUTCOMES, REALS, MapCase
from support import BEAM, STOPPED, Case, end_marked_processes, null_config

ENGINES = ("h5netcdf", "netcdf4")
SCALES = "mass: 2, normal_stiffness: 1e5, "
SI = {"normal_impulse": "N s", "tangential_impulse": "N s", "duration": "s",
      "compression_time": "s"}


def plain(attributes):
    """The attributes, with text as str whatever the library returns."""
    return {name: value.decode() if isinstance(value, bytes) else value
            for name, value in attributes.items()}


class Readers(MapCase):
    def test_ncdump_accepts_it(self):
        dump = subprocess.run(["ncdump", "-h", self.map], capture_output=True, text=True)
        assert (dump.returncode, dump.stderr) == (0, "")
        for line in ("body = 2 ;", "angle = 10 ;", "case = 3 ;",
                     "byte mode(body, angle, case) ;", "double energy_loss(body, angle, case) ;",
                     "double stiffness_ratio(case) ;", "double friction ;"):
            assert line in dump.stdout

    @pytest.mark.parametrize("engine", ENGINES)
    def test_xarray_reads_named_axes_and_coordinates(self, engine):
        with xarray.open_dataset(self.map, engine=engine) as data:
            assert data.energy_loss.dims == ("body", "angle", "case")
            assert data.energy_loss.shape == (2, 10, 3)
            np.testing.assert_allclose(np.degrees(data.angle), np.linspace(-10, 80, 10),
                                       atol=1e-13)
            assert data.angle.values[-1] == np.radians(80), "the end is exact"
            np.testing.assert_array_equal(data.body, [3, 1])
            assert data.body.attrs["flag_meanings"].split()[:len(BODIES)] == BODIES
            np.testing.assert_array_equal(data.case, [0, 1, 2])
            np.testing.assert_array_equal(data.stiffness_ratio, [1.21, 0.1, 0.01])
            np.testing.assert_array_equal(data.normal_speed, [1, 2, 0.5])

    @pytest.mark.parametrize("engine", ENGINES)
    def test_xarray_sees_fixed_values_as_coordinates(self, engine):
        with xarray.open_dataset(self.map, engine=engine) as data:
            coordinates = data.energy_loss.coords
            assert (float(coordinates["friction"]), coordinates["friction"].shape) == (0.7, ())
            assert float(coordinates["velocity_ratio"]) == 0.3
            assert float(coordinates["mass"]) == 1, "defaults are there too"
            assert int(coordinates["law"]) == 0
            assert coordinates["law"].attrs["flag_meanings"].split()[0] == "linear"

    @pytest.mark.parametrize("engine", ENGINES)
    def test_categories_stay_integers_and_decode(self, engine):
        with xarray.open_dataset(self.map, engine=engine) as data:
            for name, meanings in (("mode", MODES), ("outcome", OUTCOMES)):
                variable = data[name]
                assert variable.dtype == np.int8
                assert "_FillValue" not in variable.attrs | variable.encoding
                assert variable.attrs["flag_meanings"].split() == meanings
                np.testing.assert_array_equal(variable.attrs["flag_values"],
                                              np.arange(len(meanings)))
                assert np.asarray(variable.attrs["flag_values"]).dtype == np.int8
            assert data.sequence.dtype == np.uint64
            cell = data.sel(case=0).isel(body=0, angle=4)
            assert MODES[int(cell.mode)] == "slip_stick_slip_reversed"
            assert MODES[int(data.mode[0, 2, 0])] == "wedge", "10 deg"
            assert int(cell.sequence) == 2 | 1 << 2 | 3 << 4, "slip- stick slip+"

    def test_netcdf4_reads_it(self):
        with netCDF4.Dataset(self.map) as data:
            assert {name: len(d) for name, d in data.dimensions.items()} == {"body": 2, "angle": 10, "case": 3}
            mode = data["mode"]
            assert (mode.dimensions, mode.dtype) == (("body", "angle", "case"), np.int8)
            assert mode.flag_meanings.split() == MODES
            assert not np.ma.is_masked(mode[:])
            loss = data["energy_loss"][:]
            np.testing.assert_array_equal(np.ma.getmaskarray(loss), data["outcome"][:] != 1)
            assert data["angle"].units == "rad"

    def test_every_variable_has_units_and_names(self):
        with h5py.File(self.map, "r") as file:
            for name in [*(set(file) - {"run"}), *(f"run/{name}" for name in file["run"])]:
                attributes = plain(file[name].attrs)
                assert attributes["units"], name
                assert attributes["description"], name
                assert attributes["long_name"] == name.removeprefix("run/").replace("_", " ")
                assert file[name].chunks is None, "contiguous"
            assert plain(file["angle"].attrs)["units"] == "rad"
            assert plain(file["normal_speed"].attrs)["units"] == "m/s"
            assert plain(file["mass"].attrs)["units"] == "kg"

    def test_undefined_reals_are_nan_which_is_the_fill_value(self):
        with h5py.File(self.map, "r") as file:
            assert {n for n in file if "_FillValue" in file[n].attrs} == set(REALS)
            for name in REALS:
                fill = file[name].attrs["_FillValue"]
                assert np.isnan(fill[0]) and fill.dtype == file[name].dtype
            outside = file["outcome"][:] == OUTCOMES.index("outside")
            assert outside[0, :2].all(), "-10 and 0 deg are outside for a pendulum"
            assert not (outside[0, 2:].any() or outside[1].any())
            assert np.isnan(file["energy_loss"][:][outside]).all()
            assert np.isnan(file["body_energy_loss"][0]).all(), "pendulum: it has none"
            assert not np.isnan(file["body_energy_loss"][1]).any()
            assert plain(file["duration"].attrs)["undefined_in"] == "wedge"


class Attributes(MapCase):
    def read(self, name="map.h5"):
        with h5py.File(self.path(name), "r") as file:
            return plain(file.attrs)

    def test_provenance(self):
        attributes = self.read()
        assert attributes["config"] == CONFIG, "verbatim"
        assert attributes["overrides"] == "friction=0.7"
        assert (attributes["theory"], attributes["Conventions"], attributes["program"]) == ("compliant", "CF-1.8",
                                                                                            "impactsweep")
        version = re.match(r"impactsweep (\S+) \((\S+)\)", self.good("--version"))
        assert (attributes["program_version"], attributes["source_revision"]) == version.groups()
        assert attributes["host"] == os.uname().nodename
        for library in ("(?:Open MPI|MPICH Version:)", "HDF5", "libyaml", *(["PETSc"] if BEAM else [])):
            assert re.search(library + r" v?\d+\.\d+", attributes["libraries"])
        assert "x.yaml" in attributes["config_path"]
        assert set(attributes["command"].split()) == set("impactsweep run x.yaml -o map.h5 --set friction=0.7".split())
        assert re.search(r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$", attributes["created"])
        assert attributes["results_version"] >= 1
        for name in ("title", "summary", "references", "residual_identity", "compiler",
                     "processor"):
            assert attributes[name], name

    def test_a_long_config_is_kept_whole(self):
        # An attribute in an object header has 64 kB at most.
        config = null_config(1000, "0") + "".join(f"# remark {i} {'ü' * 50}\n"
                                                  for i in range(3000))
        self.write("long.yaml", config)
        self.good("run", "long.yaml", "-o", "long.h5")
        assert self.read("long.h5")["config"] == config
        with netCDF4.Dataset(self.path("long.h5")) as data:
            assert data.config == config

    def test_units_are_si_only_when_all_scales_are_given(self):
        swept = CONFIG.replace("fixed: {", "fixed: {" + SCALES)
        for name, config, units in (("none", CONFIG, {}), ("all", swept, SI), (
                "some", swept.replace("mass: 2, ", ""), {})):
            self.write("y.yaml", config)
            self.good("run", "y.yaml", "-o", f"{name}.h5")
            with h5py.File(self.path(f"{name}.h5"), "r") as file:
                assert {n: plain(file[n].attrs)["units"] for n in REALS} == {n: units.get(n, "1") for n in REALS}

    def test_float32(self):
        self.good("run", "x.yaml", "-o", "single.h5", "--set", "precision=float32",
                  "--set", "friction=0.7")
        with h5py.File(self.map, "r") as double, h5py.File(self.path("single.h5"), "r") as single:
            for name in REALS:
                assert (single[name].dtype, double[name].dtype) == ("<f4", "<f8")
                np.testing.assert_array_equal(single[name][:], double[name][:].astype("f4"))
            assert (single["angle"].dtype, single["mode"].dtype) == ("<f8", "i1")

    def test_sessions(self):
        with h5py.File(self.map, "r") as file:
            assert (file["run/ranks"][0], file["run/complete"][()]) == (2, 1)
            assert 0 < file["run/start"][0] <= file["run/end"][0] <= time.time()
            assert file["run/start"][1] == 0


class Pending(Case):
    """Maps that are partly done."""

    given = {"x.yaml": null_config(200000)}

    def check_partly_done(self):
        info = self.info("map.h5")
        for engine in ENGINES:
            with xarray.open_dataset(self.path("map.h5"), engine=engine) as data:
                pending = data.outcome.values == 0
                assert int(pending.sum()) == info["outcomes"]["pending"]
                assert pending.any() and not pending.all()
                np.testing.assert_array_equal(np.isnan(data["value"].values)[pending], True)
                np.testing.assert_array_equal(np.isnan(data["value"].values)[~pending], False)
                np.testing.assert_array_equal(data.mode.values[pending], 0)
                assert data.mode.dtype == np.int8
        assert not info["complete"]

    def test_after_a_time_limit(self):
        for limit in ("0.5s", "2s", "8s"):  # a busy machine may not come to a cell within the shortest
            self.good("run", "x.yaml", "-o", "map.h5", "--force", "--time-limit", limit, code=STOPPED)
            if self.info("map.h5")["done"]:
                break
        self.check_partly_done()
        rows = list(csv.DictReader(io.StringIO(self.good("export", "map.h5"))))
        pending = [row for row in rows if row["outcome"] == "pending"]
        assert len(pending) == self.info("map.h5")["outcomes"]["pending"]
        assert {(row["value"], row["mode"]) for row in pending} == {("", "none")}

    def test_after_a_kill(self):
        self.run_and_kill()
        with h5py.File(self.path("map.h5"), "r") as file:
            outcome, value, mode = (file[n][:] for n in ("outcome", "value", "mode"))
            assert file["run/complete"][()] == 0
        assert 0 < (outcome == 1).sum() < outcome.size
        assert not np.isnan(value[outcome == 1]).any()
        assert (mode[outcome == 1] > 0).all()


class SeveralValues(Case):
    """Outputs of several values per cell: the decimal digits of theory null's value."""

    def setup_method(self):
        super().setup_method()
        self.run_config(null_config(200, cost="0") + "precision: float32\n", "map.h5", ranks=2)

    @staticmethod
    def digits(value):
        """Three digits, none after a zero."""
        text = f"{value:.15f}"[2:5]
        text = text[:text.find("0") + 1] if "0" in text else text
        return [float(d) for d in text]

    def test_every_reader_sees_the_dimension(self):
        dump = subprocess.run(["ncdump", "-h", self.path("map.h5")], capture_output=True, text=True)
        assert (dump.returncode, dump.stderr) == (0, "")
        for line in ("digit_number = 3 ;", "double digits(x, y, digit_number) ;",
                     "byte digit(x, y, digit_number) ;", "float value(x, y) ;"):
            assert line in dump.stdout
        with h5py.File(self.path("map.h5"), "r") as file:
            x, y = file["x"][:], file["y"][:]
        mixed = (12.9898 * x[:, None] + 78.233 * y[None, :]) * 0.6180339887498949
        for engine in ENGINES:
            with xarray.open_dataset(self.path("map.h5"), engine=engine) as data:
                assert data.digits.dims == ("x", "y", "digit_number")
                np.testing.assert_array_equal(data.digit_number, [1, 2, 3])
                assert data.digit.attrs["flag_meanings"] == "none odd even"
                for index in np.ndindex(mixed.shape):
                    expected = self.digits(mixed[index] - mixed[index] // 1)
                    read = data.digits.values[index]
                    np.testing.assert_array_equal(read[:len(expected)], expected)
                    assert np.isnan(read[len(expected):]).all()
                    parity = [1 if d % 2 else 2 for d in expected] + [0] * (3 - len(expected))
                    np.testing.assert_array_equal(data.digit.values[index], parity)

    def test_export_has_a_column_for_each(self):
        rows = list(csv.DictReader(io.StringIO(self.good("export", "map.h5"))))
        assert list(rows[0]) == "x y mode value digits_1 digits_2 digits_3 digit_1 digit_2 digit_3 outcome".split()
        for row in rows:
            expected = self.digits(float(row["digits_1"]) / 10)[:1]
            assert float(row["digits_1"]) == expected[0]
            assert row["digit_1"] == ("odd" if expected[0] % 2 else "even")
            assert (row["digits_3"] == "") == (row["digit_3"] == "none")

    def test_parts_resumed_and_compressed_are_the_same(self):
        digest = self.digest("map.h5")
        for part in (1, 2):
            self.good("run", "x.yaml", "-o", f"{part}.h5", "--part", f"{part}/2")
        self.good("join", "joined.h5", "1.h5", "2.h5")
        self.good("run", "x.yaml", "-o", "packed.h5", "--compress")
        for name in ("joined.h5", "packed.h5"):
            assert self.digest(name) == digest

    def test_a_shape_that_does_not_fit_is_damage(self):
        with h5py.File(self.path("map.h5"), "r+") as file:
            file["digit_number"].attrs["impactsweep_role"] = np.string_("fixed")
        assert "damaged" in self.sweep("info", "map.h5").stderr
