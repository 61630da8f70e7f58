"""A map computed in parts, by `run --part i/n`, and put together by `join`."""
import os
import random
import re
import signal

import h5py
from robust import Case, is_marked_complete, null_sweep, opens_with_every_reader
from support import BAD_INPUT, BODY_TABLE, FAILURE, STOPPED, digest_of_bytes

ONE_AXIS = """model: compliant
choose: {body: rod}
axes: [{param: velocity_ratio, from: -5, to: 5, points: 700}]
fixed: {angle: 40 deg, friction: 0.6, stiffness_ratio: 1.21}
"""
THREE_AXES = """model: compliant
choose: {body: pendulum}
axes:
  - {param: stiffness_ratio, from: 0.01, to: 1.5, points: 7, spacing: log}
  - {param: angle, from: 1 deg, to: 89 deg, points: 23}
  - {param: friction, from: 0.01, to: 1.5, points: 31}
precision: float32
"""
CHOICE_AXIS = """model: compliant
axes:
  - {param: body, values: [rod, sphere, general, pendulum]}
  - {param: angle, from: -60 deg, to: 60 deg, points: 17}
  - {param: friction, from: 0.01, to: 1.5, points: 29}
fixed: {stiffness_ratio: 0.7, velocity_ratio: 0.4, inertia_coupling: 0.6, radius: 1}
outputs: [mode, energy_loss, residual]
"""
TABLE_AXIS = """model: compliant
axes:
  - {table: cases.csv, name: case}
  - {param: friction, from: 0.01, to: 1.5, points: 40}
fixed: {stiffness_ratio: 0.5}
"""
TABLE_INSIDE = """model: compliant
axes:
  - {param: friction, from: 0.01, to: 1.5, points: 40}
  - {table: cases.csv, name: case}
fixed: {stiffness_ratio: 0.5}
"""
CONFIGS = {"one axis": (ONE_AXIS, 6), "three axes": (THREE_AXES, 3), "a choice": (CHOICE_AXIS, 4),
           "a table": (TABLE_AXIS, 5), "a table inside": (TABLE_INSIDE, 2)}


class Parts(Case):
    rng = random.Random(6)

    given = {"cases.csv": BODY_TABLE}

    def make(self, config, parts, *options, name="part", ranks=0):
        """(digest of the whole map, files of all parts)."""
        self.run_config(config, "whole.h5", "--force", *options)
        files = [f"{name}{i}.h5" for i in range(1, parts + 1)]
        for i, file in enumerate(files):
            self.good("run", "x.yaml", "-o", file, "--force", "--part", f"{i + 1}/{parts}",
                      *options, ranks=ranks)
        return self.digest("whole.h5"), files

    def refuse(self, *words, says=(), codes=(FAILURE, BAD_INPUT)):
        """join refuses its input and writes nothing."""
        before = {name: digest_of_bytes(self.path(name)) for name in self.files()}
        result = self.sweep("join", *words)
        assert result.returncode in codes, result.stderr
        for phrase in [says] if isinstance(says, str) else says:
            assert phrase in result.stderr
        assert {name: digest_of_bytes(self.path(name)) for name in self.files()} == before


class Joined(Parts):
    def test_parts_in_any_order_join_to_the_whole_map(self):
        for kind, (config, parts) in CONFIGS.items():
            wanted, files = self.make(config, parts)
            self.rng.shuffle(files)
            assert self.good("join", "map.h5", *files) == "map.h5 is complete\n"
            assert self.digest("map.h5") == wanted
            assert is_marked_complete(self.path("map.h5"))
            opens_with_every_reader(self.path("map.h5"))
            self.good("run", "x.yaml", "-o", "map.h5", "--resume")
            os.remove(self.path("map.h5"))

    def test_the_joined_map_needs_neither_config_nor_table(self):
        wanted, files = self.make(TABLE_AXIS, 2)
        os.remove(self.path("x.yaml"))
        os.remove(self.path("cases.csv"))
        self.good("join", "map.h5", *files)
        assert self.digest("map.h5") == wanted

    def test_settings_are_kept(self):
        wanted, files = self.make(THREE_AXES, 3, "--set", "precision=float64", ranks=2)
        self.good("join", "map.h5", *files)
        assert self.digest("map.h5") == wanted

    def test_compressed_parts(self):
        wanted, files = self.make(THREE_AXES, 2, "--compress")
        self.good("join", "map.h5", *files)
        assert self.digest("map.h5") == wanted

    def test_all_parts_by_many_ranks_that_write_themselves(self):
        wanted, files = self.make(THREE_AXES + "write: parallel\n", 3, ranks=3)
        self.good("join", "map.h5", *files)
        assert self.digest("map.h5") == wanted


class Unfinished(Parts):
    def check_rest(self, wanted, *files):
        self.good("join", "map.h5", *files, code=STOPPED)
        assert not self.info("map.h5")["complete"]
        assert not is_marked_complete(self.path("map.h5"))
        self.good("run", "x.yaml", "-o", "map.h5", "--resume", ranks=2)
        assert self.digest("map.h5") == wanted
        assert is_marked_complete(self.path("map.h5"))

    def test_a_missing_part_is_completed_by_resume(self):
        wanted, files = self.make(THREE_AXES, 3)
        self.check_rest(wanted, files[2], files[0])

    def test_an_incomplete_part_is_completed_by_resume(self):
        wanted, files = self.make(THREE_AXES, 2)
        self.good("run", "x.yaml", "-o", files[1], "--force", "--part", "2/2", "--time-limit",
                  "1e-9", code=STOPPED)
        self.check_rest(wanted, *files)

    def test_a_stopped_part_is_resumed_as_a_part(self):
        self.run_config(null_sweep(300, 100, 6e-5), "whole.h5")
        process = self.start("run", "x.yaml", "-o", "part1.h5", "--part", "1/2")
        self.wait_for_file("part1.h5")
        process.send_signal(signal.SIGUSR1)
        assert process.wait(timeout=60) == STOPPED
        self.good("run", "x.yaml", "-o", "part1.h5", "--part", "1/2", "--resume", ranks=2)
        self.good("run", "x.yaml", "-o", "part2.h5", "--part", "2/2", "--resume")
        self.good("join", "map.h5", "part1.h5", "part2.h5")
        assert self.digest("map.h5") == self.digest("whole.h5")


class Refused(Parts):
    def test_parts_that_do_not_belong_together(self):
        _, files = self.make(THREE_AXES, 2)
        others = self.make(THREE_AXES, 3, name="third")[1]
        foreign = self.make(THREE_AXES.replace("89 deg", "88 deg"), 2, name="foreign")[1]
        null = self.make(null_sweep(10, 10), 2, name="null")[1]
        self.refuse("map.h5", files[0], files[0], says=(files[0], "part 1 of 2", "given twice"))
        self.refuse("map.h5", files[0], others[1], says=(others[1], "another number of parts"))
        self.refuse("map.h5", files[0], foreign[1], says=foreign[1])
        self.refuse("other.h5", files[0], null[1], says=null[1])
        self.refuse("more.h5", files[0], "whole.h5", says="whole.h5: is not a part")
        self.refuse("more.h5", files[0], "x.yaml", says="x.yaml")
        self.refuse("more.h5", files[0], "none.h5", says="none.h5")
        self.refuse("map.h5", codes=(BAD_INPUT,))

    def test_a_damaged_part(self):
        _, files = self.make(THREE_AXES, 2)
        with h5py.File(self.path(files[1]), "r+") as file:
            del file["energy_loss"]
        self.refuse("map.h5", *files, says=files[1])
        os.truncate(self.path(files[0]), 3000)
        self.refuse("map.h5", *files, says=files[0])

    def test_a_part_of_results_of_another_version(self):
        _, files = self.make(THREE_AXES, 2)
        with h5py.File(self.path(files[1]), "r+") as file:
            text = file.attrs["fingerprint"]
            text = text if isinstance(text, bytes) else text.encode()
            changed = text.replace(b"results version\t", b"results version\t9")
            file.attrs.create("fingerprint", changed, dtype=f"S{len(changed)}")
        self.refuse("map.h5", *files, says="results version")

    def test_an_existing_output(self):
        wanted, files = self.make(THREE_AXES, 2)
        self.write("map.h5", "precious")
        self.refuse("map.h5", *files, says="map.h5: exists")
        self.good("join", "map.h5", *files, "--force")
        assert self.digest("map.h5") == wanted
        self.refuse(files[0], *files, says=files[0])

    def test_an_output_that_is_one_of_the_parts(self):
        _, files = self.make(THREE_AXES, 2)
        before = [self.digest(name) for name in files]
        result = self.sweep("join", files[0], *files, "--force")
        assert result.returncode != 0
        assert [self.digest(name) for name in files] == before

    def test_impossible_parts(self):
        self.write("x.yaml", CHOICE_AXIS)
        for part in ("0/2", "3/2", "0/0", "1/0", "-1/2", "1", "1/2/3", "a/b", "1/2x", "",
                     "1/99999999999999999999"):
            self.bad("run", "x.yaml", "-o", "map.h5", "--part", part, says="--part")
        message = self.bad("run", "x.yaml", "-o", "map.h5", "--part", "1/5")
        assert re.search("body|4|values", message)
        self.write("y.yaml", "model: compliant\nchoose: {body: rod}\n" +
                   ONE_AXIS.splitlines()[-1][:-1] + ", velocity_ratio: 1}\n")
        self.bad("run", "y.yaml", "-o", "map.h5", "--part", "1/2")
        assert self.files() == ["cases.csv", "x.yaml", "y.yaml"]
