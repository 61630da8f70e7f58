"""Shared by the tests of robustness: sweeps of known values, and checks of maps after accidents."""
import glob
import os
import subprocess

import h5py
import netCDF4
import numpy as np
import pytest
import xarray
from support import Case, marked_processes, null_values

SOLVED = 1
PROGRAM_NAME = "impactsweep"
SHIM = os.path.join(os.path.dirname(os.path.abspath(__file__)), "shim.c")


class Shimmed(Case):
    """The program with shim.c before the C library."""
    @classmethod
    def setup_class(cls):
        super().setup_class()
        cls.shim = os.path.join(cls.shared, "shim.so")
        subprocess.run(["cc", "-O1", "-shared", "-fPIC", "-o", cls.shim, SHIM, "-ldl"], check=True)


def dust(budget, cost):
    """A refinement of points that take so many seconds, with random values: it goes on until its budget ends it."""
    return f"""model: 'null'
refine: {{base: 16, depth: 10, budget: {budget}}}
axes:
  - {{param: x, from: 0, to: 3}}
  - {{param: y, from: 0, to: 0.02}}
fixed: {{cost: {cost}}}
outputs: [mode, value]
"""


def null_sweep(rows, columns, cost=0, extra="", **fixed):
    """Cells without physics, the columns of a row one after another, which leave the processor to others unless `extra`
    chooses another fault: see src/models/null/null.c."""
    values = "".join(f", {name}: {value}" for name, value in fixed.items())
    choice = "" if "fault" in extra else "choose: {fault: idle}\n"
    return (f"model: 'null'\n{choice}axes:\n"
            f"  - {{param: x, from: 0, to: {rows - 1}, points: {rows}}}\n"
            f"  - {{param: y, from: 0, to: 1, points: {columns}}}\n"
            f"fixed: {{cost: {cost}{values}}}\noutputs: [mode, value]\n{extra}")


def patience(seconds, cell=0):
    """Seconds within which an event must happen: twice the promise, because processes of a busy machine wait, and
    more where many others use the cores."""
    return (seconds + cell) * max(2, 2 * os.getloadavg()[0] / os.cpu_count())


def outcome_codes(path):
    """{name: code} of the outcomes, from the map."""
    with h5py.File(path, "r") as file:
        attributes = file["outcome"].attrs
        names = attributes["flag_meanings"]
        names = names.decode() if isinstance(names, bytes) else names
        return dict(zip(names.split(), attributes["flag_values"].tolist()))


def outcomes(path):
    with h5py.File(path, "r", locking=False) as file:
        return file["outcome"][()]


def known_values(path):
    with h5py.File(path, "r", locking=False) as file:
        return null_values(file["x"][()], file["y"][()])


def count_right_cells(path):
    """Solved cells of a map of theory null, each compared with its known value bit for bit."""
    with h5py.File(path, "r", locking=False) as file:
        wanted = null_values(file["x"][()], file["y"][()])
        # Outcomes first: a live run only adds marks, and values of marked cells do not change.
        solved = file["outcome"][()] == SOLVED
        value, mode = file["value"][()], file["mode"][()]
    np.testing.assert_array_equal(value[solved], wanted[solved])
    np.testing.assert_array_equal(mode[solved], np.where(wanted < 0.5, 1, 2)[solved])
    return int(solved.sum())


def count_right_points(path):
    """Likewise of a refined map."""
    with h5py.File(path, "r", locking=False) as file:
        points = file["points"]
        wanted = np.array([null_values(x[None], y[None])[0, 0] for x, y in
                           zip(points["point_x"][()], points["point_y"][()])])
        solved = points["point_outcome"][()] == SOLVED
        value, mode = points["point_value"][()], points["point_mode"][()]
    np.testing.assert_array_equal(value[solved], wanted[solved])
    np.testing.assert_array_equal(mode[solved], np.where(wanted < 0.5, 1, 2)[solved])
    return int(solved.sum())


def data_by_every_reader(path, names=("value", "mode", "outcome")):
    """The arrays as h5py, netCDF4 and both engines of xarray read them."""
    found = {}
    with h5py.File(path, "r", locking=False) as file:
        found["h5py"] = {name: file[name][()] for name in names}
    with netCDF4.Dataset(path) as file:
        file.set_auto_mask(False)
        found["netCDF4"] = {name: file[name][...] for name in names}
    for engine in ("netcdf4", "h5netcdf"):
        with xarray.open_dataset(path, engine=engine) as file:
            found[engine] = {name: file[name].values for name in names}
    return found


def opens_with_every_reader(path):
    """Opens a map with every reader and reads one value of each variable."""
    with h5py.File(path, "r", locking=False) as file:
        names = [name for name in file if isinstance(file[name], h5py.Dataset)]
        for name in names:
            file[name][(0,) * file[name].ndim]
    with netCDF4.Dataset(path) as file:
        for name in names:
            file[name][(0,) * file[name].ndim]
    for engine in ("netcdf4", "h5netcdf"):
        with xarray.open_dataset(path, engine=engine) as file:
            for name in file.variables:
                file[name][(0,) * file[name].ndim].values


def contents(path):
    """The contents of a file without the times of its sessions, equal for two files of the same command."""
    if path.endswith((".csv", ".html")):
        with open(path, encoding="utf-8") as file:
            return file.read()
    with h5py.File(path, "r") as file:
        found = attributes_of(file)

        def note(name, item):
            if isinstance(item, h5py.Dataset) and (name == "run/complete" or name[:4] != "run/"):
                found[name] = (item[()].tobytes(), attributes_of(item))
        file.visititems(note)
    return found


def attributes_of(item):
    """The attributes as text, without references and the time."""
    return {name: str(value) for name, value in item.attrs.items()
            if not name.endswith("_LIST") and name != "created"}


def partial_files(path):
    """The files beside a map that is being made or compressed, or was when its run was killed."""
    return [name for name in glob.glob(glob.escape(path) + ".*.partial")]


def is_marked_complete(path):
    with h5py.File(path, "r", locking=False) as file:
        return int(file["run/complete"][()]) == 1


def mounted(case, *options):
    """A file system of its own in the test's folder; skips where that is not allowed."""
    place = case.path("disk")
    os.mkdir(place)
    done = subprocess.run(["mount", *options, place], capture_output=True, text=True)
    if done.returncode != 0:
        pytest.skip("may not mount")
    case.ending.callback(subprocess.run, ["umount", "-l", place], capture_output=True)
    return place


def ranks_of(case):
    """Ids of the ranks that a test has started, rank 0 first."""
    return sorted(process for process, name in marked_processes(case.folder).items()
                  if name == PROGRAM_NAME)


def ranks_by_number(case):
    """The same by their numbers of MPI."""
    def number(process):
        with open(f"/proc/{process}/environ", "rb") as file:
            words = dict(word.partition(b"=")[::2] for word in file.read().split(b"\0"))
        return int(words.get(b"OMPI_COMM_WORLD_RANK", words.get(b"PMI_RANK")))
    return sorted(ranks_of(case), key=number)


def signal_if_alive(process, number):
    try:
        os.kill(process, number)
    except ProcessLookupError:
        pass


class Watch:
    """Reads a map that is being written, without HDF5 and so without its locks, by the layout of another map of the
    same sweep."""

    def __init__(self, model):
        with h5py.File(model, "r", locking=False) as file:
            self.outcome = (file["outcome"].id.get_offset(), file["outcome"].size)
            self.complete = file["run/complete"].id.get_offset()

    def done(self, path):
        """Marked cells, and whether the map is marked complete; None without a map."""
        try:
            with open(path, "rb") as file:
                marks = np.frombuffer(os.pread(file.fileno(), self.outcome[1], self.outcome[0]),
                                      np.int8)
                complete = os.pread(file.fileno(), 1, self.complete) == b"\1"
        except FileNotFoundError:
            return None
        return np.count_nonzero(marks), complete
