"""impactsweep.open: any file of the program as a Dataset, in either layout and of any size."""
import csv
import gzip
import io
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
TESTS = os.path.dirname(HERE)
PACKAGE = os.path.join(os.path.dirname(TESTS), "postprocess")
import h5py
import impactsweep
import numpy as np
import pytest
import xarray
from support import ROOTS, Case

PENDULUM = """model: compliant
choose: {body: pendulum}
axes:
  - {param: angle, from: 10 deg, to: 80 deg, points: 8}
  - {param: law, values: [linear, hertz]}
  - {param: friction, from: 0.1, to: 1.5, points: 3}
fixed: {stiffness_ratio: 1.21}
outputs: [mode, sequence, kinematic_restitution, slip_loss, residual]
"""
SEARCH = ROOTS.replace("points: 5", "points: 3") + "outputs: [root, root_flag, mode_below]\n"
SAMPLE = """model: rigid
choose: {body: rod, law: poisson}
axes:
  - sample: sobol
    points: 8
    seed: 1
    params:
      - {param: restitution, distribution: uniform, from: 0.4, to: 0.6}
  - {param: angle, from: 10 deg, to: 50 deg, points: 3}
fixed: {friction: 0.3, velocity_ratio: 0.5}
outputs: [mode, velocity_ratio_out]
"""
REFINED = """model: compliant
choose: {body: pendulum}
refine: {base: 4, depth: 4}
axes:
  - {param: angle, from: 10 deg, to: 80 deg}
  - {param: friction, from: 0.1, to: 1.5}
fixed: {stiffness_ratio: 1.21}
outputs: [mode, energy_loss]
"""
# Cells with every fifth x fail.
FAULTS = """model: null
choose: {fault: not_finite}
axes:
  - {param: x, from: 0, to: 9, points: 10}
  - {param: y, from: 0, to: 1, points: 4}
fixed: {cost: 0, fault_every: 5}
"""


class Open(Case):
    def run_config(self, text, name="map.h5", *words):
        super().run_config(text, name, "--progress", "none", *words)
        return self.path(name)

    def test_labels_codes_and_degrees(self):
        path = self.run_config(PENDULUM)
        with impactsweep.open(path, degrees=True) as data, \
             xarray.open_dataset(path) as stored:
            assert data.angle.values.tolist() == [10, 20, 30, 40, 50, 60, 70, 80]
            assert data.angle.attrs["units"] == "deg"
            assert data.law.values.tolist() == ["linear", "hertz"]
            assert data.body.item() == "pendulum"
            cell = data.sel(angle=30, law="linear", friction=0.8)
            told = self.cell("compliant", "body=pendulum", "angle=30deg", "friction=0.8",
                             "stiffness_ratio=1.21")
            assert [cell.mode.item(), cell.sequence.item(), cell.outcome.item()] == [told["mode"], told["sequence"],
                                                                                     "solved"]
            np.testing.assert_array_equal(data.mode_code, stored.mode)
            meanings = stored.mode.attrs["flag_meanings"].split()
            assert data.mode.values.ravel().tolist() == [meanings[code] for code in stored.mode.values.ravel()]
            assert "wedge" in data.mode.values
            assert np.isnan(data.kinematic_restitution.where(data.mode == "wedge")).all()
            assert {"title", "theory", "config", "program_version"} <= set(data.attrs)
            assert "fingerprint" not in data.attrs

    def test_codes_without_labels(self):
        path = self.run_config(PENDULUM)
        with impactsweep.open(path, labels=False) as data, xarray.open_dataset(path) as stored:
            np.testing.assert_array_equal(data.mode, stored.mode)
            assert data.mode.attrs["flag_meanings"] == stored.mode.attrs["flag_meanings"]
            assert (data.sequence.dtype, data.angle.attrs["units"]) == (np.uint64, "rad")
            assert "mode_code" not in data

    def test_parts_of_arrays_are_those_of_the_whole(self):
        with impactsweep.open(self.run_config(PENDULUM)) as data:
            whole = data.load().copy()
        with impactsweep.open(self.path("map.h5")) as data:
            for cut in ({"angle": 3}, {"angle": slice(1, 6, 2), "law": [1, 0]},
                        {"friction": [2, 0, 0], "law": 1}, {"angle": slice(None, None, -1)},
                        {"angle": np.array([True, False] * 4)}):
                xarray.testing.assert_identical(data.isel(cut).load(), whole.isel(cut))

    def test_to_dataframe_and_back_to_a_file(self):
        with impactsweep.open(self.run_config(PENDULUM), degrees=True) as data:
            table = data[["mode", "residual"]].to_dataframe()
            assert (len(table), table["mode"].isin(["none"]).sum()) == (48, 0)
            data.to_netcdf(self.path("copy.nc"), engine="h5netcdf")
        with xarray.open_dataset(self.path("copy.nc")) as copy:
            assert copy.mode.values.ravel().tolist() == table["mode"].tolist()

    def test_tables_of_every_kind_of_file_have_a_row_for_each_of_its_points(self):
        """Neither bookkeeping nor the groups of a refined map multiply the rows of a plain reader."""
        self.good("trace", "compliant", "body=pendulum", "angle=30deg", "friction=0.3",
                  "stiffness_ratio=1.21", "-o", "one.h5", "--points", "11")
        for path, rows, columns in (
                (self.path("one.h5"), lambda data: data.sizes["time"], {"normal_force", "phase"}),
                (self.run_config(REFINED, "refined.h5"), lambda data: 17 * 17, {"mode", "outcome"}),
                (self.run_config(SEARCH, "search.h5"), lambda data: 3 * data.sizes["root_number"],
                 {"root", "outcome"}),
                (self.run_config(SAMPLE, "sample.h5"), lambda data: 8 * 3, {"mode", "restitution"})):
            readers = [xarray.open_dataset(path, engine=engine) for engine in ("h5netcdf", "netcdf4")]
            for data in (*readers, impactsweep.open(path)):
                with data:
                    table = data.to_dataframe()
                    assert len(table) == rows(data)
                    assert columns <= set(table)
                    assert [name for name in table if name.startswith("run")] == []

    def test_a_table_has_a_row_for_each_cell_as_export_writes_it(self):
        for config, cells in ((PENDULUM, 48), (SAMPLE, 24), (SEARCH, 3), (REFINED, 17 * 17)):
            path = self.run_config(config, "map.h5", "--force")
            rows = [{name.removesuffix(" [deg]"): one for name, one in row.items()} for row in csv.DictReader(
                io.StringIO(self.good("export", path, "--degrees")))]
            with impactsweep.open(path, degrees=True) as data:
                frame = impactsweep.table(data)
                assert (len(frame), len(rows)) == (cells, cells)
                assert set(rows[0]) <= set(frame.columns)
                for name in rows[0]:
                    for told, value in zip((row[name] for row in rows), frame[name]):
                        if isinstance(value, str):
                            assert told == value, name
                        else:
                            np.testing.assert_allclose(value, float(told or "nan"), rtol=1e-14, err_msg=name)
                part = impactsweep.table(data.isel({data.outcome.dims[0]: 0}), "outcome")
                assert len(part) == cells // data.sizes[data.outcome.dims[0]]
                units = {name: data[name].attrs["units"] for name in data.outcome.dims if name in data.coords}
                assert units.items() <= frame.attrs["units"].items()
        with pytest.raises(impactsweep.InputError, match="did you mean 'outcome'"):
            impactsweep.table(path, ["outcom"])

    def test_cells_that_are_not_solved_are_masked(self):
        path = self.run_config(FAULTS)
        with h5py.File(path, "r+") as file:
            file["value"][...] = np.where(np.isnan(file["value"]), 7, file["value"])
        with impactsweep.open(path) as data:
            failed = data.x % 5 == 0
            assert set(data.outcome.where(failed, drop=True).values.ravel()) == {"not_finite"}
            assert int(np.isnan(data.value).sum()) == 8
            assert np.isnan(data.value.isel(x=5)).all()
            assert not np.isnan(data.value.isel(x=slice(1, 5))).any()
            assert set(data.mode.isel(x=0).values) == {"none"}

    def test_searches_samples_and_histories(self):
        with impactsweep.open(self.run_config(SEARCH), degrees=True) as data:
            assert data.root.attrs["units"] == "deg"
            assert set(data.root_flag.values) == {"complete"}
            root = data.root.isel(root_number=0)
            modes = [self.cell("compliant", "body=pendulum", f"angle={float(root[2]) + shift}deg",
                               "friction=1.5", "stiffness_ratio=1.21")["mode"]
                     for shift in (-1e-6, 1e-6)]
            assert modes.count("wedge") == 1
        with impactsweep.open(self.run_config(SAMPLE, "sample.h5")) as data:
            assert data.restitution.dims == ("sample",)
            assert data.velocity_ratio_out.dims == ("sample", "angle")
        self.good("trace", "compliant", "body=pendulum", "angle=30deg", "friction=0.3",
                  "stiffness_ratio=1.21", "-o", "one.h5", "--points", "11")
        with impactsweep.open(self.path("one.h5")) as data:
            assert list(dict.fromkeys(data.phase.values)) == ["slip-", "stick", "slip+"]
            assert data.event.values[-1] == "separation"
            assert 0 < float(data.normal_force.max())
            assert data.attrs["outcome"] == "solved"

    def test_unfinished_maps_and_parts_say_so(self):
        self.run_config(PENDULUM, "part.h5", "--part", "2/3")
        with pytest.warns(impactsweep.Unfinished, match="part 2 of 3"):
            impactsweep.open(self.path("part.h5")).close()
        self.write("slow.yaml", FAULTS.replace("cost: 0", "cost: 0.01"))
        self.good("run", "slow.yaml", "-o", "slow.h5", "--time-limit", "0.1s", "--chunk", "1",
                  "--progress", "none", code=75)
        with pytest.warns(impactsweep.Unfinished, match="slow.h5 is unfinished"):
            data = impactsweep.open(self.path("slow.h5"))
        with data:
            pending = data.outcome == "pending"
            assert 0 < int(pending.sum())  # a busy machine may have begun none
            assert np.isnan(data.value.where(pending)).all()

    def test_maps_of_layout_1(self):
        for name in ("pending", "part1"):
            with gzip.open(os.path.join(TESTS, "store", "format1", f"{name}.h5.gz")) as packed:
                path = self.write(f"{name}.h5", packed.read())
            with pytest.warns(impactsweep.Unfinished), impactsweep.open(path) as data:
                assert set(data.dims) == {"x", "y"}
                assert len(data.to_dataframe()) == data.outcome.size

    def test_closing_closes_the_file(self):
        path = self.run_config(SAMPLE)
        for _ in range(2):
            with impactsweep.open(path):
                with pytest.raises(OSError):
                    h5py.File(path, "w")  # libhdf5 knows that this process has the file open
            h5py.File(path, "r+").close()

    def test_files_that_are_no_maps_are_refused(self):
        self.write("text.h5", "no HDF5")
        xarray.Dataset({"a": ("x", [1.0])}).to_netcdf(self.path("other.nc"),
                                                     engine="h5netcdf")
        os.mkdir(self.path("folder"))
        for name, says in (("text.h5", "not a map or history"), ("none.h5", "no such file"),
                           ("other.nc", "not a map or history of impactsweep"),
                           ("folder", "is a folder")):
            with pytest.raises(impactsweep.InputError, match=says) as caught:
                impactsweep.open(self.path(name))
            assert self.path(name) in str(caught.value)
        with pytest.raises(FileNotFoundError):
            impactsweep.open(self.path("none.h5"))


BIG = """model: 'null'
axes:
  - {param: x, from: 0, to: 1, points: 5000}
  - {param: y, from: 0, to: 1, points: 4000}
fixed: {cost: 0}
"""
CUT = """
import resource, sys
sys.path.insert(0, sys.argv[2])
import impactsweep
data = impactsweep.open(sys.argv[1])
used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + 2**26,) * 2)
row = data.isel(x=7).load()
some = data.value.isel(x=slice(None, None, 1000)).mean().item()
try:
    data.value.load()
    print("the whole map fits, so that the test shows nothing")
except MemoryError:
    print(row.value.size, set(row.mode.values) <= {"low", "high"}, 0.4 < some < 0.6)
"""


class Larger(Case):
    def test_a_map_that_is_larger_than_memory(self):
        """20 million cells, 200 MB, in a process that may take only 64 MiB more than it has."""
        self.write("big.yaml", BIG)
        self.good("run", "big.yaml", "-o", "big.h5", "--progress", "none")
        done = subprocess.run([sys.executable, "-c", CUT, self.path("big.h5"), PACKAGE],
                              capture_output=True, text=True)
        assert (done.stdout, done.stderr) == ("4000 True True\n", "")
