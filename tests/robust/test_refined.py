"""Refined maps: the same bytes for any ranks and interruptions, deeper runs that reuse points, full disks, locks."""
import errno
import os
import random
import resource
import signal
import subprocess
import time
import unittest.mock

import h5py
import numpy as np
from robust import Case, dust, mounted, partial_files, patience
from support import BAD_INPUT, FAILURE, STOPPED, launcher_codes

CONFIG = """model: compliant
choose: {{body: pendulum, law: {law}}}
refine: {{base: 16, depth: {depth}, boundary: {boundary}, audit: {audit}}}
axes:
  - {{param: angle, from: 0.1 deg, to: 89.9 deg}}
  - {{param: friction, from: 0.005, to: 1.5}}
{outer}fixed: {{stiffness_ratio: 1.21}}
outputs: [mode, kinematic_restitution]
"""
RATIOS = CONFIG.replace("{outer}fixed: {{stiffness_ratio: 1.21}}",
                        "  - {{param: stiffness_ratio, values: [1.21, 0.5]}}")


def refined(depth=8, boundary="2e-3", audit=50, law="linear", outer="", text=CONFIG):
    return text.format(depth=depth, boundary=boundary, audit=audit, law=law, outer=outer)


# Tails of several modes, which are followed below the smallest cells.
TAILS = """model: compliant
choose: {body: general, law: linear}
refine: {base: 64, depth: 9, audit: 0, lines: 4}
axes:
  - {param: angle, from: -1.5, to: 1.5}
  - {param: friction, from: 0.1122, to: 1.953}
fixed: {inertia_coupling: 0.9053322, stiffness_ratio: 2.2939796, restitution: 0.6958176, velocity_ratio: 2.8677477}
outputs: [mode]
"""
DUST = dust(12000, "3e-4")  # some seconds


class Refined(Case):
    def compute(self, name, config, *options, ranks=0):
        return self.run_config(config, name, "--progress", "none", *options, ranks=ranks)

    def outcomes(self, name):
        with h5py.File(self.path(name), "r", locking=False) as file:
            return file["points/point_outcome"][()]


class Same(Refined):
    def test_any_number_of_ranks_and_any_chunks(self):
        self.compute("one.h5", refined())
        for ranks, chunk in ((2, ()), (3, ("--chunk", "7")), (5, ("--chunk", "1000"))):
            self.compute(f"{ranks}.h5", refined(), *chunk, ranks=ranks)
            assert self.digest(f"{ranks}.h5") == self.digest("one.h5")

    def test_the_digest_does_not_depend_on_what_memory_held(self):
        self.compute("x.h5", refined(depth=6))
        found = set()
        for byte in ("1", "200"):  # with which the C library fills what it allocates
            with unittest.mock.patch.dict(os.environ, MALLOC_PERTURB_=byte):
                found.add(self.digest("x.h5"))
        assert len(found) == 1

    def test_write_parallel_is_gathered_and_gives_the_same(self):
        self.compute("one.h5", refined())
        self.compute("two.h5", refined() + "write: parallel\n", ranks=2)
        assert self.digest("two.h5") == self.digest("one.h5")

    def test_several_refinements(self):
        self.compute("one.h5", refined(text=RATIOS))
        self.compute("two.h5", refined(text=RATIOS), ranks=2)
        assert self.digest("two.h5") == self.digest("one.h5")
        assert len(self.info("one.h5")["refinements"]) == 2
        # Each refinement is that of a map of its own.
        self.compute("own.h5", refined())
        with h5py.File(self.path("one.h5")) as both, h5py.File(self.path("own.h5")) as own:
            np.testing.assert_array_equal(both["mode"][:, :, 0], own["mode"][()])
            first = both["points/point_refinement"][()] == 0
            np.testing.assert_array_equal(both["points/point_lattice"][first],
                                          own["points/point_lattice"][()])

    def test_the_grid_is_that_of_a_uniform_map(self):
        self.compute("refined.h5", refined(depth=9))
        uniform = refined(depth=9).replace("deg}", "deg, points: 513}").replace(
            "to: 1.5}", "to: 1.5, points: 513}")
        self.compute("uniform.h5", "\n".join(line for line in uniform.split("\n")
                                             if not line.startswith("refine")))
        with h5py.File(self.path("refined.h5")) as found, \
                h5py.File(self.path("uniform.h5")) as wanted:
            for name in ("angle", "friction", "mode", "outcome"):
                np.testing.assert_array_equal(found[name][()], wanted[name][()])
            assert found["points/point_outcome"].size < wanted["outcome"].size / 15
            index = found["points/point_lattice"][()] / 2**22  # points on the grid have its values
            on_grid = np.all(index == np.floor(index), axis=1)
            place = tuple(index[on_grid].astype(int).T)
            np.testing.assert_array_equal(found["points/point_kinematic_restitution"][on_grid],
                                          wanted["kinematic_restitution"][()][place])


class Strips(Refined):
    def test_strips_have_the_same_bytes_for_any_ranks_after_a_kill_and_deeper(self):
        self.compute("one.h5", TAILS)
        self.compute("three.h5", TAILS, ranks=3)
        assert self.digest("three.h5") == self.digest("one.h5")
        self.write("x.yaml", TAILS)
        run = self.start("run", "x.yaml", "-o", "x.h5", "--resume", "--progress", "none", "--checkpoint", "0")
        time.sleep(0.3)
        run.kill()
        run.wait()
        self.compute("x.h5", TAILS, "--resume")
        assert self.digest("x.h5") == self.digest("one.h5")
        deeper = TAILS.replace("depth: 9", "depth: 10")
        self.compute("x.h5", deeper, "--resume")
        self.compute("deep.h5", deeper)
        assert self.digest("x.h5") == self.digest("deep.h5")

    def test_the_table_of_strips(self):
        self.compute("x.h5", TAILS)
        told = self.info("x.h5")["refinements"][0]
        with h5py.File(self.path("x.h5")) as file:
            labels, table = file.attrs["labels"].split(), file["filaments"]
            assert told["filaments"] == len(table["filament_label"]) > 5
            for end in ("first", "last"):
                for name in ("angle", "friction"):
                    place = table[f"filament_{name}_{end}"][()]
                    assert (place >= file[name][0]).all() and (place <= file[name][-1]).all()
            wide, narrow = table["filament_width_first"][()], table["filament_width_last"][()]
            assert (wide >= narrow).all() and (wide < 2.1 / 512).all() and narrow.min() < 2**-20
            # Each end is where the table says: the middle of the strip has its mode.
            for row in np.argsort(narrow)[-3:]:
                words = [f"{name}={table[f'filament_{name}_first'][row]}" for name in ("angle", "friction")]
                cell = self.good("cell", "compliant", "body=general", "law=linear", "inertia_coupling=0.9053322",
                                 "stiffness_ratio=2.2939796", "restitution=0.6958176", "velocity_ratio=2.8677477", *words)
                assert labels[table["filament_label"][row]] in cell
        rows = self.good("export", "x.h5", "--filaments").splitlines()
        assert rows[0].startswith("label,length,width_first,width_last,angle_first,angle_last,friction_first")
        assert len(rows) == told["filaments"] + 1


class Resumed(Refined):
    def test_a_deeper_resume_reuses_points_and_ends_as_a_single_run(self):
        self.compute("deep.h5", refined(depth=10, boundary="2e-4", audit=80))
        self.compute("x.h5", refined())
        before = self.outcomes("x.h5").size
        done = self.compute("x.h5", refined(depth=10, boundary="2e-4", audit=80), "--resume")
        assert self.digest("x.h5") == self.digest("deep.h5")
        computed = int(done.split(" points computed")[0].split("\n")[-1].replace(",", ""))
        # All points are taken over but those of filaments, which a deeper refinement follows from other places.
        assert computed < self.outcomes("x.h5").size - 0.8 * before

    def test_a_larger_budget_goes_on(self):
        small = refined().replace("audit", "budget: 600, audit")
        large = refined().replace("audit", "budget: 100000, audit")
        self.compute("x.h5", small)
        assert not self.info("x.h5")["refinements"][0]["within_budget"]
        self.compute("x.h5", large, "--resume")
        self.compute("once.h5", large)
        assert self.info("x.h5")["refinements"][0]["within_budget"]
        assert self.digest("x.h5") == self.digest("once.h5")

    def test_a_complete_map_stays_as_it_is(self):
        self.compute("x.h5", refined())
        assert "is complete" in self.compute("x.h5", refined(), "--resume")

    def test_a_resume_with_less_depth_or_other_rules_is_refused(self):
        self.compute("x.h5", refined())
        before = self.digest("x.h5")
        for config, says in (
                (refined(depth=7), "depth: the file has 8, the config 7"),
                (refined(boundary="4e-3"), "boundary: the file has"),
                (refined(audit=10), "audit: the file has 50, the config 10"),
                (refined().replace("base: 16", "base: 32"), "base of the refinement: the file has 16"),
                (refined().replace("audit", "on: [{output: kinematic_restitution, level: 0.5}], audit"),
                 "refined on: the file has mode"),
                (refined().replace("to: 1.5", "to: 1.6"), "friction: the file has refined, linear from")):
            self.write("y.yaml", config)
            self.bad("run", "y.yaml", "-o", "x.h5", "--resume", code=BAD_INPUT, says=says)
        assert self.digest("x.h5") == before

    def test_kills_at_random_moments(self):
        config = refined(law="hertz", depth=10)
        start = time.monotonic()
        self.compute("once.h5", config)
        whole = time.monotonic() - start
        source = random.Random(18)
        kills = 0
        for _ in range(6):
            run = self.start("run", "x.yaml", "-o", "x.h5", "--resume", "--progress", "none",
                             "--checkpoint", source.choice(("0", "0.05")))
            time.sleep(whole * source.uniform(0.1, 0.6))
            kills += run.poll() is None
            run.kill()
            run.wait()
            if os.path.exists(self.path("x.h5")):
                self.good("info", "x.h5")
        self.compute("x.h5", config, "--resume")
        assert kills > 0
        assert self.digest("x.h5") == self.digest("once.h5")
        assert partial_files(self.path("x.h5")) == []


class Disk(Refined):
    def test_full_while_it_grows_and_at_the_end(self):
        """A limit of the size of files stands for a full disk. The file is kept, and goes on without the limit."""
        self.compute("once.h5", refined(depth=10))
        size = os.path.getsize(self.path("once.h5"))
        self.compute("small.h5", refined(depth=5, boundary="4e-2"))
        self.compute("x.h5", refined(depth=5, boundary="4e-2"))
        self.write("x.yaml", refined(depth=10))
        for part in (0.4, 0.9):
            before = self.outcomes("x.h5")
            limit = int(part * size)
            result = self.sweep("run", "x.yaml", "-o", "x.h5", "--resume", "--progress", "none",
                                preexec_fn=lambda: resource.setrlimit(
                                    resource.RLIMIT_FSIZE, (limit, limit)))
            assert result.returncode == FAILURE, result.stderr
            assert "x.h5: could not" in result.stderr
            assert np.count_nonzero(self.outcomes("x.h5")) >= np.count_nonzero(before)
            assert partial_files(self.path("x.h5")) == []
        self.compute("x.h5", refined(depth=10), "--resume")
        assert self.digest("x.h5") == self.digest("once.h5")

    def test_a_file_system_that_is_full(self):
        """The disk fills while the file grows; with more room the run goes on, and ends as if nothing had been."""
        config = refined(depth=10, boundary="2e-4")
        self.compute("once.h5", config)
        place = mounted(self, "-t", "tmpfs", "-o", "size=400k", "tmpfs")
        for ranks, size in ((0, 400), (2, 900)):
            subprocess.run(["mount", "-o", f"remount,size={size}k", place], check=True)
            result = self.sweep("run", "x.yaml", "-o", "disk/x.h5", "--resume", "--progress", "none",
                                ranks=ranks)
            assert result.returncode == FAILURE, result.stderr
            assert os.strerror(errno.ENOSPC) in result.stderr
            assert partial_files(self.path("disk/x.h5")) == []
            assert np.count_nonzero(self.outcomes("disk/x.h5")) > 0
            assert not self.info("disk/x.h5")["complete"]
            self.good("export", "disk/x.h5", "--points")
        subprocess.run(["mount", "-o", "remount,size=64m", place], check=True)
        self.compute("disk/x.h5", config, "--resume")
        assert self.digest("disk/x.h5") == self.digest("once.h5")


class Stopped(Refined):
    def begin(self, ranks=0):
        self.write("x.yaml", DUST)
        run = self.start("run", "x.yaml", "-o", "x.h5", "--progress", "none", "--checkpoint", "0.1",
                         "--exit-code", "code", ranks=ranks)
        deadline = time.monotonic() + patience(20)
        while time.monotonic() < deadline and not (
                os.path.exists(self.path("x.h5")) and np.count_nonzero(self.outcomes("x.h5"))):
            time.sleep(0.02)
        return run

    def end(self, run):
        out, err = run.communicate(timeout=60)
        return run.returncode, out, err

    def test_stop_info_points_and_lock_while_it_runs(self):
        run = self.begin(ranks=2)
        found = self.info("x.h5")
        assert len(self.good("export", "x.h5", "--points").split("\n")) > 2
        self.bad("run", "x.yaml", "-o", "x.h5", "--resume", code=FAILURE, says="process")
        run.send_signal(signal.SIGUSR1)
        asked = time.monotonic()
        code, _, err = self.end(run)
        with open(self.path("code"), encoding="utf-8") as file:
            assert int(file.read()) == STOPPED, err
        assert code in launcher_codes(STOPPED), err
        assert time.monotonic() - asked < patience(2)
        assert not found["complete"]
        assert "process" in found["writer"]
        assert "the refinement is not complete" in self.good("info", "x.h5")
        for words in ((), ("--boundary",)):
            self.bad("export", "x.h5", *words, code=BAD_INPUT, says="is not complete")
        self.compute("x.h5", DUST, "--resume", ranks=2)
        self.compute("once.h5", dust(12000, 0))
        with h5py.File(self.path("x.h5")) as found, h5py.File(self.path("once.h5")) as wanted:
            assert found["refinements/refinement_within_budget"][0] == 0
            for name in ("points/point_lattice", "points/point_value", "mode"):
                np.testing.assert_array_equal(found[name][()], wanted[name][()])

    def test_the_time_limit(self):
        self.run_config(DUST, "x.h5", "--progress", "none", "--time-limit", "1s", code=STOPPED)
        assert np.count_nonzero(self.outcomes("x.h5")) > 0

    def test_a_resumed_map_keeps_the_command_that_began_it(self):
        self.run_config(refined(depth=6), "x.h5", "--progress", "none", "--time-limit", "1e-9s", code=STOPPED)
        self.compute("x.h5", refined(depth=6), "--resume")
        with h5py.File(self.path("x.h5")) as file:
            assert "--resume" not in str(file.attrs["command"])

    def test_parts_are_refused(self):
        self.write("x.yaml", refined())
        self.bad("run", "x.yaml", "-o", "x.h5", "--part", "1/2", code=BAD_INPUT,
                 says="a refined map has no parts")
        assert not os.path.exists(self.path("x.h5"))
