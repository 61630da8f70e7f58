"""`trace`: the history of one cell as CSV and HDF5, on the theory `null` whose history is known:
position = x + y (time - time^2), rising until one half, falling until 1."""
import csv
import json
import os
import re

import h5py
import netCDF4
import numpy
import pytest
import xarray

from support import BAD_INPUT, FAILURE, Case, command, environment
import subprocess

CELL = ("trace", "null", "x=1", "y=2")
PHASES, EVENTS = ["none", "rising", "falling"], ["none", "start", "turn", "end"]


def read_csv(text):
    """{remark: value}, rows as dictionaries."""
    lines = text.splitlines()
    remarks = dict(line[2:].split(" = ", 1) for line in lines if line.startswith("# ")
                   and " = " in line)
    return remarks, list(csv.DictReader(line for line in lines if not line.startswith("#")))


def names_of(variable):
    """The text of a category's codes."""
    meanings = variable.attrs["flag_meanings"]
    meanings = meanings.decode() if isinstance(meanings, bytes) else meanings
    names = dict(zip(variable.attrs["flag_values"].tolist(), meanings.split()))
    return [names[code] for code in variable[()].tolist()]


class Trace(Case):
    def table(self, *words):
        return read_csv(self.good(*CELL, *words))

    def check_rows(self, rows):
        for row in rows:
            time = float(row["time"])
            assert float(row["position"]) == pytest.approx(1 + 2 * (time - time * time), abs=1e-15)
            assert row["phase"] == ("rising" if time < 0.5 else "falling")

    def test_samples_and_events_on_the_standard_output(self):
        remarks, rows = self.table("--points", "8")
        assert list(rows[0]) == ["time", "position", "phase", "event"]
        self.check_rows(rows)
        samples = [float(row["time"]) for row in rows if not row["event"]]
        numpy.testing.assert_allclose(samples, numpy.linspace(0, 1, 8), atol=1e-15)
        assert [(row["event"], float(row["time"])) for row in rows if row["event"]] == [("start", 0), ("turn", 0.5),
                                                                                        ("end", 1)]
        times = [float(row["time"]) for row in rows]
        assert times == sorted(times)

    def test_events_alone(self):
        """Of one cell and of two, as CSV and HDF5."""
        _, rows = self.table("--events")
        self.check_rows(rows)
        assert [row["event"] for row in rows] == ["start", "turn", "end"]
        self.good(*CELL, "--events", "--with", "x=2", "-o", "two.h5")
        with h5py.File(self.path("two.h5")) as file:
            assert names_of(file["event"]) == ["start", "turn", "end"] * 2

    def test_remarks_name_the_cell(self):
        remarks, _ = self.table("--points", "2")
        assert (remarks["theory"], remarks["fault"], remarks["outcome"]) == ("null", "none", "solved")
        assert remarks["title"] == "null, fault none, x 1, y 2"
        assert remarks["phases"].split(", ") == PHASES[1:]
        assert remarks["events"].split(", ") == EVENTS[1:]
        assert (remarks["x"], remarks["y"], remarks["cost"]) == ("1 1", "2 1", "0 s")

    def test_a_csv_file_has_the_same_text(self):
        printed = self.good(*CELL, "--points", "50")
        assert self.good(*CELL, "--points", "50", "-o", "a.csv") == ""
        with open(self.path("a.csv")) as file:
            written = file.read()
        drop = lambda text: [line for line in text.splitlines() if "impactsweep" not in line]
        assert drop(written) == drop(printed)
        assert self.files() == ["a.csv"]

    def test_points_have_a_default(self):
        _, rows = self.table()
        assert sum(not row["event"] for row in rows) == 401

    def test_hdf5_holds_the_same(self):
        _, rows = self.table("--points", "9")
        for name in ("a.h5", "a.nc"):
            self.good(*CELL, "--points", "9", "-o", name)
            with h5py.File(self.path(name)) as file:
                for column in ("time", "position"):
                    assert file[column].dtype == numpy.dtype("<f8")
                    assert file[column][()].tolist() == [float(row[column]) for row in rows]
                assert names_of(file["phase"]) == [row["phase"] for row in rows]
                assert [name.replace("none", "") for name in names_of(file["event"])] == [row["event"] for row in rows]
        assert self.files() == ["a.h5", "a.nc"]

    def test_hdf5_describes_itself(self):
        self.good(*CELL, "--points", "9", "-o", "a.h5")
        with netCDF4.Dataset(self.path("a.h5")) as file:
            assert list(file.dimensions) == ["time"]
            assert file["position"].dimensions == ("time",)
            assert (file["phase"].dtype, file["event"].dtype) == (numpy.int8,) * 2
            assert file["phase"].flag_meanings.split() == PHASES
            assert file["event"].flag_meanings.split() == EVENTS
            for name in ("time", "position", "phase", "event", "x", "cost"):
                assert file[name].long_name and file[name].units, name
            assert (file["x"][()], file["y"][()], file["x"].dimensions) == (1, 2, ())
            for name in ("title", "theory", "program_version", "source_revision", "libraries",
                         "created", "host", "command", "outcome"):
                assert getattr(file, name), name
            assert "trace null x=1 y=2 --points 9" in file.command
        with xarray.open_dataset(self.path("a.h5"), engine="h5netcdf") as data:
            assert data.position.dims == ("time",)
            samples = data.sel(time=data.event == 0)  # events repeat times
            assert samples.position.sel(time=0.26, method="nearest").item() == pytest.approx(1.375, abs=5e-8)
            assert "x" in data.coords

    PENDULUM = ("trace", "compliant", "body=pendulum", "angle=30deg", "stiffness_ratio=1.21", "--points", "5")

    def test_several_cells_are_one_table(self):
        """The rows of each cell are those of its own history; inputs that differ are columns."""
        words = (*self.PENDULUM, "friction=0.5", "--with", "friction=0.1,restitution=0.8", "--with", "law=hertz")
        alone = [self.good(*self.PENDULUM, *more) for more in
                 (("friction=0.5",), ("friction=0.1", "restitution=0.8"), ("friction=0.5", "law=hertz"))]
        remarks, rows = read_csv(self.good(*words))
        assert (remarks["cells"], remarks["outcome"]) == ("3", "solved, solved, solved")
        assert remarks["inputs"].split(", ") == ["law", "friction", "restitution", "damping"]
        assert remarks["input_units"].split(", ") == ["1", "1", "1", "s/m"]
        assert remarks["title"] == "compliant, body pendulum, stiffness_ratio 1.21, angle 0.523599 rad"
        assert "friction" not in remarks
        for number, text in enumerate(alone, 1):
            mine = [row for row in rows if row["cell"] == str(number)]
            expected = read_csv(text)[1]
            assert [{name: row[name] for name in expected[0]} for row in mine] == expected
            law, friction, restitution = (("linear", .5, "1"), ("linear", .1, "0.8"), ("hertz", .5, ""))[number - 1]
            for row in mine:
                assert (row["law"], float(row["friction"])) == (law, friction)
                assert row["restitution"][:3] == restitution
        self.good(*words, "-o", "three.h5")
        with xarray.open_dataset(self.path("three.h5"), engine="h5netcdf") as data:
            assert dict(data.sizes) == {"row": len(rows)}
            for name in ("cell", "friction", "time", "normal_work"):
                assert data[name].values.tolist() == [float(row[name]) for row in rows]
            assert set(remarks["inputs"].split(", ")) - set(data.coords) == set()
            assert len(data.to_dataframe()) == len(rows)
        with h5py.File(self.path("three.h5")) as file:
            assert names_of(file["law"]) == [row["law"] for row in rows]
        assert "samples and events of 3 cells" in self.good("info", "three.h5")

    def test_bad_inputs_of_other_cells_are_reported_together(self):
        said = self.bad(*self.PENDULUM, "friction=0.5", "--with", "frction=1", "--with", "angle=95deg",
                        code=BAD_INPUT, says="--with frction=1: argument 5: error: unknown parameter")
        assert "--with angle=95deg: argument 2: error: 'angle' is" in said
        self.bad(*self.PENDULUM, "friction=0.5", "--with", "mass=2,normal_stiffness=3,normal_speed=1",
                 code=BAD_INPUT, says="one of the cells has SI units and another one has none")
        self.bad(*self.PENDULUM, "friction=0.5", *["--with", "friction=1"] * 16, code=BAD_INPUT,
                 says="at most 15")

    def test_export_refuses_a_history(self):
        self.good(*CELL, "-o", "a.h5")
        self.bad("export", "a.h5", code=BAD_INPUT, says="is not a map")

    def test_info_describes_a_history(self):
        self.good(*CELL, "--points", "5", "-o", "a.h5")
        text = self.good("info", "a.h5")
        assert re.search(r"(?m)^history +a\.h5$", text)
        assert re.search(r"(?m)^title .*null", text)
        assert re.search(r"(?m)^axis +time +8 values, 0 s to 1 s$", text)
        assert re.search(r"(?m)^rows +8, samples and events of one cell$", text)
        assert re.search(r"(?m)^outcome +solved$", text)
        assert re.search(r"(?m)^event +turn +1 ", text)
        assert "cells" not in text
        data = json.loads(self.good("info", "a.h5", "--json"))
        assert data["rows"] == 8
        assert data["theory"] == "null"
        assert data["outcome"] == "solved"
        assert data["categories"]["event"] == {"start": 1, "turn": 1, "end": 1}
        assert data["outputs"] == ["position", "phase", "event"]
        assert "cells" not in data

    def test_an_existing_file_is_replaced_whole(self):
        for name in ("a.csv", "a.h5"):
            self.good(*CELL, "--points", "1000", "-o", name)
            size = os.path.getsize(self.path(name))
            self.good(*CELL, "--points", "3", "-o", name)
            assert os.path.getsize(self.path(name)) < size
        assert self.files() == ["a.csv", "a.h5"]

    def test_a_cell_that_fails_has_rows_up_to_the_failure(self):
        for output in ((), ("-o", "a.csv"), ("-o", "a.h5")):
            result = self.sweep(*CELL, "fault=not_finite", "--points", "9", *output)
            assert result.returncode == 0
            assert "is not solved: not_finite" in result.stderr
            assert result.stderr.count("\n") == 1
        remarks, rows = read_csv(self.sweep(*CELL, "fault=not_finite", "--points", "9").stdout)
        assert remarks["outcome"] == "not_finite"
        self.check_rows(rows)
        assert float(rows[-1]["time"]) == 0.75
        with h5py.File(self.path("a.h5")) as file:
            assert file["time"][-1] == 0.75
            assert bytes(file.attrs["outcome"]) == b"not_finite"

    @pytest.mark.parametrize("words, phrase", [(("trace",), "the name of a theory is missing"),
                                               (("trace", "nul"), "unknown theory 'nul'"),
                                               ((*CELL, "z=1"), "unknown parameter or choice 'z'"),
                                               ((*CELL, "x=2"), "argument 3: error: duplicate key 'x'"),
                                               ((*CELL, "fault_every=-1"), "outside its range"),
                                               ((*CELL, "--points", "1"), "2 to 10000000"),
                                               ((*CELL, "--points", "1e3"), "--points 1e3: is not a whole number"),
                                               ((*CELL, "--point"), "needs a value"),
                                               ((*CELL, "--poins", "3"), "unknown option '--poins'"),
                                               ((*CELL, "-o", "a.txt"), "ends in .csv, .h5 or .nc"),
                                               ((*CELL, "-o", "h5"), "ends in .csv, .h5 or .nc"),
                                               ((*CELL, "-o", "nowhere/a.csv"), "nowhere/a.csv: could not create"),
                                               ((*CELL, "-o", "nowhere/a.h5"), "nowhere/a.h5: could not create")])
    def test_bad_input_writes_nothing(self, words, phrase):
        self.bad(*words, code=BAD_INPUT, says=phrase)
        assert self.files() == []

    def test_a_full_disk_is_reported(self):
        limited = ["bash", "-c", "ulimit -f 100; exec \"$@\"", "bash"]
        for name in ("a.csv", "a.h5"):
            run = subprocess.run(limited + command((*CELL, "--points", "100000", "-o", name)),
                                 cwd=self.work, env=environment(self.folder), text=True,
                                 capture_output=True, timeout=60)
            assert (run.returncode, self.files()) == (FAILURE, []), run.stderr
            assert f"{name}: could not reserve" in run.stderr

    def test_a_history_ends_where_the_cell_does(self):
        """In the compliant theory: last velocities, duration, and impulses by Simpson's rule."""
        units = ("mass=2", "normal_stiffness=1e7", "normal_speed=3")
        for body in (("body=rod", "angle=20deg", "velocity_ratio=0.7"),
                     ("body=capsule", "angle=20deg", "slenderness=5", "velocity_ratio=0.7"),
                     ("body=lamina", "offset_t=0.5", "offset_n=-1", "velocity_ratio=0.7"),
                     ("body=pendulum", "angle=30deg")):
            for law in ("linear", "coupled", "hertz"):
                words = ("compliant", *body, f"law={law}", "friction=0.4", "poisson_ratio=0.3")
                self.check_end(words + units, "2001")

    def check_end(self, words, points):
        cell = self.cell(*words)
        remarks, rows = read_csv(self.good("trace", *words, "--points", points))
        assert "N" in remarks["units"].split(", ")
        last = {name: float(value) for name, value in rows[-1].items() if value and
                name not in ("phase", "event")}
        assert (rows[-2]["event"] or rows[-1]["event"]) == "separation"
        for name, expected in (("time", cell["duration"]),
                               ("normal_velocity", 3 * cell["kinematic_restitution"]),
                               ("tangential_velocity", 3 * cell["velocity_ratio_out"])):
            assert last[name] / expected == pytest.approx(1, abs=1e-7), name
        samples = [row for row in rows if not row["event"]]
        weights = numpy.ones(len(samples))
        weights[1:-1:2], weights[2:-1:2] = 4, 2
        for force, impulse in (("normal_force", "normal_impulse"),
                               ("tangential_force", "tangential_impulse")):
            values = numpy.array([float(row[force]) for row in samples])
            sum_of = values @ weights * last["time"] / (len(samples) - 1) / 3
            assert sum_of == pytest.approx(cell[impulse], abs=1e-4 * cell["normal_impulse"])

    def test_models_lists_the_columns(self):
        history = json.loads(self.good("models", "null", "--json"))["history"]
        assert [column["name"] for column in history["columns"]] == ["time", "position"]
        assert [event["name"] for event in history["events"]] == EVENTS[1:]
        for form in ((), ("--markdown",)):
            page = self.good("models", "null", *form)
            for name in ("position", "rising", "turn"):
                assert name in page
