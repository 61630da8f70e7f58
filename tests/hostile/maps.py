"""Spoilt maps, given to info, export and run --resume. Shared by test_maps.py (a sample) and test_maps_long.py (the
campaign).

A fault inside the HDF5 library is counted apart. It is known by the frames of a sanitizer, or, if a plain program died
by a signal, by those of valgrind; without valgrind it counts as a fault of the program. IMPACT_SANITIZED tells that
the program has sanitizers, which limit the memory themselves."""
import collections
import json
import os
import random
import re
import resource
import shutil
import signal
import subprocess
import tempfile

import h5py

import support  # noqa: E402

import byte_mutations  # noqa: E402
import mutations  # noqa: E402

SANITIZED = bool(os.environ.get("IMPACT_SANITIZED"))
SECONDS = 30 if SANITIZED else 10  # of the processor, so that a busy machine makes no run slow
PATIENCE = 60 * SECONDS  # within which even a run that only waits must have ended
MEMORY = 4 << 30
CONFIGS = {
    "plain": """model: compliant
choose: {body: pendulum}
axes:
  - {param: angle, from: 1 deg, to: 89 deg, points: 9}
  - {param: friction, from: 0.01, to: 1.5, points: 7}
fixed: {stiffness_ratio: 1.21}
""",
    "choice": """model: compliant
axes:
  - {param: body, values: [rod, sphere, pendulum]}
  - {param: friction, values: [0.1, 0.3, 0.6, 1.0]}
fixed: {stiffness_ratio: 1.21, velocity_ratio: 0.5, angle: 30 deg}
precision: float32
""",
    "table": """model: compliant
choose: {body: pendulum}
axes:
  - {table: cases.csv, name: case}
  - {param: stiffness_ratio, from: 0.5, to: 2, points: 3}
outputs: [mode, sequence, energy_loss, residual]
""",
    "refined": """model: compliant
choose: {body: pendulum}
refine: {base: 4, depth: 4, boundary: 0.03, audit: 5}
axes:
  - {param: angle, from: 1 deg, to: 89 deg}
  - {param: friction, from: 0.01, to: 1.5}
fixed: {stiffness_ratio: 1.21}
outputs: [mode, kinematic_restitution]
""",
    "growing": """model: 'null'
refine: {base: 8, depth: 8, budget: 200}
axes:
  - {param: x, from: 0, to: 3}
  - {param: y, from: 0, to: 0.02}
fixed: {cost: 2e-3}
outputs: [mode, value]
""",
}
# A run that goes on with this map has a part of its points to solve.
DEEPER = CONFIGS["refined"].replace("depth: 4", "depth: 5")
TABLES = ("--points", "--boundary", "--junctions")
CASES = "angle [deg], friction\n30, 0.2\n50, 0.3\n70, 0.9\n"
FRAME = re.compile(r"^\s+#\d+ 0x[0-9a-f]+ +(?:in (\S+) )?(.*)$"
                   r"|^==\d+== +(?:at|by) 0x[0-9A-F]+: (\S+) \((.*)\)$", re.M)

Result = collections.namedtuple("Result", "code out err")


def limit():
    """Limits the memory of this process, and so of every program that it starts."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if not SANITIZED:
        most = resource.getrlimit(resource.RLIMIT_AS)[1]
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, most))


def unlimited():
    """Lifts that limit from a child: valgrind needs more."""
    most = resource.getrlimit(resource.RLIMIT_AS)[1]
    resource.setrlimit(resource.RLIMIT_AS, (most, most))


def is_in_hdf5(text):
    """Whether the fault is one of the library: its frames come first, after those of libc and of
    the sanitizer, and the program's own appear only as the caller."""
    own = os.path.basename(support.PROGRAM)
    for _, sanitizer, _, valgrind in FRAME.findall(text):
        place = sanitizer or valgrind
        if "libhdf5" in place:
            return True
        if "/src/" in place and "libsanitizer" not in place or place.endswith("/" + own):
            return False
    return False


def fault_of(result, command):
    """The fault of an end of the program; "" without a fault."""
    if result.code is None:
        return f"is there after {PATIENCE} s"
    if result.code == -signal.SIGXCPU:
        return f"took more than {SECONDS} s of the processor"
    if "Sanitizer" in result.err or "runtime error:" in result.err:
        return "sanitizer: " + result.err[:3000]
    if "reading it crashed" in result.err or "reading it takes" in result.err:
        return result.err
    if result.code not in (0, 1, 2):
        return f"exit code {result.code}: {result.err[-500:]}"
    lines = result.err.splitlines()
    if lines and "HDF5 crashed" in lines[-1]:
        lines = lines[-1:]  # libc may have printed a line before
    if result.code == 0:
        return result.err if lines and command != "run" else ""
    if not lines or not lines[0].startswith("impactsweep: error: "):
        return f"no error line: {result.err!r}"
    # A refused resume lists the differences below its error.
    return "" if len(lines) == 1 or lines[0].endswith("configuration:") else f"{lines}"


class Campaign:
    """Spoils copies of good maps and counts the ends of the commands."""

    def __init__(self, case):
        limit()
        self.case = case
        # Without mpirun a run then starts no daemon, which would take longer than all the rest.
        self.environment = dict(support.environment(case.folder),
                                OMPI_MCA_ess_singleton_isolated="1")
        self.maps = {}
        self.faults, self.in_hdf5 = [], []
        self.ends = collections.Counter()
        self.skipped = collections.Counter()
        case.write("cases.csv", CASES)
        for name, config in CONFIGS.items():
            case.write(f"{name}.yaml", config)
            limited = ("--time-limit", "0.1s") if name == "growing" else ()
            case.good("run", f"{name}.yaml", "-o", f"{name}.h5", "--progress", "none", *limited,
                      code=support.STOPPED if limited else support.OK)
            self.maps[name] = name
        case.write("deeper.yaml", DEEPER)
        self.maps["refined"] = "deeper"
        with h5py.File(case.path("choice.h5"), "r+") as file:  # so that a resume has work to do
            file["outcome"][1] = 0
        mutations.make_minimal(case.path("minimal.h5"), ())
        mutations.make_minimal(case.path("outputs.h5"), ("mode", "sequence"))
        self.maps.update(minimal="plain", outputs="plain")
        if shutil.which("h5repack"):
            shutil.copy(case.path("plain.h5"), case.path("compressed.h5"))
            case.good("run", "plain.yaml", "-o", "compressed.h5", "--resume", "--compress",
                      "--progress", "none")
            self.maps["compressed"] = "plain"

    def mutations(self, per_map, seed, bytes_per_map):
        """(map, name, change) of every map, at most `per_map` of them structured."""
        chosen = []
        for name in sorted(self.maps):
            path = self.case.path(f"{name}.h5")
            every = list(mutations.structured(path))
            random.Random(seed).shuffle(every)
            every = every[:per_map] + list(byte_mutations.of_bytes(path, bytes_per_map, seed))
            chosen += [(name, what, change) for what, change in every]
        return chosen

    def run(self, *words):
        """Runs the program; runs at the same time must not share the folder of Open MPI."""
        stdout = subprocess.PIPE if words[0] == "info" else subprocess.DEVNULL
        with tempfile.TemporaryDirectory(dir=self.case.folder) as own:
            environment = dict(self.environment, OMPI_MCA_orte_tmpdir_base=own)
            process = subprocess.Popen([support.PROGRAM, *words], cwd=self.case.work, env=environment,
                                       stdin=subprocess.DEVNULL, stdout=stdout,
                                       stderr=subprocess.PIPE)
            resource.prlimit(process.pid, resource.RLIMIT_CPU, (SECONDS, SECONDS + 1))
            try:
                out, err = process.communicate(timeout=PATIENCE)
            except subprocess.TimeoutExpired:
                process.kill()
                process.communicate()
                return Result(None, "", "")
        return Result(process.returncode, (out or b"").decode("utf-8", "replace"),
                      err.decode("utf-8", "replace"))

    def frames(self, words):
        """The frames of the program's first access to memory that is not its own."""
        if SANITIZED or not shutil.which("valgrind"):
            return ""
        done = subprocess.run(["valgrind", "-q", support.PROGRAM, *words], cwd=self.case.work,
                              env=self.environment, stdin=subprocess.DEVNULL,
                              stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                              timeout=60 * SECONDS, preexec_fn=unlimited)
        return done.stderr.decode("utf-8", "replace")

    def note(self, what, words, command):
        result = self.run(*words)
        self.ends[command, result.code] += 1
        fault = fault_of(result, command)
        if not fault and command == "info" and result.code == 0:
            fault = self.fault_of_json(result.out)
        if fault:
            died = result.code is not None and result.code < 0 and result.code != -signal.SIGXCPU or \
                "reading it crashed" in result.err
            frames = result.err + (self.frames(words) if died else "")
            (self.in_hdf5 if is_in_hdf5(frames) else self.faults).append(f"{what}: {fault}")
            self.report()

    @staticmethod
    def fault_of_json(text):
        try:
            found = json.loads(text)
        except ValueError as error:
            return f"no JSON: {error}"
        cells = sum(found["outcomes"].values())
        if "cells" not in found:  # a refined map that is not at its end has points alone
            return "" if found["done"] <= cells else f"{cells} outcomes, {found['done']} done"
        return "" if cells == found["cells"] else f"{cells} outcomes of {found['cells']} cells"

    def attack(self, number, mutation, resume):
        """One mutation; its file is kept where there is a fault."""
        name, what, change = mutation
        path = self.case.path(f"spoilt{number}.h5")
        shutil.copy(self.case.path(f"{name}.h5"), path)
        try:
            change(path)
        except (OSError, TypeError, ValueError, KeyError, RuntimeError, AttributeError) as error:
            self.skipped[type(error).__name__] += 1  # h5py cannot do this to such a dataset
            os.unlink(path)
            return
        commands = [("info", path, "--json", "--digest"), ("export", path)]
        if number % 3 == 0:
            commands.append(("info", path, "--digest"))
        if name in ("refined", "growing"):
            commands.append(("export", path, TABLES[number % len(TABLES)]))
        if resume:
            commands.append(("run", f"{self.maps[name]}.yaml", "-o", path, "--resume",
                             "--progress", "none"))
        before = len(self.faults) + len(self.in_hdf5)
        for words in commands:
            kind = "text" if words[2:] == ("--digest",) else words[0]
            self.note(f"{name}, {what}, {kind}", words, kind)
        folder = os.environ.get("IMPACT_KEEP")
        if folder and len(self.faults) + len(self.in_hdf5) > before:
            change(shutil.copy(self.case.path(f"{name}.h5"),
                               os.path.join(folder, f"{name}_{number}.h5")))
        os.unlink(path)

    def attack_all(self, chosen, resume_every):
        jobs = [(i, mutation, i % resume_every == 0) for i, mutation in enumerate(chosen)]
        support.in_parallel(lambda job: self.attack(*job), jobs)
        return len(chosen) - sum(self.skipped.values())

    def report(self):
        """Figures, for the environment's IMPACT_REPORT."""
        lines = [f"{command} {code}: {n}" for (command, code), n in sorted(
            self.ends.items(), key=str)]
        lines += [f"skipped {dict(self.skipped)}", f"faults {len(self.faults)}",
                  f"inside libhdf5 {len(self.in_hdf5)}", *self.faults, *self.in_hdf5]
        if os.environ.get("IMPACT_REPORT"):
            with open(os.environ["IMPACT_REPORT"], "w") as file:
                file.write("\n".join(lines) + "\n")
