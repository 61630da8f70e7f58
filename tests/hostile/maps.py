"""Spoilt maps, given to info, export and run --resume. Shared by test_maps.py (a sample) and test_maps_long.py (the
campaign).

A fault inside the HDF5 library is counted apart. It is known by the frames of a sanitizer, or, if a plain program died
by a signal, by those of valgrind; without valgrind it counts as a fault of the program. IMPACT_SANITIZED tells that
the program has sanitizers, which limit the memory themselves."""
import collections
import json
import os
import re
import resource
import shutil
import signal
import subprocess
import tempfile
from typing import NamedTuple

import h5py
from hypothesis import given
from hypothesis import strategies as st

import byte_mutations
import mutations
import support
from shrinking import examples

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
fixed: {stiffness_ratio: 1.21, velocity_ratio: 0.5, angle: 30 deg, radius: 1}
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


class Spoilt(NamedTuple):
    map: str
    changes: list
    readers: int  # chooses the commands

    def __repr__(self):
        return f"{self.map}: {', then '.join(name for name, _ in self.changes)} (readers {self.readers})"


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
    for function_of_one, sanitizer, function_of_other, valgrind in FRAME.findall(text):
        place = sanitizer or valgrind
        if "libhdf5" in place or re.match("H5[A-Z]*_", function_of_one or function_of_other):
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

    def spoilt(self):
        """A strategy of Hypothesis: a map, one to three changes of it, and which commands read it."""
        def of(name):
            path = self.case.path(f"{name}.h5")
            # By its number: Hypothesis would put all of the changes into words for every map.
            structured = list(mutations.structured(path))
            of_structure = st.integers(0, len(structured) - 1).map(lambda k: structured[k])
            change = st.one_of(of_structure, of_structure, byte_mutations.of_bytes(path))
            return st.builds(Spoilt, st.just(name), st.lists(change, min_size=1, max_size=3), st.integers(0, 11))
        return st.one_of(*map(of, sorted(self.maps)))

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

    def attack(self, spoilt):
        """The faults that a spoilt map shows; its file is kept where there are some."""
        path = self.case.path("spoilt.h5")
        shutil.copy(self.case.path(f"{spoilt.map}.h5"), path)
        try:
            for _, change in spoilt.changes:
                change(path)
        except (OSError, TypeError, ValueError, LookupError, RuntimeError, AttributeError, MemoryError) as error:
            self.skipped[type(error).__name__] += 1  # this cannot be done to such a map
            return []
        commands = [("info", path, "--json", "--digest"), ("export", path)]
        if spoilt.readers % 3 == 0:
            commands.append(("info", path, "--digest"))
        if spoilt.map in ("refined", "growing"):
            commands.append(("export", path, TABLES[spoilt.readers % len(TABLES)]))
        if spoilt.readers % 6 == 0:
            commands.append(("run", f"{self.maps[spoilt.map]}.yaml", "-o", path, "--resume", "--progress", "none"))
        before, inside = len(self.faults), len(self.in_hdf5)
        folder = os.environ.get("IMPACT_KEEP")
        kept = shutil.copy(path, self.case.path("kept.h5")) if folder else None
        for words in commands:
            kind = "text" if words[2:] == ("--digest",) else words[0]
            self.note(f"{spoilt}, {kind}", words, kind)
        if folder and len(self.faults) + len(self.in_hdf5) > before + inside:
            shutil.copy(kept, os.path.join(folder, f"{spoilt.map}_{len(self.faults) + len(self.in_hdf5)}.h5"))
        return self.faults[before:]

    def attack_all(self, n):
        """Attacks n spoilt maps, of which the first that shows a fault is shrunk; returns how many could be made."""
        @examples(n)
        @given(self.spoilt())
        def attack(spoilt):
            assert self.attack(spoilt) == []
        try:
            attack()
        finally:
            self.report()
        return n - sum(self.skipped.values())

    def report(self):
        """Figures, for the environment's IMPACT_REPORT."""
        lines = [f"{command} {code}: {n}" for (command, code), n in sorted(
            self.ends.items(), key=str)]
        lines += [f"skipped {dict(self.skipped)}", f"faults {len(self.faults)}",
                  f"inside libhdf5 {len(self.in_hdf5)}", *self.faults, *self.in_hdf5]
        if os.environ.get("IMPACT_REPORT"):
            with open(os.environ["IMPACT_REPORT"], "w") as file:
                file.write("\n".join(lines) + "\n")
