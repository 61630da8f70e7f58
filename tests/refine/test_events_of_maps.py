"""Events along the outer axis of a refined map against uniform maps at its values; resumes and ranks."""
import csv
import io
import os
import signal

import h5py
import pytest
from events import brackets_of, changes_of, counted, refined, sharpened, uniform, uniform_at
from support import OK, STOPPED, Case

# The contact of a beam with few modes: their number follows a variable, and is whole.
BEAM = """model: beam
variables: {n: "1"}
choose: {solver: collocation}
refine: {base: 16, depth: 5, audit: 0, on: [sub_impacts], tolerance: 1e-3}
axes:
  - {param: n, values: [2, 5]}
  - {param: position, from: 0.3, to: 1}
  - {param: angular_velocity, from: -12, to: -0.5}
fixed: {mode_count: {equals: 2 * n}}
outputs: [sub_impacts]
"""


class Events(Case):
    def test_events_are_those_of_uniform_maps(self):
        self.write("refined.yaml", refined(7, 8))
        self.write("uniform.yaml", uniform(7, 8))
        for name in ("refined", "uniform"):
            self.good("run", f"{name}.yaml", "-o", f"{name}.h5", "--progress", "none")
        changes, table = changes_of(self.path("refined.h5"))
        assert changes == counted(self.path("uniform.h5")) and len(changes) > 5
        rows = list(csv.DictReader(io.StringIO(self.good("export", "refined.h5", "--events"))))
        told = self.info("refined.h5")["events"]
        assert [row["kind"] for row in rows] == [event["kind"] for event in told]
        assert [int(row["refinement"]) for row in rows] == list(table["refinement"])
        assert [event["share"] for event in told] == list(table["share"])

    def test_the_same_bytes_with_three_ranks_and_one_value_after_another(self):
        self.write("x.yaml", refined(6, 4))
        for name, ranks in (("one.h5", 0), ("three.h5", 3)):
            self.good("run", "x.yaml", "-o", name, "--progress", "none", ranks=ranks)
        assert self.digest("one.h5") == self.digest("three.h5")

    def test_brackets_of_events_are_as_narrow_as_asked_for(self):
        """Between the ends of every bracket uniform maps change as the events say; together they are the events between the
        values of the axis."""
        tolerance, depth = 1e-5, 6
        self.write("coarse.yaml", refined(depth, 5))
        self.write("sharp.yaml", sharpened(depth, 5, tolerance))
        for name in ("coarse", "sharp"):
            self.good("run", f"{name}.yaml", "-o", f"{name}.h5", "--progress", "none")
        found = brackets_of(self.path("sharp.h5"))
        assert len(found) > 10 and all(0 < last - first <= tolerance * 0.22 for first, last in found)
        with h5py.File(self.path("coarse.h5")) as file:
            values = file["stiffness_ratio"][()]
        sums = {}
        for (first, last), changes in found.items():
            step = next(k for k in range(1, len(values)) if values[k - 1] <= first < last <= values[k])
            for code, change in changes.items():
                sums[step, code] = sums.get((step, code), 0) + change
        assert {key: change for key, change in sums.items() if change} == changes_of(self.path("coarse.h5"))[0]
        ends = sorted(found)[::3]
        self.write("ends.yaml", uniform_at(depth, [value for bracket in ends for value in bracket]))
        self.good("run", "ends.yaml", "-o", "ends.h5", "--progress", "none")
        changes = counted(self.path("ends.h5"))
        for k, bracket in enumerate(ends):
            expected = {code: change for code, change in found[bracket].items() if change}
            assert {code: change for (step, code), change in changes.items() if step == 2 * k + 1} == expected, bracket

    def test_brackets_are_the_same_bytes_for_ranks_a_resume_and_a_stop(self):
        self.write("x.yaml", sharpened(6, 4, 1e-4))
        self.write("coarse.yaml", refined(6, 4))
        self.good("run", "x.yaml", "-o", "one.h5", "--progress", "none")
        self.good("run", "x.yaml", "-o", "three.h5", "--progress", "none", ranks=3)
        self.good("run", "coarse.yaml", "-o", "more.h5", "--progress", "none")
        self.good("run", "x.yaml", "-o", "more.h5", "--progress", "none", "--resume")
        self.bad("run", "coarse.yaml", "-o", "more.h5", "--progress", "none", "--resume", says=["tolerance: the file has 0.0001"])
        process = self.start("run", "x.yaml", "-o", "stopped.h5", "--progress", "none")
        self.wait_for(lambda: process.poll() is not None or os.path.exists(self.path("stopped.h5")), "a map")
        process.send_signal(signal.SIGTERM)
        assert process.wait() in (OK, STOPPED)
        self.good("run", "x.yaml", "-o", "stopped.h5", "--progress", "none", "--resume")
        assert len({self.digest(f"{name}.h5") for name in ("one", "three", "more", "stopped")}) == 1

    def events_of(self, config, name):
        """The columns of the table of events, but for the name of the outer axis."""
        self.run_config(config, f"{name}.h5", "--progress", "none")
        with h5py.File(self.path(f"{name}.h5")) as file:
            return [column[()].tolist() for _, column in sorted(file["events"].items())]

    @pytest.mark.parametrize("tolerance", [None, 1e-2])
    def test_an_axis_stays_one_of_numbers_whatever_follows_it(self, tolerance):
        config = sharpened(6, 4, tolerance) if tolerance else refined(6, 4)
        expected = self.events_of(config, "plain")
        assert len(expected[0]) > 5
        followed = config.replace("friction: 0.5", "friction: {equals: 0.5 + 0 * stiffness_ratio}")
        assert self.events_of(followed, "followed") == expected
        variable = config.replace("param: stiffness_ratio", "param: ratio").replace("choose:", 'variables: {ratio: "1"}\nchoose:')
        variable = variable.replace("friction: 0.5", "friction: 0.5, stiffness_ratio: {equals: ratio}")
        found = self.events_of(variable, "variable")
        assert sorted(map(str, found)) == sorted(map(str, expected))  # names have another order

    def test_the_tolerance_of_a_list_is_a_part_of_its_range(self):
        """Whatever the order: the first value and the last one may be as close as any. Halves of 0.22 and of 0.08."""
        tolerance, depth = 1e-2, 5
        config = sharpened(depth, 2, tolerance).replace("from: 0.12, to: 0.34, points: 2", "values: [0.2, 0.12, 0.34, 0.201]")
        self.run_config(config, "x.h5", "--progress", "none")
        with h5py.File(self.path("x.h5")) as file:
            widths = abs(file["events/event_stiffness_ratio_last"][()] - file["events/event_stiffness_ratio_first"][()])
        assert len(widths) > 5 and widths.max() <= tolerance * 0.22 < 2 * widths.min()

    def test_what_follows_has_its_values_between_those_of_the_axis(self):
        """The ends of brackets, in a uniform map over rows that have the values of two formulas, of which one reads the other."""
        depth, tolerance = 6, 1e-3
        config = sharpened(depth, 4, tolerance).replace(
            "friction: 0.5", "friction: {equals: 0.2 + initial_spin}, initial_spin: {equals: 0.1 + stiffness_ratio * stiffness_ratio}")
        self.write("sharp.yaml", config)
        self.good("run", "sharp.yaml", "-o", "sharp.h5", "--progress", "none")
        found = brackets_of(self.path("sharp.h5"))
        assert len(found) > 3 and all(0 < last - first <= tolerance * 0.22 for first, last in found)
        ends = [value for bracket in sorted(found) for value in bracket]
        rows = "".join(f"{k!r},{0.1 + k * k!r},{0.2 + (0.1 + k * k)!r}\n" for k in ends)
        self.write("rows.csv", "stiffness_ratio,initial_spin,friction\n" + rows)
        lines = [line for line in uniform_at(depth, [0.2]).splitlines() if "fixed:" not in line]
        at = next(k for k, line in enumerate(lines) if "param: stiffness_ratio" in line)
        self.write("ends.yaml", "\n".join([*lines[:at], "  - {table: rows.csv, name: row}", *lines[at + 1:], ""]))
        self.good("run", "ends.yaml", "-o", "ends.h5", "--progress", "none")
        changes = counted(self.path("ends.h5"))
        for k, bracket in enumerate(sorted(found)):
            expected = {code: change for code, change in found[bracket].items() if change}
            assert {code: change for (step, code), change in changes.items() if step == 2 * k + 1} == expected, bracket

    def test_whole_numbers_that_follow_have_no_values_between(self):
        self.run_config(BEAM, "x.h5", "--progress", "none")
        with h5py.File(self.path("x.h5")) as file:
            first, last = file["events/event_n_first"][()], file["events/event_n_last"][()]
        assert len(first) > 0 and set(last - first) <= {0.75, 1.5, 3}
        assert all((2 * first % 1 == 0) & (2 * last % 1 == 0)) and min(last - first) == 1.5
