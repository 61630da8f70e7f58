"""Events along the outer axis of a refined map against uniform maps at its values; resumes and ranks."""
import csv
import io
import os
import signal

import h5py
from events import brackets_of, changes_of, counted, refined, sharpened, uniform, uniform_at
from support import OK, STOPPED, Case


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
