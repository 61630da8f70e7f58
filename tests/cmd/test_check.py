"""The report of `check` about a sweep: units, spacing, search, time."""
import os
import re
import subprocess

import h5py
import pytest
from support import PENDULUM, ROOT, Case, command, environment, needs_beam

MATRIX = """model: compliant
choose: {body: matrix}
axes:
  - {param: law, values: [linear, hertz]}
  - {param: friction, from: 1.5, to: 0.01, points: 300, spacing: log}
  - {param: velocity_ratio, from: 1, to: 1.5, points: 881}
  - {param: b22, values: [5, 4, 3, 2.5, 6, 7, 8, 9]}
fixed: {stiffness_ratio: 1.21, b11: 2.5, b12: 0.1}
"""
SEARCH = """model: compliant
search:
  over: {param: angle, from: 0.5 deg, to: 1, samples: 12}
  find: boundary
  of: mode
  in: [wedge]
choose: {body: pendulum}
axes: [{table: cases.csv, name: case}, {sample: sobol, points: 8, seed: 3, params: [
  {param: mass, distribution: uniform, from: 1, to: 2}]}]
fixed: {stiffness_ratio: 1.21}
"""
LARGE = """model: compliant
choose: {body: pendulum}
axes:
  - {param: angle, from: 1 deg, to: 89 deg, points: %d}
  - {param: friction, from: 0.01, to: 1.5, points: 1000}
fixed: {stiffness_ratio: 1.21}
outputs: [mode, kinematic_restitution]
"""
SPACE = """model: compliant3d
choose: {body: rod3d}
axes:
  - {param: angle, from: -89 deg, to: 89 deg, points: %d}
  - {param: heading, from: -180 deg, to: 180 deg, points: 100}
fixed: {friction: 0.5, velocity_ratio: 0.5, restitution: 0.6, stiffness_ratio: 1.21}
outputs: [mode, kinematic_restitution]
"""
CRITICAL = """model: compliant
choose: {body: pendulum}
axes:
  - {param: stiffness_ratio, from: 0.001, to: 10, points: %d, spacing: log}
  - {param: friction, from: 0.05, to: 1.5, points: 100}
search: {over: {param: angle, from: 0.01 deg, to: 89.99 deg, samples: 128}, find: boundary, of: mode, in: [wedge]}
outputs: [root]
"""
BEAM = """model: beam
axes: [{param: position, from: 0.2, to: 1, points: %d}]
outputs: [mode, kinematic_restitution]
"""
# One column of four is dear, where multiples of the golden ratio of all cells meet another one alone; and the first
# cell of two, beside which the second is timed.
DEAR_COLUMN = """model: 'null'
axes: [{param: x, from: 0, to: 1, points: 233}, {param: cost, values: [0.1, 5e-3, 6e-3, 7e-3]}]
"""
DEAR_NEIGHBOUR = """model: 'null'
axes: [{param: cost, values: [1.2, 5e-3]}]
"""
ESTIMATED = {  # configs, and the sides of a small and of a large map
    "linear": (LARGE, (2, 2502)),
    "hertz": (LARGE.replace("{body: pendulum}", "{body: pendulum, law: hertz}"), (2, 202)),
    "compliant3d": (SPACE, (2, 302)),
    "critical angle": (CRITICAL, (2, 202)),
}


class Check(Case):
    def lines(self, text, *words):
        """{words before the first run of blanks: the rest} of each line that check prints about a config."""
        printed = self.good("check", self.write("x.yaml", text), *words)
        return dict(re.split(" {2,}", line.strip(), maxsplit=1) if "  " in line.strip() else
                    re.split(" ", line.strip(), maxsplit=2)[1:] for line in printed.splitlines())

    def test_units_are_never_left_out(self):
        said = self.lines(MATRIX)
        assert said["b11"] == "2.5 1/kg"
        assert said["axis b22"] == "8 values: between 2.5 1/kg and 9 1/kg"
        assert said["stiffness_ratio"] == "1.21"
        said = self.lines(PENDULUM.replace("from: 1 deg, to: 89 deg", "from: 1, to: 1.5"))
        assert said["axis angle"] == "89 values: 1 rad (57.29578 deg) to 1.5 rad (85.94367 deg), linear"

    def test_distributions_of_a_sample_are_printed(self):
        config = SEARCH.replace("{table: cases.csv, name: case}, ", "").replace(
            "to: 2}]", "to: 2},\n  {param: friction, distribution: normal, mean: 0.5, sd: 0.01}]")
        printed = self.good("check", self.write("x.yaml", config))
        assert "mass          uniform, 1 kg to 2 kg\n" in printed
        assert "friction      normal, mean 0.5, standard deviation 0.01\n" in printed
        self.good("run", "x.yaml", "-o", "x.h5", "--progress", "none")
        said = self.good("info", "x.h5")
        assert re.search(r"(?m)^column +mass +8 values, uniform, 1 kg to 2 kg$", said)
        assert re.search(r"(?m)^search +boundary of mode in wedge over angle", said)

    def test_check_figure_prints_the_figure_and_a_resume_ignores_it(self):
        config = PENDULUM + "figure: {as: map, x: friction}\n"
        assert self.good("check", self.write("x.yaml", config), "--figure") == "as=map\nx=friction\n"
        self.good("run", "x.yaml", "-o", "x.h5", "--progress", "none")
        self.write("x.yaml", config.replace("x: friction", "x: angle"))
        assert self.good("run", "x.yaml", "-o", "x.h5", "--resume") == "x.h5 is complete\n"

    def test_set_replaces_an_axis_and_the_map_records_it(self):
        self.write("x.yaml", PENDULUM)
        words = ("--set", "angle=10deg:20deg:3", "--set", "friction=0.3")
        self.good("run", "x.yaml", "-o", "x.h5", "--progress", "none", *words)
        said = self.info("x.h5")
        assert said["overrides"] == "angle=10deg:20deg:3\nfriction=0.3"
        assert [(axis["name"], axis["size"], axis["spacing"]) for axis in said["axes"]] == [("angle", 3, "linear")]
        assert said["fixed"]["friction"] == 0.3
        self.bad("run", "x.yaml", "-o", "x.h5", "--resume", says="is of another configuration")
        self.good("run", "x.yaml", "-o", "x.h5", "--resume", *words)

    def test_info_keeps_units_that_begin_with_a_digit(self):
        self.run_config(MATRIX.replace("300", "2").replace("881", "2"), "x.h5", "--progress", "none")
        assert re.search(r"(?m)^fixed +b11 +2\.5 1/kg$", self.good("info", "x.h5"))

    def test_spacing_direction_options_and_values(self):
        said = self.lines(MATRIX)
        assert said["axis friction"] == "300 values: 1.5 to 0.01, log, falling: 'from' is above 'to'"
        assert said["axis velocity_ratio"] == "881 values: 1 to 1.5, linear"
        assert said["axis law"] == "2 values: linear, hertz"

    def test_searches_tables_and_samples(self):
        self.write("cases.csv", "friction\n0.5\n0.4\n0.6\n")
        said = self.lines(SEARCH)
        assert said["search"] == "boundary of mode in wedge over angle 0.5 to 57.2958 deg"
        assert said["over angle"] == "0.008726646 rad (0.5 deg) to 1 rad (57.29578 deg), 12 samples, linear"
        assert said["axis case"] == "3 rows of a table"
        assert said["column friction"] == "0.5, 0.4, 0.6"
        assert said["axis sample"] == "8 points of a sobol sample, seed 3"
        assert said["column mass"] == "uniform, 1 kg to 2 kg"

    def test_ranks_share_the_time(self):
        slow = PENDULUM.replace("{body: pendulum}", "{body: pendulum, law: hertz}") + "outputs: [mode]\n"
        lines = self.lines(slow, "--ranks", "4")
        found = re.search(r"^(\S+) us per cell, (\S+) s on 1 rank, (\S+) s on 4$", lines["time"])
        cell, one, many = map(float, found.groups())
        assert one / many == pytest.approx(4, abs=0.05)
        cells = int(lines["cells"].replace(",", ""))
        share = one / (1e-6 * cell * cells)  # with the time to write them
        assert 0.99 < share < 1.5, share  # of three digits

    def test_rank_0_limits_cheap_cells_on_many_ranks(self):
        says = " on 1 rank, .+ on 1000, because rank 0 is the limit$"
        assert re.search(says, self.lines(PENDULUM, "--ranks", "1000")["time"])
        assert not re.search(says, self.lines(PENDULUM + "write: parallel\n", "--ranks", "1000")["time"])
        self.bad("check", "x.yaml", "--ranks", "0", says="--ranks 0: is not a whole number above 0")

    def test_dear_cells_are_met_on_every_axis(self):
        """Cells of null spend at least their cost, so that no other work makes the estimate too small."""
        said = self.lines(DEAR_COLUMN)["time"]
        assert float(said.split()[0]) > 0.5 * 0.118 / 4 * 1e6
        said = self.lines(DEAR_NEIGHBOUR)["time"]
        assert float(said.split()[0]) > 0.5 * 1.2 / 2 * 1e6

    def user_seconds(self, *words):
        with subprocess.Popen(command(words), cwd=self.work, env=environment(self.folder),
                              stdout=subprocess.PIPE, text=True) as process:
            text = process.stdout.read()
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
        assert process.returncode == 0
        return usage.ru_utime, text

    def ratio_of_the_estimate(self, config, sides):
        """Over what a run needs, in processor time without the start of a run; sides: of a small and a large map."""
        spent = []
        for side in sides:
            self.write("x.yaml", config % side)
            spent.append(self.user_seconds("run", "x.yaml", "--force", "-o", "x.h5", "--progress", "none")[0])
        cells = [int(re.search(r"(?m)^cells +(\S+)$", self.good("check", self.write("x.yaml", config % side)))[1]
                     .replace(",", "")) for side in sides]
        said = re.search(r"time +(\S+) us per cell", self.good("check", "x.yaml"))
        return float(said[1]) / ((spent[1] - spent[0]) / (cells[1] - cells[0]) * 1e6)

    def check_estimates(self, config, sides):
        """Once in a few times: a processor that other work shares is now faster, now slower."""
        ratios = []
        while len(ratios) < 8 and not any(1 / 1.5 < ratio < 1.5 for ratio in ratios):
            ratios.append(self.ratio_of_the_estimate(config, sides))
        assert 1 / 1.5 < ratios[-1] < 1.5, f"estimate over need: {ratios}"

    def test_the_estimate_is_what_a_run_needs(self):
        for name, (config, sides) in ESTIMATED.items():
            self.check_estimates(config, sides)

    @needs_beam
    def test_the_estimate_of_a_beam_is_what_a_run_needs(self):
        self.check_estimates(BEAM, (2, 200))

    @needs_beam
    def test_the_time_of_a_beam_is_estimated_too(self):
        spent, text = self.user_seconds("check",
                                        os.path.join(ROOT, "configs", "beam-restitution.yaml"))
        said = float(re.search(r"(?m)^time +(\S+) us per cell", text)[1])
        assert said > 500, "a beam takes milliseconds"
        assert said < 100000
        assert spent < 3


class Refined(Case):
    """The size of the file of a refined map, of which points and tables are the most."""
    SEVERAL = """model: rigid
choose: {body: rod}
refine: {depth: 7, boundary: 1e-3}
axes:
  - {param: law, values: [newton, energetic]}
  - {param: friction, values: [0.9, 0.6, 0.8]}
  - {param: angle, from: 5 deg, to: 85 deg}
  - {param: velocity_ratio, from: -4, to: -0.02}
fixed: {restitution: 0.5}
outputs: [mode]
"""
    MANY_OUTPUTS = """model: compliant
choose: {body: rod, law: linear}
refine: {depth: 7}
axes:
  - {param: angle, from: 70 deg, to: -70 deg}
  - {param: friction, from: 0.02, to: 2, spacing: log}
fixed: {stiffness_ratio: 1.3, velocity_ratio: 1}
"""
    DEEP = """model: rigid
choose: {body: pendulum, law: energetic}
refine: {depth: 12, boundary: 1e-5}
axes:
  - {param: angle, from: 80 deg, to: 2 deg}
  - {param: friction, from: 0.01, to: 3, spacing: log}
fixed: {restitution: 0.7}
outputs: [mode]
"""

    def check_size(self, config, factor=2):
        said = re.search(r"(?m)^file +about (\S+) MB, (\d+) bytes of it for each point$", self.good("check", config))
        self.good("run", config, "-o", "x.h5", "--progress", "none")
        with h5py.File(self.path("x.h5")) as file:
            points = [one for one in file["points"].values() if one.attrs.get("impactsweep_role") == b"point"]
            assert int(said[2]) == sum(one.nbytes // len(one) for one in points)
        assert 1 / factor < 1e6 * float(said[1]) / os.path.getsize(self.path("x.h5")) < factor

    @pytest.mark.parametrize("text", [SEVERAL, MANY_OUTPUTS, DEEP], ids=["several", "many outputs", "deep"])
    def test_size_of_a_file(self, text):
        self.check_size(self.write("x.yaml", text))

    @pytest.mark.parametrize("name", ["pendulum-refined", "bounce-clatter", "pendulum-hertz-refined"])
    def test_size_of_a_shipped_config(self, name):
        self.check_size(os.path.join(ROOT, "configs", name + ".yaml"))


class Reading(Case):
    def test_a_pipe_without_writer_is_an_error(self):
        os.mkfifo(self.path("cases.csv"))
        self.write("x.yaml", SEARCH)
        self.bad("check", "x.yaml", says="cannot read the table 'cases.csv': the pipe is empty",
                 timeout=20)
        self.bad("check", "cases.csv", says="cannot read the config: the pipe is empty", timeout=20)

    def test_a_config_from_a_pipe_is_read(self):
        for delay in (0, 0.5):
            text = subprocess.run(
                ["bash", "-c", f"{command(())[0]} check <(sleep {delay}; cat)"], text=True,
                input=PENDULUM, capture_output=True, timeout=30, env=environment(self.folder))
            assert text.returncode == 0, text.stderr

    def test_samples_are_bounded(self):
        self.write("cases.csv", "friction\n0.5\n")
        self.write("x.yaml", SEARCH.replace("points: 8", "points: 100000000"))
        self.bad("check", "x.yaml", says="points is 100000000, this axis has at most 2^24")
