"""Searches and refinements of bounce: boundaries with a closed form, and the tilt above which the first impact is the
hardest. Maps of drops with thousands of impacts, killed and resumed, and on several ranks."""
import csv
import math

import h5py
from support import Case

FLAT = """fixed: {corner_distance_1: 1, corner_angle_1: 0, corner_distance_2: 1, corner_angle_2: 180 deg,
        corner_distance_3: 0, corner_angle_3: 0, tilt: 1e-11, drop: 0, velocity_n: -1, gravity: 0, friction: 0}
"""
ENDLESS = """model: bounce
choose: {body: points}
axes:
  - {param: gyration_radius, values: [0.1, 0.3, 0.5773502691896258, 0.9]}
search:
  over: {param: restitution, from: 0, to: 1, samples: 32}
  find: boundary
  of: mode
  in: [rest]
  tolerance: limit
  max_roots: 2
""" + FLAT
CLATTER = """model: bounce
choose: {body: points}
refine: {base: 16, boundary: 1e-6}
axes:
  - {param: gyration_radius, from: 0.1, to: 1.3}
  - {param: restitution, from: 0, to: 1}
""" + FLAT
HARDEST = """model: bounce
choose: {body: rod}
axes:
  - {param: friction, values: [0, 0.3]}
search:
  over: {param: tilt, from: 1 deg, to: 89 deg, samples: 24}
  find: boundary
  of: largest_index
  in: [1]
  tolerance: 1e-9
  max_roots: 2
fixed: {gravity: 1, drop: 20, restitution: 0.4, length: 1, spin: 0}
"""
# Up to 5,000 impacts a drop.
LONG = """model: bounce
choose: {body: rod, law: compliant}
axes:
  - {param: restitution, from: 0.1, to: 0.8, points: 8}
  - {param: tilt, from: 5 deg, to: 85 deg, points: 17}
fixed: {drop: 1, friction: 0.3, stiffness_ratio: 1.21, spin: 0.5}
outputs: [mode, impacts, rest_time, rest_x, uncertainty]
"""


def least(k):
    """The restitution up to which a flat body of half length 1 and gyration radius k clatters for ever."""
    c = (k * k - 1) / (k * k + 1)
    return ((1 - math.sqrt(1 - c * c)) / abs(c)) ** 2 if c < 0 else 0


class Bounce(Case):
    def table(self, text, *words):
        self.write("c.yaml", text)
        self.good("run", "c.yaml", "-o", "m.h5", "--force")
        text = self.good("export", "m.h5", *words)
        return list(csv.DictReader(line for line in text.splitlines() if not line.startswith("#")))

    def test_a_search_finds_where_clatter_has_no_end(self):
        rows = self.table(ENDLESS)
        assert len(rows) == 4
        for row in rows:
            assert row["root_count"] == "1" and row["root_flag"] == "complete"
            assert abs(float(row["root_1"]) - least(float(row["gyration_radius"]))) < 1e-10
        assert abs(float(rows[2]["root_1"]) - (7 - 4 * math.sqrt(3))) < 1e-10

    def test_a_refinement_follows_it(self):
        rows = self.table(CLATTER, "--boundary")
        places = [(float(row["gyration_radius"]), float(row["restitution"])) for row in rows]
        assert len(places) > 20
        assert all(abs(e - least(k)) < 3e-6 for k, e in places if k < 0.95)

    def test_a_search_finds_above_which_tilt_the_first_impact_is_the_hardest(self):
        rows = self.table(HARDEST)
        for row in rows:
            assert row["root_count"] == "1"
            tilt = float(row["root_1"])
            words = ["bounce", "body=rod", "gravity=1", "drop=20", "restitution=0.4", "length=1",
                     f"friction={row['friction']}"]
            below, above = (self.cell(*words, f"tilt={tilt + step!r}") for step in (-1e-6, 1e-6))
            assert below["largest_index"] == 2 and 1 < below["largest_ratio"] < 1 + 1e-5
            assert above["largest_index"] == 1 and above["largest_ratio"] == 1

    def test_long_drops_can_be_killed_and_resumed(self):
        self.check_resume(LONG)

    def test_long_drops_have_one_digest_on_any_number_of_ranks_and_in_parts(self):
        self.check_digests(LONG, [(1,), (3, "--chunk", "7")], parts=2)

    def test_histories_go_into_both_kinds_of_files(self):
        words = ("trace", "bounce", "body=block", "restitution=0.5", "friction=0.4", "drop=1", "tilt=0.5", "spin=1")
        self.good(*words, "-o", "one.h5")
        self.good(*words, "-o", "one.csv")
        with h5py.File(self.path("one.h5")) as file, open(self.path("one.csv")) as text:
            rows = list(csv.DictReader(line for line in text if not line.startswith("#")))
            for name in ("time", "body_y", "angular_velocity", "gap_4", "normal_impulse"):
                assert file[name][()].tolist() == [float(row[name]) for row in rows], name

    def test_a_body_that_strikes_nothing_has_no_sequence_anywhere(self):
        """A rod that lies on the plane: no word of another output stands in the place of its empty sequence."""
        words = ["bounce", "body=rod", "law=newton", "tilt=0", "restitution=0", "friction=0.1", "drop=1"]
        cell = self.cell(*words)
        assert (cell["mode"], cell["impacts"], cell["sequence"]) == ("ambiguous", 0, "")
        said = self.good("cell", *words)
        assert [line.split() for line in said.splitlines() if line.startswith("sequence")] == [["sequence"]]
        row, = self.table("model: bounce\nchoose: {body: rod, law: newton}\naxes: [{param: drop, values: [1]}]\n"
                          "fixed: {tilt: 0, restitution: 0, friction: 0.1}\noutputs: [mode, sequence]\n")
        assert (row["mode"], row["sequence"]) == ("ambiguous", "")
