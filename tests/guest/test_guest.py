"""Guests: the examples, everything that works on a theory, and nothing lost when a guest fails."""
import itertools
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

import guests
from guests import KERNEL, SCRIPT, arrays, check_same, config, example
from support import BAD_INPUT, BUILD, FAILURE, ROOT, Case, census, end_marked_processes, environment, marked_processes

os.environ["PATH"] = os.path.dirname(sys.executable) + os.pathsep + os.environ["PATH"]
os.environ["PYTHONPATH"] = os.path.join(ROOT, "postprocess")  # where a Python guest finds impactsweep.guest
os.environ["IMPACTSWEEP_LIBRARY"] = os.path.join(BUILD, "libimpact.so")
PYTHON = f"{sys.executable} {example('sphere.py')}"
COMPLIANT = "[{kernel}, compliant, body=pendulum, law=linear]"
SHARING = COMPLIANT.replace(",", ", --share,", 1)
WAYS = {"pipes": COMPLIANT, "share": SHARING}  # of columns
LINES = {"sphere.py": 15, "sphere.m": 25, "sphere.c": 60}


class Examples(Case):
    WORDS = ["angle=80deg", "friction=0.3", "restitution=0.5"]

    def build(self):
        subprocess.run(["cc", "-O2", "-Wall", "-Werror", example("sphere.c"), "-lm", "-o", self.path("sphere")], check=True)
        return self.path("sphere")

    @pytest.mark.parametrize("name", LINES)
    def test_they_are_short(self, name):
        with open(example(name), encoding="utf-8") as file:
            assert sum(1 for line in file) <= LINES[name]

    def test_python_and_c_agree_with_the_theory_of_rigid_bodies(self):
        rigid = self.cell("rigid", "body=sphere", "law=newton", f"velocity_ratio={np.tan(np.radians(80))!r}", *self.WORDS[1:])
        for command in (PYTHON, self.build()):
            found = self.cell("guest", f"command={command}", *self.WORDS)
            assert found["outcome"] == "solved" and found["mode"] == "slip"
            assert abs(found["slip_ratio"] - rigid["velocity_ratio_out"]) < 1e-12

    @pytest.mark.skipif(not shutil.which("octave-cli"), reason="Octave is not installed")
    def test_octave_gives_the_bits_of_c(self):
        octave = f"octave-cli --quiet {example('sphere.m')}"
        assert self.cell("guest", f"command={octave}", *self.WORDS) == self.cell(
            "guest", f"command={self.build()}", *self.WORDS)

    def test_the_config_runs_from_any_folder(self):
        self.good("run", example("sphere.yaml"), "-o", "map.h5")
        found = arrays(self.path("map.h5"))
        assert found["outcome"].shape == (300, 200) and (found["outcome"] == 1).all()
        angle, friction = np.meshgrid(found["angle"], found["friction"], indexing="ij")
        slip = np.tan(angle) - 3.5 * friction * 1.8
        assert np.allclose(found["slip_ratio"], np.maximum(slip, 0), rtol=0, atol=1e-12)
        assert ((found["mode"] == 1) == (slip > 0)).all()

    def test_models_and_check_know_it(self):
        text = self.good("models", "guest", f"command={PYTHON}")
        assert "incidence, from the normal of the plane" in text and "[0 deg, 89.9544 deg]" in text
        assert text == self.good("models", f"guest:{PYTHON}")
        checked = self.good("check", example("sphere.yaml"))
        assert re.search(r"cells +60,000", checked) and "us per cell" in checked


class Everything(Case):
    """Our own theories behind the protocol have the bits of the theories themselves, in every kind of map."""
    KINDS = {
        "grid": "axes:\n  - {param: angle, from: 0.1 deg, to: 89.9 deg, points: 90}\n"
                "  - {param: friction, from: 0.005, to: 1.5, points: 80}\nfixed: {stiffness_ratio: 1.21}\n",
        "sample": "axes:\n  - {sample: sobol, points: 500, seed: 1, name: draw, params: [{param: angle, "
                  "distribution: uniform, from: 1 deg, to: 89 deg}, {param: friction, distribution: uniform, from: 0, "
                  "to: 1}]}\nfixed: {stiffness_ratio: 1.21}\n",
        "search": "search:\n  over: {param: angle, from: 1 deg, to: 89 deg, samples: 16}\n  find: boundary\n  of: mode\n"
                  "  in: [wedge]\naxes:\n  - {param: friction, from: 0.5, to: 1.5, points: 40}\nfixed: {stiffness_ratio: 1.21}\n",
        "refinement": "refine: {depth: 7, boundary: 0.01}\naxes:\n  - {param: angle, from: 1 deg, to: 89 deg}\n"
                      "  - {param: friction, from: 0.01, to: 1.5}\nfixed: {stiffness_ratio: 1.21}\n",
        "uncertain": "uncertain: {points: 64, replicates: 2, of: [mode, kinematic_restitution], params: [{param: friction, "
                     "distribution: uniform, from: 0.1, to: 0.9}]}\naxes:\n"
                     "  - {param: angle, from: 1 deg, to: 89 deg, points: 20}\nfixed: {stiffness_ratio: 1.21}\n",
        "formula": "axes:\n  - {param: angle, from: 1 deg, to: 80 deg, points: 50}\n"
                   "fixed: {stiffness_ratio: 1.21, friction: '= 0.5 * tan(angle)'}\n",
    }

    @pytest.mark.parametrize("kind", KINDS)
    def test_the_bits_of_the_theory(self, kind):
        self.write("own.yaml", "model: compliant\nchoose: {body: pendulum, law: linear}\n" + self.KINDS[kind])
        self.good("run", "own.yaml", "-o", "own.h5")
        for way, command in WAYS.items():
            self.write(f"{way}.yaml", f"model: guest\ncommand: {command.format(kernel=KERNEL)}\n{self.KINDS[kind]}")
            self.good("run", f"{way}.yaml", "-o", f"{way}.h5")
            check_same(self.path("own.h5"), self.path(f"{way}.h5"), least=2)

    def test_lists_and_sequences(self):
        rest = "axes:\n  - {param: heading, from: 0, to: 6, points: 30}\n  - {param: friction, from: 0, to: 1, points: 20}\n"
        rest += "fixed: {velocity_ratio: 0.5, restitution: 0.5}\n"
        words = "body=ellipsoid3d, law=poisson"
        self.write("own.yaml", f"model: swerve\nchoose: {{{words.replace('=', ': ')}}}\n{rest}")
        self.good("run", "own.yaml", "-o", "own.h5")
        for way in ("", "--share, "):
            self.write("guest.yaml", f"model: guest\ncommand: [{KERNEL}, {way}swerve, {words}]\n{rest}")
            self.good("run", "guest.yaml", "-o", "guest.h5", "--force")
            common = check_same(self.path("own.h5"), self.path("guest.h5"), least=8)
            assert any(values.ndim == 3 for values in common.values()) and "mode" in common

    def test_a_guest_and_a_theory_are_cases_of_one_map(self):
        self.write("law.py", "import numpy as np\nimport impactsweep.guest as guest\n@guest.theory(parameters={'friction': "
                   "guest.number()}, outputs={'kinematic_restitution': '1'})\ndef law(friction):\n"
                   "    return {'kinematic_restitution': 0.5 + 0 * friction}\nguest.serve(law)\n")
        self.write("x.yaml", f"""axes:
  - cases:
      ours: {{model: rigid, body: sphere, law: newton, restitution: 0.5, velocity_ratio: 1}}
      mine: {{model: guest, command: [{sys.executable}, law.py]}}
  - {{param: friction, from: 0, to: 1, points: 200}}
outputs: [kinematic_restitution]
""")
        self.good("run", "x.yaml", "-o", "map.h5")
        found = arrays(self.path("map.h5"))["kinematic_restitution"]
        assert found.shape == (2, 200) and np.allclose(found, 0.5, rtol=0, atol=1e-15)

    def test_a_default_that_differs_with_the_case_and_the_option_is_told_of_both(self):
        self.write("law.py", "import impactsweep.guest as guest\n@guest.theory(parameters={'radius': guest.number('m', 0, default=5)}, "
                   "outputs={'y': '1'}, choices={'body': ['pendulum', 'sphere']})\ndef law(radius, body):\n"
                   "    return {'y': radius}\nguest.serve(law)\n")
        self.write("x.yaml", f"""axes:
  - cases:
      ours: {{model: compliant, friction: 0.3, angle: 0.5, stiffness_ratio: 1, velocity_ratio: 1}}
      mine: {{model: guest, command: [{sys.executable}, law.py]}}
  - {{param: body, values: [pendulum, sphere]}}
""")
        result = self.sweep("check", "x.yaml")
        assert (result.returncode, result.stdout) == (BAD_INPUT, "")
        assert result.stderr.endswith(
            ": its default is 0 m for case=ours body=pendulum, 1 m for case=ours body=sphere, 5 m for case=mine body=pendulum and "
            "case=mine body=sphere; give one value under 'fixed', or several in the cases or on an axis\n"), result.stderr

    def test_ranks_parts_and_a_resume_do_not_matter(self):
        text = f"model: guest\ncommand: {COMPLIANT.format(kernel=KERNEL)}\n{self.KINDS['grid']}"
        self.run_config(text, "one.h5")
        self.good("run", "x.yaml", "-o", "two.h5", "--chunk", "500", ranks=2)
        for part in "12":
            self.good("run", "x.yaml", "-o", f"part{part}.h5", "--part", f"{part}/2")
        self.bad("join", "x.h5", "part1.h5", "part2.h5", says="--guest")
        self.good("join", "joined.h5", "part1.h5", "part2.h5", "--guest")
        digests = {self.digest(f"{name}.h5") for name in ("one", "two", "joined")}
        assert len(digests) == 1
        self.check_resume(text.replace("points: 90", "points: 500").replace("points: 80", "points: 600"))

    def test_a_report_of_its_map_solves_nothing_and_needs_no_guest(self):
        self.run_config(f"model: guest\ncommand: {COMPLIANT.format(kernel=KERNEL)}\n{self.KINDS['grid']}", "map.h5")
        self.good("report", "map.h5", "-o", "map.html")
        self.good("export", "map.h5", "-o", "map.csv")
        assert "wedge" in self.good("info", "map.h5")


class Failures(Case):
    """The cells with x = 7 have a fault: they alone fail, and say why."""
    REASONS = {"exit": "it had ended with the code 3; its last words: a last word", "signal": "killed by the signal 11",
               "rubbish": "did not begin its answer with the number of the request", "short": "answered too little",
               "long": "answered too much", "half": "ended in the middle of its answer",
               "outcome": "gave a cell an outcome, or an output a category, that does not exist",
               "code": "gave a cell an outcome, or an output a category, that does not exist",
               "memory": "MemoryError", "hang": "did not answer in time"}

    def run_fault(self, fault, more="", way="pipes", **options):
        self.write("script.py", SCRIPT)
        self.write("x.yaml", config(f"{fault}, '1', {way}", more))
        result = self.sweep("run", "x.yaml", "-o", "map.h5", "--force", **options)
        assert result.returncode == 0, result.stderr
        return result, arrays(self.path("map.h5"))

    @staticmethod
    def check_others(found, code):
        """The four cells of x = 7 have this outcome; all others are right."""
        good = np.arange(200) != 7
        assert (found["outcome"][7] == code).all() and (found["outcome"][good] == 1).all()
        assert (found["y"][good] == 2 * found["x"][good, None]).all() and np.isnan(found["y"][7]).all()

    # An answer in shared memory has no middle in which a guest could end.
    @pytest.mark.parametrize("fault, way", [*itertools.product(REASONS, ["pipes"]),
                                            *itertools.product(sorted(REASONS.keys() - {"half"}), ["share"])])
    def test_only_the_guilty_cells_fail(self, fault, way):
        more = {"memory": "memory_limit: 400 MB", "hang": "cell_time: 50 ms"}.get(fault, "")
        result, found = self.run_fault(fault, more, way)
        self.check_others(found, 7)
        assert self.REASONS[fault] in result.stderr and "guest_failed: x=7 z=0" in result.stderr
        assert census(result.stdout) == {"solved": 796, "guest_failed": 4}

    @pytest.mark.parametrize("way", WAYS)
    def test_what_a_guest_says_of_a_cell_is_its_outcome(self, way):
        self.check_others(self.run_fault("refuses", way=way)[1], 3)
        self.check_others(self.run_fault("nan", way=way)[1], 4)

    def test_much_on_the_standard_error_is_no_failure(self):
        result, found = self.run_fault("errors")
        assert (found["outcome"] == 1).all() and len(result.stderr) < 1000

    def test_two_ranks(self):
        self.check_others(self.run_fault("exit", ranks=2)[1], 7)

    @pytest.mark.parametrize("batch", (16, 100))
    def test_no_request_has_more_cells_than_the_guest_allows(self, batch):
        """Those that are asked for twice included."""
        allowed = SCRIPT.replace('"version": "%s"', f'"version": "%s", "batch": {batch}')
        self.write("script.py", allowed.replace("n = int(head[1])", f"n = int(head[1])\n    if n > {batch}: os._exit(9)"))
        self.run_config(config("none"), "map.h5")
        assert (arrays(self.path("map.h5"))["outcome"] == 1).all()

    def test_the_cell_says_why(self):
        self.write("script.py", SCRIPT)
        result = self.sweep("cell", "guest", f"command={sys.executable} script.py exit", "x=7")
        assert "outcome                guest_failed" in result.stdout and "the code 3" in result.stderr

    @pytest.mark.parametrize("way", WAYS)
    def test_answers_that_differ_are_found(self, way):
        result, found = self.run_fault("random", way=way)
        unlike = found["outcome"] == 8
        assert 0 < unlike.sum() < 100 and np.isnan(found["y"][unlike]).all()
        assert re.search(r"not_repeated: the guest script gave \d+ of \d+ cells another answer", result.stderr)
        assert census(result.stdout)["not_repeated"] == unlike.sum()


class Memory(Case):
    """Columns in memory that the program shares: what a guest may do with it, and do without it."""
    LAW = '''
import impactsweep.guest as guest

kept = []

@guest.theory(parameters={"x": guest.number(), "k": guest.number()}, outputs={"y": "1", "first": "1", "shared": "1"})
def law(x, k):
    kept.append(x)
    with open("/proc/self/maps") as maps:
        return {"y": k * x, "first": kept[0][0], "shared": float("/memfd:impactsweep-guest" in maps.read())}

guest.serve(law)
'''
    AXES = "axes:\n  - {param: x, from: 1, to: 2, points: 200}\n  - {param: k, from: 0, to: 1, points: 300}\n"

    def run_script(self, change, **options):
        script = SCRIPT
        for one, other in change.items():
            assert one in script
            script = script.replace(one, other)
        self.write("script.py", script)
        self.write("x.yaml", config("none, '1', share"))
        return self.sweep("run", "x.yaml", "-o", "map.h5", **options), arrays(self.path("map.h5"))

    def test_a_guest_that_does_not_get_it_has_the_same_bits(self):
        """As behind a program that closes descriptors, or uses the third for a file of its own."""
        self.write("law.py", self.LAW)
        python = f"{sys.executable} law.py"
        found = {}
        for more in ("", " 3<&-", " 3<script"):
            self.write("script", "x")
            self.run_config(f"model: guest\ncommand: [sh, -c, 'exec {python}{more}']\n{self.AXES}", "map.h5", "--force")
            found[more] = arrays(self.path("map.h5"))
        assert [(one["shared"] == value).all() for one, value in zip(found.values(), (1, 0, 0))] == [True] * 3
        for one in found.values():
            assert one["y"].tobytes() == found[""]["y"].tobytes() and (one["outcome"] == 1).all()

    def test_a_law_may_keep_its_arrays(self):
        self.write("law.py", self.LAW)
        self.run_config(f"model: guest\ncommand: [{sys.executable}, law.py]\n{self.AXES}", "map.h5")
        assert (arrays(self.path("map.h5"))["first"] == 1).all()

    def test_its_size_is_the_programs(self):
        resize = ("memory = memory or mmap.mmap(3, 0)\n    for size in (0, 1 << 40):\n        try: os.ftruncate(3, size)\n"
                  "        except PermissionError: continue\n        os._exit(9)\n")
        result, found = self.run_script({"if shares: memory = memory or mmap.mmap(3, 0)": resize})
        assert result.returncode == 0 and (found["outcome"] == 1).all()

    def test_a_size_that_cannot_be_set(self):
        accept, seal = 'os.write(3, b"1")', "; import fcntl; fcntl.fcntl(3, 1033, 4)"  # F_ADD_SEALS, F_SEAL_GROW
        self.write("script.py", SCRIPT.replace(accept, accept + seal))
        result = self.sweep("cell", "guest", f"command={sys.executable} script.py none 1 share", "x=1")
        assert "guest_failed" in result.stdout and "wants memory that cannot be shared" in result.stderr

    def test_a_guest_that_writes_at_any_time(self):
        """Whatever it has at last, a solved cell has a mode that exists."""
        scribble = """import threading
def scribble():
    while True:
        for at in range(16 * n, 40 * n, 8) if memory else ():
            memory[at:at + 8] = random.choice([b"\\x7f" * 8, array.array("d", [1.0]).tobytes()])
n = 0
threading.Thread(target=scribble, daemon=True).start()
while True:
    head"""
        result, found = self.run_script({"while True:\n    head": scribble})
        assert result.returncode == 0, result.stderr
        solved = found["outcome"] == 1
        assert np.isin(found["outcome"], (1, 2, 3, 4, 5, 6, 7, 8)).all()
        assert np.isin(found["mode"][solved], (1, 2)).all() and np.isfinite(found["y"][solved]).all()

    def test_nothing_of_a_guest_that_failed_is_left(self):
        import impactsweep
        self.write("script.py", SCRIPT)
        guest = f"guest:{sys.executable} {self.path('script.py')} exit 1 share"

        def kept():
            with open("/proc/self/maps", encoding="utf-8") as maps:
                return len(os.listdir("/proc/self/fd")), sum("/memfd:impactsweep-guest" in line for line in maps)
        impactsweep.solve(guest, x=6.0)
        before = kept()
        failed = impactsweep.solve(guest, x=[6.0, 7.0, 8.0, 7.0])
        assert failed.outcome.values.tolist() == ["solved", "guest_failed", "solved", "guest_failed"]
        impactsweep.solve(guest, x=6.0)
        assert kept() == before


class Returned(Case):
    """What a law in Python may return: real numbers, one for each cell or one for all."""
    LAW = """
import numpy as np
import impactsweep.guest as guest

@guest.theory(parameters={"x": guest.number()}, outputs={"y": "1", "z": guest.output(dimension="part", length=2)})
def law(x):
    return {"y": 2 * x, "z": x[:, None] * [1, 2], %s}

guest.serve(law)
"""

    def law(self, returned):
        self.write("law.py", self.LAW % returned)
        return f"{sys.executable} law.py"

    @pytest.mark.parametrize("returned, says", (
        ("'y': np.sqrt(x - 4 + 0j)", "TypeError: 'y' is complex; give real numbers"), ("'outcome': x + 0j", "'outcome' is complex"),
        ("'y': [1, 2]", "ValueError: 'y' has the shape (2,); give an array of the shape (1,), or a number for all cells"),
        ("'z': x", "'z' has the shape (1,); give an array of the shape (1, 2)"), ("'outcome': [1, 1]", "'outcome' has the shape (2,)")))
    def test_others_are_refused(self, returned, says):
        result = self.sweep("cell", "guest", f"command={self.law(returned)}", "x=3")
        assert "guest_failed" in result.stdout and says in result.stderr, (result.stdout, result.stderr)

    @pytest.mark.parametrize("returned", ("'y': x[:1] * 2", "'outcome': np.where(x[:1] > 1, 1, 2)"))
    def test_one_value_is_not_that_of_all_cells(self, returned):
        """It is right for one cell alone, to which the program comes down."""
        self.write("x.yaml", f"model: guest\ncommand: {self.law(returned)}\naxes:\n  - {{param: x, values: [1, 3]}}\n")
        self.good("run", "x.yaml", "-o", "map.h5", "--chunk", "2", "--progress", "none")
        found = arrays(self.path("map.h5"))
        solved = [1, 1] if "y" in returned else [2, 1]
        assert found["outcome"].tolist() == solved and found["y"][1] == 6

    @pytest.mark.parametrize("way", ("share", "pipes"))
    def test_an_error_at_some_cells_leaves_the_guest_alive(self, way):
        """The law fails at 300 of 900 cells: the guest starts once, and all other cells are solved."""
        self.write("law.py", ("" if way == "share" else "import os\nos.close(3)\n") + "open('starts', 'a').write('+')\n" + (
            self.LAW % "").replace("    return", "    if not np.all(np.round(x) % 3):\n        raise ValueError('a third')\n    return"))
        self.write("x.yaml", f"model: guest\ncommand: {sys.executable} law.py\n"
                   "axes:\n  - {param: x, from: 0, to: 899, points: 900}\n")
        result = self.sweep("run", "x.yaml", "-o", "map.h5")
        found, fails = arrays(self.path("map.h5")), np.arange(900) % 3 == 0
        right = 2 * found["x"][~fails]
        assert (found["outcome"] == np.where(fails, 7, 1)).all()
        assert (found["y"][~fails] == right).all() and (found["z"][~fails] == np.outer(right / 2, [1, 2])).all()
        assert np.isnan(found["y"][fails]).all() and np.isnan(found["z"][fails]).all()
        assert "guest_failed: x=3: the guest failed at this cell; its last words: ValueError: a third\n" in result.stderr
        assert "guest_failed: 295 cells more" in result.stderr
        assert os.path.getsize(self.path("starts")) == 1

    def test_a_check_tells_what_is_forgotten(self):
        self.write("x.yaml", f"model: guest\ncommand: {self.law('')}\naxes:\n  - {{param: x, values: [1, 3]}}\n")
        self.write("law.py", (self.LAW % "").replace('{"y": 2 * x, ', '{'))
        result = self.sweep("check", "x.yaml")
        assert result.returncode == 0 and "us per cell" in result.stdout
        assert "guest_failed: x=" in result.stderr and "its last words: KeyError: 'y'" in result.stderr

    def test_a_number_is_that_of_all_cells(self):
        command = self.law("'y': 5")
        self.write("x.yaml", f"model: guest\ncommand: {command}\naxes:\n  - {{param: x, values: [1, 3]}}\n")
        self.good("run", "x.yaml", "-o", "map.h5", "--chunk", "2", "--progress", "none")
        found = arrays(self.path("map.h5"))
        assert found["y"].tolist() == [5, 5] and found["z"].tolist() == [[1, 2], [3, 6]]


class Processes(Case):
    def guests(self):
        return [one for one, name in marked_processes(self.folder).items() if name == "kernel_guest"]

    def long_run(self, *options, ranks=0):
        self.write("x.yaml", f"model: guest\ncommand: {COMPLIANT.format(kernel=KERNEL)}\n"
                   "axes:\n  - {param: angle, from: 1 deg, to: 89 deg, points: 4000}\n"
                   "  - {param: friction, from: 0.01, to: 1.5, points: 2000}\nfixed: {stiffness_ratio: 1.21}\n"
                   "outputs: [mode]\n")
        return self.begin_run(*options, ranks=ranks)

    def test_a_rank_has_one_guest_and_its_death_leaves_none(self):
        process = self.long_run()
        assert len(self.guests()) == 1
        process.send_signal(signal.SIGKILL)
        process.wait()
        self.wait_for(lambda: not marked_processes(self.folder), "the end of all processes", 20)

    def test_a_stop_keeps_what_is_done_and_leaves_none(self):
        process = self.long_run()
        process.send_signal(signal.SIGINT)
        assert process.wait() == 75
        self.wait_for(lambda: not marked_processes(self.folder), "the end of all processes", 20)

    def test_a_stop_does_not_wait_for_a_guest_that_hangs(self):
        self.write("script.py", SCRIPT)
        self.write("x.yaml", config("hang", "cell_time: 1000 s"))
        start = time.monotonic()
        self.good("run", "x.yaml", "-o", "map.h5", "--time-limit", "2s", code=75)
        assert time.monotonic() - start < 60 and not marked_processes(self.folder)
        assert 0 < self.info("map.h5")["done"] < 800 or self.info("map.h5")["done"] == 0

    def test_guests_that_are_killed_cost_nothing(self):
        """A refinement whose guests are killed at random has the map of one whose guests are not."""
        self.run_config(f"model: guest\ncommand: {SHARING.format(kernel=KERNEL)}\n" + REFINED, "whole.h5", ranks=2)
        assert kill_while(self, "map.h5", kills=15) > 0
        assert self.digest("map.h5") == self.digest("whole.h5")

    @pytest.mark.parametrize("kills, code", [(5, 0), (6, 2)])
    def test_guests_that_are_killed_before_they_describe_themselves(self, kills, code):
        self.write("law.sh", f'''echo >> n
[ "$(wc -l < n)" -gt {kills} ] || kill -9 $$
exec {KERNEL} compliant body=pendulum law=linear
''')
        self.write("x.yaml", "model: guest\ncommand: [sh, law.sh]\n" + Everything.KINDS["grid"])
        done = self.sweep("check", "x.yaml")
        assert done.returncode == code, done.stderr
        assert ("it was killed by the signal 9" in done.stderr) == (code == 2)
        with open(self.path("n"), encoding="utf-8") as file:
            assert len(file.readlines()) == 6


REFINED = Everything.KINDS["refinement"].replace("depth: 7, boundary: 0.01", "depth: 11, boundary: 1e-4")


def has_answered(guest, described):
    """Whether it has written more than its description, of so many bytes, and the 6 bytes before it. A guest that is killed at each
    start, or in the same cells again and again, has failed."""
    try:
        with open(f"/proc/{guest}/io", encoding="utf-8") as file:
            return int(re.search(r"^wchar: (\d+)$", file.read(), re.M)[1]) > described + 6
    except OSError:
        return False


def kill_while(case, name, kills, period=0.05):
    """Kills guests at random, but none before it has answered, while a refinement runs, so many times at most; returns how many died."""
    rng, died = np.random.default_rng(4), 0
    described = len(subprocess.run([KERNEL, "compliant", "body=pendulum", "law=linear"], stdin=subprocess.DEVNULL,
                                   capture_output=True, check=True).stdout)
    process = case.start("run", "x.yaml", "-o", name, "--force", ranks=2)
    while process.poll() is None and died < kills:
        time.sleep(rng.uniform(0, period))
        alive = [one for one, comm in marked_processes(case.folder).items()
                 if comm == "kernel_guest" and has_answered(one, described)]
        if alive:
            try:
                os.kill(int(rng.choice(alive)), signal.SIGKILL)
                died += 1
            except ProcessLookupError:
                pass
    assert process.wait() == 0, process.stderr.read()
    return died


class Identity(Case):
    def test_another_version_is_refused_at_resume(self):
        self.write("script.py", SCRIPT)
        self.run_config(config("none").replace("none", "none, '1'"), "map.h5")
        self.write("x.yaml", config("none").replace("none", "none, '2'"))
        self.bad("run", "x.yaml", "-o", "map.h5", "--resume",
                 says="guest 1: the file has script, version 1, description")

    def test_a_guest_that_changes_meanwhile_ends_the_run_which_can_be_resumed(self):
        changing = SCRIPT.replace('version = sys.argv[1], ', 'version = "exit", ').replace(
            'sys.argv[2] if len(sys.argv) > 2 else "1"', 'open("version").read().strip()').replace(
            "a last word\\n", "x\\n").replace("os._exit(3)", 'open("version", "w").write("2"), os._exit(3)')
        self.write("script.py", changing)
        self.write("version", "1")
        self.write("x.yaml", config("exit"))
        result = self.sweep("run", "x.yaml", "-o", "map.h5")
        assert result.returncode == FAILURE and "described itself in another way" in result.stderr
        self.write("version", "1")
        self.write("script.py", changing.replace("if BAD in x", "if False"))
        self.good("run", "x.yaml", "-o", "map.h5", "--resume")
        assert (arrays(self.path("map.h5"))["outcome"] == 1).all()


class Errors(Case):
    def check(self, text, *phrases):
        self.write("x.yaml", text + "axes: []\n")
        self.bad("check", "x.yaml", says=phrases)

    def test_the_keys(self):
        self.check("model: guest\n", "x.yaml:1:8: error: the model 'guest' needs the key 'command'")
        self.check("model: rigid\ncommand: x\n", "x.yaml:2:1: error: 'command' goes only with 'model: guest'")
        self.check("model: guest\ncommand: []\n", "x.yaml:2:10: error: command: the list is empty")
        self.check("model: guest\ncommand: \"a 'b\"\n", "has a quotation mark that is not closed")
        self.check("model: guest\ncommand: x\ncell_time: 0 s\nmemory_limit: 5 kg\n",
                   "x.yaml:3:12: error: cell_time: '0 s' is no time above 0", "x.yaml:4:15: error: memory_limit: '5 kg' is no size")

    def test_a_program_that_is_no_guest(self):
        self.check("model: guest\ncommand: [there-is-no-such-program]\n",
                   "x.yaml:2:10: error: the guest 'there-is-no-such-program': did not describe itself", "not found")
        self.check("model: guest\ncommand: [echo, hello]\n", "byte 1 of the description: not a value of JSON")
        self.check("model: guest\ncommand: [echo, '{}']\n", "the member 'impactsweep_guest' is not 1",
                   "the guest without a name", "no output")

    def test_every_mistake_of_a_description_is_told(self):
        about = ('{"impactsweep_guest": 1, "name": "x", "version": "1", "parameters": [{"name": "command"}, '
                 '{"name": "a", "unit": "parsec"}, {"name": "b", "low": 2, "high": 1}, {"name": "c", "high": 1, "default": 3}, '
                 '{"name": "a"}], "choices": [{"name": "law", "options": [{"name": "one", "parameters": ["q"]}], '
                 '"default": "two"}], "outputs": [{"name": "y", "undefined_in": ["slip"]}, {"name": "outcome"}]}')
        self.write("about", about + "\n")
        self.check("model: guest\ncommand: [cat, about]\n", "'command' has a name that is used otherwise",
                   "'a' has no SI unit", "'b' has a range whose low end", "'c' has a default outside",
                   "'a' is described twice", "'one' lists a parameter that is not described",
                   "'law' has no options, too many of them, or a default", "'y' is undefined in a mode",
                   "'outcome' has a name that is used otherwise")

    def test_completion_starts_no_program(self):
        self.write("x.yaml", f"model: guest\ncommand: [sh, -c, 'touch {self.path('started')}']\naxes: []\n")
        self.sweep("complete", "bash", "run", "x.yaml", "--set", "")
        assert "started" not in self.files()


class Choices(Case):
    LAW = '''
import numpy as np
import impactsweep.guest as guest

@guest.theory(parameters={"x": guest.number("m", 0, 1), "k": guest.number("1", 0, 9, default=2), "c": guest.number()},
              choices={"law": {"square": guest.option("x squared", ["k"]), "line": guest.option("c x", ["c"])}},
              outputs={"mode": guest.modes("some", "none"), "y": guest.output("m^2", undefined_in=["none"]),
                       "pair": guest.output(dimension="end", length=2)}, version="7", title="two laws")
def law(law, x, k, c):
    print("on the standard output")  # harmless
    y = k * x**2 if law == "square" else c * x
    return {"mode": np.where(x > 0, "some", "none"), "y": np.where(x > 0, y, np.nan), "pair": np.stack([x, -x], axis=1)}

guest.serve(law)
'''

    def test_parameters_belong_to_options(self):
        self.write("law.py", self.LAW)
        command = f"command={sys.executable} law.py"
        assert self.cell("guest", command, "x=0.5", "k=3") == {
            "outcome": "solved", "mode": "some", "y": 0.75, "pair": [0.5, -0.5]}
        assert self.cell("guest", command, "law=line", "x=50cm", "c=4")["y"] == 2
        assert self.cell("guest", command, "x=0")["y"] is None
        self.bad("cell", "guest", command, "law=line", "x=1", "k=3", "c=1", says="'k'")

    def test_a_choice_is_an_axis(self):
        self.write("law.py", self.LAW)
        self.write("x.yaml", f"model: guest\ncommand: [{sys.executable}, law.py]\naxes:\n"
                   "  - {param: law, values: [square, line]}\n  - {param: x, from: 0, to: 1, points: 1001}\nfixed: {c: 3}\n")
        self.good("run", "x.yaml", "-o", "map.h5")
        found, x = arrays(self.path("map.h5")), np.linspace(0, 1, 1001)
        assert np.allclose(found["y"][:, 1:], [2 * x[1:]**2, 3 * x[1:]]) and np.isnan(found["y"][:, 0]).all()
        assert (found["outcome"] == 1).all() and found["pair"].shape == (2, 1001, 2)


class FromPython(Case):
    def test_solve_describe_and_run(self):
        import impactsweep
        guest = f"guest:{PYTHON}"
        assert impactsweep.describe(guest).inputs["friction"].default == 0.2
        angle = np.linspace(0, 1.5, 300)
        found = impactsweep.solve(guest, angle=angle, friction=0.3)
        slip = np.tan(angle) - 3.5 * 0.3 * 1.8
        assert np.allclose(found.slip_ratio, np.maximum(slip, 0), rtol=0, atol=1e-12)
        made = impactsweep.run({"model": "guest", "command": shlex.split(PYTHON), "axes": [
            {"param": "angle", "from": 0, "to": 1.5, "points": 300}], "fixed": {"friction": 0.3}})
        assert np.allclose(made.slip_ratio, found.slip_ratio, rtol=1e-12) and set(made["mode"].values) == {"slip", "roll"}

    def test_a_changed_script_is_another_guest(self):
        import impactsweep
        for version, factor in (("1", 2), ("2", 3)):
            self.write("law.py", "import impactsweep.guest as guest\n@guest.theory(parameters={'x': guest.number()}, "
                       f"outputs={{'y': '1'}}, version='{version}')\ndef law(x):\n    return {{'y': {factor} * x}}\nguest.serve(law)\n"
                       + "#" * factor)
            found = impactsweep.solve(f"guest:{sys.executable} {self.path('law.py')}", x=[1.0, 2.0])
            assert found.y.values.tolist() == [factor, 2 * factor]

    def test_fit_and_rank_take_it(self):
        import impactsweep
        before = {"contact_velocity_t_before": [0.1, 0.5, 0.9, 1.5], "contact_velocity_n_before": [-1.0, -1.2, -0.8, -1.0],
                  "angle": [0.3, 0.5, 0.7, 0.9]}
        speed = -np.array(before["contact_velocity_n_before"])
        made = impactsweep.solve("rigid", body="rod", law="newton", friction=0.35, restitution=0.6, angle=before["angle"],
                                 velocity_ratio=np.array(before["contact_velocity_t_before"]) / speed)
        data = {**before, "contact_velocity_t_after": made.velocity_ratio_out.values * speed,
                "contact_velocity_n_after": made.kinematic_restitution.values * speed}
        columns = {**{name: name for name in data if name != "angle"}, "angle": ("angle", "rad")}
        options = {"columns": columns, "over": {"friction": (0.05, 1), "restitution": (0.1, 0.95)}, "folds": 2}
        own = impactsweep.fit(data, "rigid", choose={"body": "rod", "law": "newton"}, **options)
        guest = impactsweep.fit(data, f"guest:{KERNEL} rigid body=rod law=newton", **options)
        assert guest.best == own.best and abs(guest.best["friction"] - 0.35) < 0.01
        laws = [f"guest:{KERNEL} rigid body=rod law={law}" for law in ("poisson", "newton")]
        table, fits = impactsweep.rank(data, [{"theory": laws[0]}, {"theory": laws[1]},
                                              {"theory": "rigid", "choose": {"body": "rod", "law": "newton"}}], **options)
        assert [one.theory for one in fits] == [laws[1], "rigid", laws[0]] and len(table) == 3
        assert fits[0].best == fits[1].best == own.best and (fits[0].held_out == fits[1].held_out).all()
        assert np.median(fits[0].held_out) < 0.1 * np.median(fits[2].held_out)

    def test_failures_have_names(self):
        import impactsweep
        self.write("script.py", SCRIPT)
        command = f"guest:{sys.executable} {self.path('script.py')}"
        failed = impactsweep.solve(f"{command} outcome", x=[6.0, 7.0, 8.0], z=0.0)
        assert failed.outcome.values.tolist() == ["solved", "guest_failed", "solved"]
        unlike = impactsweep.solve(f"{command} random", x=np.arange(1000.0), z=0.0)
        assert set(np.unique(unlike.outcome)) == {"solved", "not_repeated"}
