"""`info`: of a map that is being written counts of one snapshot, and the writing process; counts that agree with their
nouns."""
import re
import time

from support import Case, null_config


class WhileWriting(Case):
    def test_counts_are_of_one_snapshot_and_the_writer_is_named(self):
        self.write("x.yaml", null_config(200000, "2e-5"))
        process = self.start("run", "x.yaml", "-o", "x.h5", "--progress", "none")
        self.wait_for_file("x.h5")
        seen = 0
        while process.poll() is None:
            said = self.info("x.h5")
            counted = sum(said["outcomes"].values()) - said["outcomes"].get("pending", 0)
            assert counted == said["done"]
            assert sum(said.get("modes", {}).values()) <= said["done"]
            if process.poll() is None and not said["complete"]:
                text = self.good("info", "x.h5")
                if process.poll() is None and "complete" not in text:
                    assert re.search(rf"(?m)^state +is being written by process {process.pid} ", text)
                    seen += 1
            time.sleep(0.2)
        assert seen > 0
        assert "being written" not in self.good("info", "x.h5")


REFINED = """model: compliant
choose: {body: pendulum}
refine: {base: 4, depth: 6, boundary: 1.0e-3, audit: 50}
axes:
  - {param: angle, from: 1 deg, to: 89 deg}
  - {param: friction, from: 0.01, to: 1.5}
fixed: {stiffness_ratio: 1.21}
outputs: [mode]
"""


class Counts(Case):
    def test_one_is_not_several(self):
        said = self.run_config("model: 'null'\naxes: [{param: x, values: [0.5]}]\nfixed: {y: 0.5}\n", "x.h5", "--progress", "none")
        assert re.search(r"(?m)^1 cell computed in .* 1 of 1 rank, 1 chunk;", said)
        text = self.good("info", "x.h5")
        assert re.search(r"(?m)^done +1 of 1 cell, 100\.00 %, complete$", text)
        assert re.search(r"(?m)^session .*, 1 rank, ", text)
        assert re.search(r"^1 of 1 cell satisfies the condition", self.good("query", "x.h5", "outcome == solved"))

    def test_boundaries_and_vertices_are_counted_apart(self):
        self.run_config(REFINED, "x.h5", "--progress", "none")
        found = self.info("x.h5")["refinements"][0]
        assert re.search(rf"(?m)^boundaries +\d+ boundar(y|ies), {found['vertices']} vertices "
                         r"in all, length \S+ where", self.good("info", "x.h5"))
