"""`run`: the same file for any number of ranks and any chunks, the values of `cell`, and the output of `run` and
`check`. Stops, kills and resumes: test_run_resume.py."""
import json
import os
import random
import re
import resource
import subprocess

import h5py
import numpy as np
import pytest
import xarray
from support import (BODIES, BODY_TABLE, FAILURE, OK, PENDULUM, SOLVED, STOPPED, Case, census, command,
                     digest_of_bytes, environment, in_parallel, null_config, null_values)

OUTSIDE, NOT_FINITE = 2, 4  # codes of outcomes, as support.SOLVED
CHUNKS = re.compile(r"(\d+) of (\d+) ranks?, (\d+) chunks")
TABLE_AXIS = """model: compliant
axes:
  - {param: friction, from: 0.01, to: 1.5, points: 40}
  - {table: cases.csv, name: case}
  - {param: stiffness_ratio, from: 0.001, to: 10, points: 30, spacing: log}
outputs: [energy_loss, mode, duration, residual]
"""
SIX_AXES = """model: compliant
axes:
  - {param: body, values: [rod, sphere, general]}
  - {param: angle, values: [-40 deg, 10 deg, 0.5 rad, 70deg]}
  - {param: friction, from: 0.05, to: 1.5, points: 9}
  - {param: stiffness_ratio, from: 0.01, to: 1.5, points: 7, spacing: log}
  - {param: velocity_ratio, from: -2, to: 2, points: 8}
  - {param: inertia_coupling, values: [0, 0.5, 0.95]}
fixed: {normal_speed: 3}
"""
ONE_AXIS = """model: compliant
choose: {body: rod}
axes: [{param: velocity_ratio, from: -5, to: 5, points: 7000}]
fixed: {angle: 40 deg, friction: 0.6, stiffness_ratio: 1.21}
"""


def text_of(attribute):
    """h5py gives fixed-length text as bytes."""
    return attribute.decode() if isinstance(attribute, bytes) else attribute


class Ranks(Case):
    """The contract of the scheduler: the file does not show which rank computed a cell."""

    def run_and_digest(self, config, ranks, *options):
        """(digest, number of ranks that computed, number of chunks)."""
        text = self.good("run", config, "-o", "map.h5", "--force", "--progress", "none", *options,
                         ranks=ranks)
        counted = CHUNKS.search(text.splitlines()[-1])
        assert counted, text
        assert int(counted[2]) == max(ranks, 1)
        return self.digest("map.h5"), int(counted[1]), int(counted[3])

    def test_ranks_and_chunks_leave_no_trace(self):
        # 3 s in all: chunks by measured time take 50 ms at most, so that even one rank has 50.
        config = self.write("null.yaml", null_config(220000))
        digests = set()
        for ranks, *options in ((0,), (2,), (3, "--chunk", "64"), (5, "--chunk", "1000"), (8,)):
            digest, computed, chunks = self.run_and_digest(config, ranks, *options)
            assert computed == max(ranks, 1), "every rank solves some"
            assert chunks >= 50
            digests.add(digest)
        assert len(digests) == 1

    def test_a_process_without_a_launcher_starts_no_mpi(self):
        config = self.write("x.yaml", PENDULUM)

        def run(**variables):
            return subprocess.run(command(["run", config, "-o", "x.h5", "--force"]), cwd=self.work, capture_output=True,
                                  env=environment(self.folder) | {"OMPI_MCA_pml": "absent"} | variables)
        if run(IMPACTSWEEP_MPI="1").returncode == OK:
            pytest.skip("the program's MPI is not Open MPI, and starts in spite of the variable")
        assert run().returncode == OK
        for sign in ("OMPI_COMM_WORLD_SIZE", "PMIX_RANK", "PMI_RANK", "SLURM_STEP_NUM_TASKS"):
            assert run(**{sign: "1"}).returncode != OK
        alone = self.digest("x.h5")
        self.good("run", config, "-o", "x.h5", "--force", ranks=1)
        assert self.digest("x.h5") == alone

    def test_gather_and_parallel_write_the_same_map(self):
        digests = set()
        for write in ("gather", "parallel"):
            config = self.write("bodies.yaml", BODIES + f"write: {write}\n")
            digests |= {self.run_and_digest(config, ranks, "--chunk", "100")[0]
                        for ranks in (1, 3)}
        assert len(digests) == 1

    def test_every_policy_gives_the_same_map_of_several_bodies(self):
        config = self.write("bodies.yaml", BODIES + "precision: float32\n")
        digests = set()
        for ranks in (0, 1, 2, 3, 5, 8):
            for options in ((), ("--chunk", "64"), ("--chunk", "7")):
                if options[1:] != ("7",) or ranks in (0, 3):
                    digest, computed, chunks = self.run_and_digest(config, ranks, *options)
                    digests.add(digest)
                    if options:
                        assert chunks >= 50
                        assert computed == max(ranks, 1), "every rank solves some"
        assert len(digests) == 1

    def test_slow_cells_are_spread(self):
        # Half of the cells are slow (10 ms each); a rank that got all of them would end last.
        config = self.write("slow.yaml", null_config(200, "1e-5", "slow", 2))
        two, three = (self.run_and_digest(config, ranks) for ranks in (2, 3))
        assert (two[0], two[1], three[1]) == (three[0], 2, 3)


class Values(Case):
    """The values in the file are those that `cell` prints."""
    rng = random.Random(2)

    def parameters_of_bodies(self):
        """Names of the parameters that apply to each body."""
        theory = json.loads(self.good("models", "compliant", "--json"))
        bodies = next(c for c in theory["choices"] if c["name"] == "body")["options"]
        return {body: {p["name"] for p in theory["parameters"]
                       if not p["applies_to"] or body in p["applies_to"].split()}
                for body in (option["name"] for option in bodies)}

    def words_of(self, data, applicable):
        """The arguments of `cell` for one cell of a map, given as its coordinates."""
        body = data.body.attrs["flag_meanings"].split()[int(data.body)]
        words = [f"{name}={float(data[name])!r}" for name in data.coords
                 if name in applicable[body]]
        return body, [f"body={body}", "law=linear"] + words

    def check_cell(self, data, body, words):
        """data: one cell. The value in the file is the printed one, rounded to its type."""
        modes = data.mode.attrs["flag_meanings"].split() if "mode" in data else []
        if int(data.outcome) == OUTSIDE and body == "pendulum":
            assert "outside its range" in self.bad("cell", "compliant", *words)
            return
        cell = self.cell("compliant", *words)
        assert cell["outcome"] == ("solved" if int(data.outcome) == SOLVED else "outside")
        for name in data.data_vars:
            stored, printed = data[name].values[()], cell[name]
            if name == "mode":
                assert modes[int(stored)] == printed, words
            elif stored.dtype.kind == "f":
                wanted = stored.dtype.type(np.nan if printed is None else printed)
                np.testing.assert_array_equal(stored, wanted, f"{name} of {words}")

    def check_map(self, config, outcomes, cells=24, **files):
        for name, text in files.items():
            self.write(f"{name}.csv", text)
        text = self.run_config(config, "map.h5", "--progress", "none", ranks=2)
        applicable = self.parameters_of_bodies()
        with xarray.open_dataset(self.path("map.h5")) as data:
            data = data.load()
        assert set(census(text)) == outcomes
        assert sum(census(text).values()) == data.outcome.size
        picks = [{d: self.rng.randrange(n) for d, n in data.outcome.sizes.items()}
                 for _ in range(cells)]
        points = [data.isel(pick) for pick in picks]
        in_parallel(lambda point: self.check_cell(point, *self.words_of(point, applicable)),
                    points)
        return data

    def test_several_bodies_of_which_some_are_outside(self):
        data = self.check_map(BODIES, {"solved", "outside"}, cells=40)
        outside = data.outcome.values == OUTSIDE
        pendulum = data.body.values == data.body.attrs["flag_meanings"].split().index("pendulum")
        wanted = pendulum[None, :, None] & (data.angle.values <= 0)[:, None, None]
        np.testing.assert_array_equal(outside, np.broadcast_to(wanted, outside.shape))
        for name, variable in data.data_vars.items():
            if variable.dtype.kind == "f":
                assert np.isnan(variable.values[outside]).all(), name

    def test_float32_is_the_rounded_value(self):
        data = self.check_map(BODIES + "precision: float32\n", {"solved", "outside"})
        assert data.energy_loss.dtype == np.float32
        assert data.mode.dtype == np.int8

    def test_a_table_as_an_axis(self):
        data = self.check_map(TABLE_AXIS, {"solved", "outside"}, cases=BODY_TABLE)
        assert data.outcome.dims == ("friction", "case", "stiffness_ratio")
        outside = (data.outcome == OUTSIDE).all(["friction", "stiffness_ratio"])
        np.testing.assert_array_equal(outside, [False, False, True, True, False])

    def test_six_axes(self):
        data = self.check_map(SIX_AXES, {"solved"})
        assert data.outcome.shape == (3, 4, 9, 7, 8, 3)

    def test_one_axis(self):
        assert self.check_map(ONE_AXIS, {"solved"}).outcome.shape == (7000,)

    def test_a_sweep_without_axes_is_one_cell(self):
        config = "model: compliant\nchoose: {body: rod}\n" + ONE_AXIS.splitlines()[-1]
        data = self.check_map(config[:-1] + ", velocity_ratio: 1}\n", {"solved"}, cells=1)
        assert data.outcome.shape == ()

    def test_known_values_are_at_their_places(self):
        self.write("null.yaml", null_config(20000, "0"))
        self.good("run", "null.yaml", "-o", "map.h5", ranks=3)
        with h5py.File(self.path("map.h5"), "r") as file:
            wanted = null_values(file["x"][:], file["y"][:])
            np.testing.assert_array_equal(file["value"][:], wanted)
            np.testing.assert_array_equal(file["mode"][:], np.where(wanted < 0.5, 1, 2))


class Output(Case):
    """The output and the files of `check` and `run`."""

    def test_check_prints_cells_and_bytes_and_writes_nothing(self):
        self.write("x.yaml", PENDULUM)
        before = digest_of_bytes(self.path("x.yaml"))
        text = self.good("check", "x.yaml")
        assert re.search(r"(?m)^cells +4,450$", text)
        assert re.search(r"(?m)^file +[\d.]+ MB$", text)
        assert re.search(r"(?m)^time +\S+ us per cell", text)
        assert (self.files(), digest_of_bytes(self.path("x.yaml"))) == (["x.yaml"], before)

    def test_check_does_not_wait_for_slow_cells(self):
        # Check must compute one cell to know; sixteen would take 5 s. This is processor time, because the machine
        # may be shared.
        self.write("x.yaml", null_config(1000, "0.3", "none"))
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        self.good("check", "x.yaml")
        assert resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before < 3

    def test_output_that_cannot_be_written_is_a_failure(self):
        self.run_config(PENDULUM, "map.h5")
        for words in (("cell", "null"), ("models",), ("models", "--json"), ("check", "x.yaml"),
                      ("info", "map.h5"), ("info", "map.h5", "--json"), ("export", "map.h5")):
            with open("/dev/full", "w") as full:
                assert self.sweep(*words, stdout=full).returncode == FAILURE

    def test_the_announced_size_is_the_size(self):
        self.write("x.yaml", PENDULUM.replace("points: 89", "points: 890"))
        announced = re.search(r"(?m)^file +([\d.]+) MB$", self.good("check", "x.yaml"))
        self.good("run", "x.yaml", "-o", "map.h5")
        size = os.path.getsize(self.path("map.h5")) / 1e6
        assert float(announced[1]) == pytest.approx(size, abs=0.05 * size)

    def test_the_census_adds_up(self):
        self.write("x.yaml", PENDULUM)
        for ranks in (0, 3):
            text = self.good("run", "x.yaml", "-o", "map.h5", "--force", ranks=ranks)
            assert census(text) == {"solved": 4450}
            modes = re.findall(r"(?m)^mode +(\w+) +([\d,]+) ", text)
            assert "wedge" in dict(modes)
            assert sum(int(n.replace(",", "")) for _, n in modes) == 4450
            assert re.search(r"^4,450 cells computed in ", text.splitlines()[-1])
        assert self.files() == ["map.h5", "x.yaml"]

    def test_faulty_cells_are_counted_and_do_not_fail_the_run(self):
        self.write("x.yaml", null_config(10000, "1e-6", "not_finite", 7))
        text = self.good("run", "x.yaml", "-o", "map.h5", "--progress", "0.01", ranks=2)
        assert census(text) == {"solved": 8500, "not_finite": 1500}
        with h5py.File(self.path("map.h5"), "r") as file:
            strikes = np.broadcast_to((file["x"][:] % 7 == 0)[:, None], (100, 100))
            np.testing.assert_array_equal(file["outcome"][:] == NOT_FINITE, strikes)
            np.testing.assert_array_equal(np.isnan(file["value"][:]), strikes)
            np.testing.assert_array_equal(file["mode"][:] == 0, strikes)

    def test_progress_is_lines_at_an_interval(self):
        self.write("x.yaml", null_config(60000))
        for ranks in (0, 2):
            result = self.sweep("run", "x.yaml", "-o", "map.h5", "--force", "--progress", "0.1",
                                ranks=ranks)
            lines = result.stderr.splitlines()
            assert len(lines) >= 2
            parts = [re.match(r" *([\d.]+) %  ([\d,]+) of 60,000 cells, \S+ cells/s, .* left, "
                              r"0 failed(, modes: [a-z ]+)?$", line) for line in lines]
            assert None not in parts, result.stderr
            done = [int(part[2].replace(",", "")) for part in parts]
            assert done == sorted(done)

    def without_a_reader(self, *words):
        """The exit code of a command whose standard error has lost its reader."""
        reading, writing = os.pipe()
        os.close(reading)
        with os.fdopen(writing) as nobody:
            return subprocess.run(command(words), cwd=self.work, env=environment(self.folder),
                                  stdout=subprocess.DEVNULL, stderr=nobody).returncode

    def test_a_reader_that_goes_away_ends_nothing(self):
        self.write("x.yaml", null_config(20000))
        assert self.without_a_reader("run", "x.yaml", "-o", "map.h5", "--progress", "0.01") == 0
        assert self.info("map.h5")["complete"]
        self.good("run", "x.yaml", "-o", "part.h5", "--part", "1/2")
        assert self.without_a_reader("join", "half.h5", "part.h5") == STOPPED
        assert len(self.info("half.h5")["sessions"]) == 1

    def test_progress_can_be_a_bar_or_nothing(self):
        self.write("x.yaml", null_config(60000))
        bar = self.sweep("run", "x.yaml", "-o", "bar.h5", "--progress", "bar")
        assert bar.returncode == 0
        assert re.search(r"\[#+\.*\] +[\d.]+ %", bar.stderr)
        assert re.search(r"\r?\[#{30}\] 100.0 %.*\n$", bar.stderr)
        none = self.sweep("run", "x.yaml", "-o", "none.h5", "--progress", "none", ranks=2)
        assert (none.returncode, none.stderr) == (0, "")

    def test_a_little_stack_is_enough(self):
        """A shell's `ulimit -s 256`: for the program itself and for the kernels of every law."""
        def little():
            resource.setrlimit(resource.RLIMIT_STACK, (256 * 1024, 256 * 1024))
        for law in ("linear", "coupled", "hertz"):
            config = self.write(f"{law}.yaml", BODIES.replace("axes:", f"choose: {{law: {law}}}\naxes:", 1)
                                .replace("points: 100", "points: 5"))
            usual, there = (self.path(f"{law}-{k}.h5") for k in range(2))
            self.good("run", config, "-o", usual)
            self.good("run", config, "-o", there, preexec_fn=little)
            assert self.digest(usual) == self.digest(there)

    def test_set_changes_the_value_and_is_recorded(self):
        self.run_config(PENDULUM, "map.h5", "--set", "stiffness_ratio=0.5", "--set", "precision=float32", "--set", "mass=3", ranks=2)
        with h5py.File(self.path("map.h5"), "r") as file:
            assert file["stiffness_ratio"][()] == 0.5
            assert (file["mass"][()], file["energy_loss"].dtype) == (3, np.float32)
            assert text_of(file.attrs["overrides"]).splitlines() == ["stiffness_ratio=0.5", "precision=float32",
                                                                     "mass=3"]
            assert text_of(file.attrs["config"]) == PENDULUM
        self.write("same.yaml", PENDULUM.replace("ratio: 1.21", "ratio: 0.5, mass: 3")
                   + "precision: float32\n")
        self.good("run", "same.yaml", "-o", "same.h5")
        assert self.digest("same.h5") == self.digest("map.h5")

    def test_force_replaces_the_file(self):
        self.write("x.yaml", PENDULUM)
        self.write("map.h5", "precious")
        self.good("run", "x.yaml", "-o", "map.h5", "--force")
        assert self.info("map.h5")["done"] == 4450
        assert self.files() == ["map.h5", "x.yaml"]

    def test_a_full_disk_is_reported_at_the_start(self):
        # A map of 50 MB, where files have at most 8 MB; bash's unit is 1024 bytes.
        self.write("x.yaml", PENDULUM.replace("points: 89", "points: 10000"))
        result = subprocess.run(["bash", "-c", 'ulimit -f 8192; exec "$@"', "bash"] +
                                command(("run", "x.yaml", "-o", "map.h5")), cwd=self.work,
                                env=environment(self.folder), capture_output=True, text=True)
        assert result.returncode == FAILURE, result.stderr
        assert "impactsweep: error: map.h5" in result.stderr
        assert self.files() == ["x.yaml"]
