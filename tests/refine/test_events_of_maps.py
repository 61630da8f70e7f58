"""Events along the outer axis of a refined map against uniform maps at its values; resumes and ranks."""
import csv
import io

from events import changes_of, counted, refined, uniform
from support import Case


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
