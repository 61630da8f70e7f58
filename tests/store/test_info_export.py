"""`info` and `export` of a map, and of files that are damaged or no maps."""
import csv
import io
import json
import os
import re
import shutil

import h5py
import netCDF4
import numpy as np
import xarray
from sample_map import BODIES, MODES, OUTCOMES, REALS, MapCase
from support import BAD_INPUT, FAILURE, digest_of_bytes, null_config


class Export(MapCase):
    def rows(self, text):
        return list(csv.DictReader(io.StringIO(text)))

    def check_rows(self, rows, data):
        """The rows are the cells of an xarray dataset, in the order of the file."""
        assert len(rows) == data.outcome.size
        for row, index in zip(rows, np.ndindex(data.outcome.shape)):
            cell = data.isel(dict(zip(data.outcome.dims, index)))
            for name in ("angle", "case", "stiffness_ratio", "normal_speed"):
                assert float(row[name]) == float(cell[name])
            assert row["body"] == BODIES[int(cell.body)]
            assert row["mode"] == MODES[int(cell.mode)]
            assert row["outcome"] == OUTCOMES[int(cell.outcome)]
            for name in REALS:
                value = cell[name].values[()]
                stored = value.dtype.type(row[name] or "nan")
                np.testing.assert_array_equal(stored, value, name)

    def test_every_cell_bit_for_bit(self):
        with xarray.open_dataset(self.map) as data:
            rows = self.rows(self.good("export", "map.h5"))
            self.check_rows(rows, data.load())
        assert list(rows[0]) == ["body", "angle", "case", "stiffness_ratio", "normal_speed", "mode",
                                 "sequence"] + REALS + ["outcome"]
        assert rows[12]["sequence"] == "slip- stick slip+"

    def test_float32_cells(self):
        self.good("run", "x.yaml", "-o", "single.h5", "--set", "precision=float32")
        with xarray.open_dataset(self.path("single.h5")) as data:
            self.check_rows(self.rows(self.good("export", "single.h5")), data.load())

    def test_many_cells(self):
        # More cells than are read at once, in three dimensions, so that the last part is not whole.
        self.write("n.yaml", null_config(30000, "0"))
        self.good("run", "n.yaml", "-o", "n.h5")
        rows = self.rows(self.good("export", "n.h5"))
        with h5py.File(self.path("n.h5"), "r") as file:
            np.testing.assert_array_equal([float(row["value"]) for row in rows],
                                          file["value"][:].ravel())
            np.testing.assert_array_equal([float(row["y"]) for row in rows],
                                          np.tile(file["y"][:], 300))
            np.testing.assert_array_equal([float(row["x"]) for row in rows],
                                          np.repeat(file["x"][:], 100))

    def test_to_a_file(self):
        before = self.files()
        assert self.good("export", "map.h5", "-o", "map.csv") == ""
        with open(self.path("map.csv")) as file:
            assert file.read() == self.good("export", "map.h5")
        assert self.files() == sorted(before + ["map.csv"]), "no temporary file is left"

    def test_a_file_that_fails_is_not_left_half(self):
        self.good("export", "map.h5", "-o", "map.csv")
        with open(self.path("map.csv")) as file:
            old = file.read()
        shutil.copy(self.map, self.path("cut.h5"))
        os.truncate(self.path("cut.h5"), os.path.getsize(self.map) // 2)
        self.bad("export", "cut.h5", "-o", "map.csv", code=FAILURE, says="cut.h5")
        with open(self.path("map.csv")) as file:
            assert file.read() == old
        self.bad("export", "map.h5", "-o", "nowhere/map.csv", says="nowhere/map.csv")
        assert "map.csv.partial" not in self.files()

    def test_the_map_itself_is_not_the_target(self):
        before = digest_of_bytes(self.map)
        self.sweep("export", "map.h5", "-o", "map.h5")
        assert digest_of_bytes(self.map) == before


class Info(MapCase):
    def test_json(self):
        info = json.loads(self.good("info", "map.h5", "--json", "--digest"))
        assert (info["cells"], info["done"], info["complete"]) == (60, 60, True)
        assert info["outcomes"] == {"outside": 6, "solved": 54}
        assert sum(info["modes"].values()) == 54
        assert [(a["name"], a["dimension"], a["size"]) for a in info["axes"]] == [("body", "body", 2),
                                                                                  ("angle", "angle", 10),
                                                                                  ("case", "case", 3),
                                                                                  ("stiffness_ratio", "case", 3),
                                                                                  ("normal_speed", "case", 3)]
        assert (info["axes"][0]["from"], info["axes"][0]["to"]) == ("pendulum", "rod")
        assert info["axes"][1]["unit"] == "rad"
        assert (info["fixed"]["friction"], info["fixed"]["law"]) == (0.7, "linear")
        assert info["outputs"] == ["mode", "sequence"] + REALS
        assert info["overrides"] == "friction=0.7"
        assert [session["ranks"] for session in info["sessions"]] == [2]
        assert re.search("^[0-9a-f]{64}$", info["digest"])
        assert info["digest"] == self.digest("map.h5")

    def test_text(self):
        text = self.good("info", "map.h5")
        assert re.search(r"(?m)^axis +angle +10 values, -10 deg to 80 deg, linear$", text)
        assert re.search(r"(?m)^done +60 of 60 cells, 100.00 %, complete$", text)
        assert re.search(r"(?m)^outcome +outside +6 +10.00 %$", text)
        assert "digest" not in text

    def test_the_digest_sees_every_value(self):
        before = self.digest("map.h5")
        for name, index in (("energy_loss", (1, 2, 1)), ("mode", (1, 9, 2)), ("angle", 3),
                            ("outcome", (0, 0, 0)), ("stiffness_ratio", 1), ("friction", ())):
            shutil.copy(self.map, self.path("changed.h5"))
            with h5py.File(self.path("changed.h5"), "r+") as file:
                value = file[name][index]
                file[name][index] = value + 1 if value.dtype.kind == "i" else np.nextafter(
                    value, np.inf)
            assert self.digest("changed.h5") != before, name

    def test_the_digest_does_not_see_sessions(self):
        before = self.digest("map.h5")
        with h5py.File(self.map, "r+") as file:
            file["run/start"][3] = 5
            file["run/ranks"][0] = 7
        assert self.digest("map.h5") == before


class Damaged(MapCase):
    """info and export of files that are no maps or are damaged: a message, an exit code, no crash."""

    def refuse(self, name, codes=(FAILURE, BAD_INPUT), says=()):
        for words in (("info",), ("info", "--json"), ("info", "--digest"), ("export",)):
            result = self.sweep(*words, name)
            assert result.returncode in codes, result.stderr
            assert (result.stdout, result.stderr.count("impactsweep: error: ")) == ("", 1), result.stderr
            for phrase in (name,) + tuple(says):
                assert phrase in result.stderr

    def test_a_missing_file(self):
        self.refuse("nowhere.h5", says=["No such file or directory"])

    def test_a_folder(self):
        os.mkdir(self.path("folder.h5"))
        self.refuse("folder.h5")

    def test_files_of_another_kind(self):
        self.write("empty.h5", "")
        self.write("text.h5", "body,angle\n1,2\n")
        for name in ("empty.h5", "text.h5"):
            self.refuse(name, codes=(BAD_INPUT,))

    def test_foreign_hdf5(self):
        with h5py.File(self.path("foreign.h5"), "w") as file:
            file["mode"] = np.zeros((3, 4), "i1")
            file["outcome"] = np.zeros((3, 4), "i1")
        self.refuse("foreign.h5", codes=(BAD_INPUT,), says=["is not a map of impactsweep"])
        with netCDF4.Dataset(self.path("foreign.nc"), "w") as data:
            data.createDimension("x", 3)
            data.createVariable("mode", "i1", ("x",))[:] = 0
        self.refuse("foreign.nc", codes=(BAD_INPUT,), says=["is not a map of impactsweep"])

    def test_a_map_that_is_cut_short(self):
        size = os.path.getsize(self.map)
        for part in (size - 1, size // 2, 5000, 100, 10):
            shutil.copy(self.map, self.path("cut.h5"))
            os.truncate(self.path("cut.h5"), part)
            self.refuse("cut.h5")
            result = self.sweep("run", "x.yaml", "-o", "cut.h5", "--resume", "--set",
                                "friction=0.7")
            assert result.returncode in (FAILURE, BAD_INPUT), result.stderr
            assert os.path.getsize(self.path("cut.h5")) == part

    def test_a_map_without_its_outcomes(self):
        with h5py.File(self.map, "r+") as file:
            del file["outcome"]
        self.refuse("map.h5", codes=(FAILURE,), says=["damaged"])

    def test_values_that_no_run_writes(self):
        with h5py.File(self.map, "r+") as file:
            file["mode"][0, 5], file["mode"][1, 0] = 99, -3
            file["outcome"][0, 5], file["outcome"][1, 1] = 127, -128
            file["sequence"][1, 2] = 2 ** 64 - 1
            file["body"][1] = 77
            file["run/start"][0], file["run/end"][0] = np.inf, np.nan
            file["run/ranks"][0] = -1
        for words in (("info",), ("info", "--json", "--digest"), ("export",)):
            self.good(*words, "map.h5")
        assert sum(self.info("map.h5")["outcomes"].values()) == 60
