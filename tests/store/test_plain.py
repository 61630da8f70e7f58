"""Simple readers make one table of a map, and maps of layout 1 are as good as new ones.

The maps in format1/ have the bookkeeping among the outputs, before it moved into a group: 24 cells of theory null, of
which some are pending, and the two halves of the same sweep."""
import gzip
import os
import shutil
import subprocess

HERE = os.path.dirname(os.path.abspath(__file__))
import h5py
import numpy as np
import xarray
from support import BAD_INPUT, FAILURE, ROOTS, Case, null_values

ENGINES = ("h5netcdf", "netcdf4")
NINE = """model: compliant
choose: {body: pendulum}
axes:
  - {param: angle, from: 10 deg, to: 80 deg, points: 3}
  - {param: friction, from: 0.1, to: 1.5, points: 3}
fixed: {stiffness_ratio: 1.21}
outputs: [mode, sequence, energy_loss, residual]
"""


class Plain(Case):
    def check_rows(self, config, rows):
        """The table that xarray makes of all variables has this number of rows: only real dimensions multiply."""
        self.run_config(config, "map.h5", "--progress", "none", "--force")
        self.good("run", "x.yaml", "-o", "packed.h5", "--progress", "none", "--compress",
                  "--force")
        for name in ("map.h5", "packed.h5"):
            for engine in ENGINES:
                with xarray.open_dataset(self.path(name), engine=engine) as data:
                    assert set(data.dims) - set(data.outcome.dims) <= {"root_number", "slip"}
                    table = data.to_dataframe()
                    assert len(table) == rows(data)
                    assert "outcome" in table
        assert self.digest("map.h5") == self.digest("packed.h5")

    def test_nine_cells_are_nine_rows(self):
        self.check_rows(NINE, lambda data: 9)

    def test_only_dimensions_of_values_multiply(self):
        self.check_rows(ROOTS, lambda data: 5 * data.sizes["root_number"])
        self.check_rows(NINE.replace("residual]", "slip_loss]"), lambda data: 9 * 8)

    def test_h5py_finds_bookkeeping_in_its_group_only(self):
        self.run_config(NINE, "map.h5", "--progress", "none")
        with h5py.File(self.path("map.h5"), "r") as file:
            groups = [name for name in file if isinstance(file[name], h5py.Group)]
            assert groups == ["run"]
            sizes = {file[name].size for name in file if name not in groups}
            assert sizes == {1, 3, 9}, "one of each, an axis, or the cells"

    def test_the_group_is_netcdf_too(self):
        self.run_config(NINE, "map.h5", "--progress", "none", ranks=2)
        for engine in ENGINES:
            with xarray.open_dataset(self.path("map.h5"), engine=engine, group="run") as data:
                assert (int(data.ranks[0]), int(data.complete)) == (2, 1)
                assert 0 < float(data.seconds[0])
        for words in (["ncdump", self.path("map.h5")],
                      ["nccopy", self.path("map.h5"), self.path("copy.nc")]):
            done = subprocess.run(words, capture_output=True, text=True)
            assert (done.returncode, done.stderr) == (0, ""), words
        with xarray.open_dataset(self.path("copy.nc"), group="run") as data:
            assert int(data.ranks[0]) == 2


class Layout1(Case):
    def setup_method(self):
        super().setup_method()
        for name in ("pending", "part1", "part2"):
            with gzip.open(os.path.join(HERE, "format1", f"{name}.h5.gz")) as packed:
                self.write(f"{name}.h5", packed.read())
        shutil.copy(os.path.join(HERE, "format1", "old.yaml"), self.path("old.yaml"))
        self.good("run", "old.yaml", "-o", "new.h5", "--progress", "none")

    def test_info_and_export(self):
        info = self.info("part1.h5")
        assert (info["cells"], info["complete"]) == (12, True)
        assert len(info["sessions"]) == 1
        assert info["sessions"][0]["ranks"] == 1
        before = self.info("pending.h5")
        assert 0 < before["done"] < 24 and not before["complete"], before
        assert len(self.good("export", "pending.h5").splitlines()) == 25

    def test_resume(self):
        for ranks in (0, 2):
            shutil.copy(self.path("pending.h5"), self.path("map.h5"))
            self.good("run", "old.yaml", "-o", "map.h5", "--resume", "--progress", "none",
                      ranks=ranks)
            assert self.digest("map.h5") == self.digest("new.h5")
            info = self.info("map.h5")
            assert info["complete"]
            assert [one["ranks"] for one in info["sessions"]] == [1, max(1, ranks)]
            with h5py.File(self.path("map.h5"), "r") as file:
                assert file["run_complete"][()] == 1, "the mark is where layout 1 has it"
                assert "run" not in file
                wanted = null_values(file["x"][()], file["y"][()])
                np.testing.assert_array_equal(file["value"][()], wanted)
            assert self.good("run", "old.yaml", "-o", "map.h5", "--resume") == "map.h5 is complete\n"

    def test_compress(self):
        self.good("run", "old.yaml", "-o", "pending.h5", "--resume", "--compress", "--progress",
                  "none")
        assert self.digest("pending.h5") == self.digest("new.h5")

    def test_join_with_each_other_and_with_a_new_part(self):
        self.good("run", "old.yaml", "-o", "second.h5", "--part", "2/2", "--progress", "none")
        for second in ("part2.h5", "second.h5"):
            self.good("join", "map.h5", "part1.h5", second, "--force")
            assert self.digest("map.h5") == self.digest("new.h5")
            with h5py.File(self.path("map.h5"), "r") as file:
                assert "run" in file, "a new file has the new layout"

    def test_a_layout_of_the_future_is_refused(self):
        with h5py.File(self.path("new.h5"), "r+") as file:
            file.attrs["impactsweep_format"] = 3
        self.bad("info", "new.h5", code=BAD_INPUT, says="has format 3, this program reads 1 to 2")

    def test_a_damaged_output_is_named(self):
        with h5py.File(self.path("new.h5"), "r+") as file:
            attributes, shape = dict(file["value"].attrs), file["value"].shape
            del file["value"]
            file.create_dataset("value", data=np.zeros(shape, "S4")).attrs.update(attributes)
        self.bad("info", "new.h5", code=FAILURE, says="new.h5: is damaged: value")
