"""Shared by the tests of the program: run it, write configs, expect errors, look at maps.

The environment variables IMPACTSWEEP and IMPACT_BUILD name the program and its build folder. Every process of a
test has the test's folder in its environment: by this mark it is found and ended, even if its parent is gone. Files
of Open MPI are in that folder too, because a killed program leaves them behind."""
import glob
import hashlib
import json
import os
import re
import shutil
import signal
import subprocess
import tempfile
import time
from multiprocessing.pool import ThreadPool

import pytest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PROGRAM = os.path.abspath(os.environ["IMPACTSWEEP"])
BUILD = os.path.abspath(os.environ.get("IMPACT_BUILD", os.path.dirname(PROGRAM)))
# Whether the program under test was built with PETSc, which most solvers of the theory `beam` need.
BEAM = os.environ.get("IMPACT_PETSC", "ON") == "ON"
needs_beam = pytest.mark.skipif(not BEAM, reason="the program was built without PETSc")
# Whether its pages can solve, which takes a compiler for WebAssembly.
SOLVER_IN_PAGES = os.path.exists(os.path.join(BUILD, "generated", "page", "module.wasm.gz"))
MARK = "IMPACT_TEST_FOLDER"
OK, FAILURE, BAD_INPUT, STOPPED = 0, 1, 2, 75
SOLVED = 1  # the code of an outcome
LOCKED_LAUNCHER = 30  # s that a launcher may take to end after all ranks
DIGESTS = {}  # of undisturbed maps, by their configs
CENSUS = re.compile(r"^outcome +(\w+) +([\d,]+) +([\d.]+) %$", re.M)

# Cells whose values are known, and which last for their cost but leave the processor to others: see
# src/models/null/null.c.
NULL = """model: null
choose: {{fault: {fault}}}
axes:
  - {{param: x, from: 0, to: {last}, points: {points}}}
  - {{param: y, from: 0, to: 1, points: 100}}
fixed: {{cost: {cost}, fault_every: {fault_every}}}
"""
# Several bodies at once: angles below 0 are outside the pendulum's range, and parameters of only some of the bodies
# are accepted.
BODIES = """model: compliant
axes:
  - {param: angle, from: -80 deg, to: 80 deg, points: 41}
  - {param: body, values: [pendulum, sphere, general, rod]}
  - {param: friction, from: 0.01, to: 1.5, points: 100}
fixed: {stiffness_ratio: 0.7, velocity_ratio: 0.4, inertia_coupling: 0.6, mass: 2, radius: 1}
"""
# The third row is no body (b11 b22 < b12^2), the fourth is outside the pendulum's range, though inside the rod's.
BODY_TABLE = """body, angle [deg], b11, b12, b22, velocity_ratio
pendulum, 30, 1, 0, 1, 0.1
matrix, 30, 3.5, 0.5, 1, 0.4
matrix, -30, 1, 2, 1, -0.4
pendulum, -30, 1, 0, 1, 0.1
rod, -20, 1, 0, 1, 3
"""
# Up to three boundaries per cell.
ROOTS = """model: compliant
choose: {body: pendulum}
axes:
  - {param: friction, from: 0.3, to: 1.5, points: 5}
fixed: {stiffness_ratio: 1.21}
search:
  over: {param: angle, from: 0.01 deg, to: 89.99 deg, samples: 32}
  find: boundary
  of: mode
  in: [wedge]
"""


def pendulum(angles, frictions, more="", law=""):
    """A map of a pendulum over so many angles and frictions, with further lines."""
    return f"""model: compliant
choose: {{body: pendulum{law and f', law: {law}'}}}
axes:
  - {{param: angle, from: 1 deg, to: 89 deg, points: {angles}}}
  - {{param: friction, from: 0.01, to: 1.5, points: {frictions}}}
fixed: {{stiffness_ratio: 1.21}}
{more}"""


PENDULUM = pendulum(89, 50)


def committed_configs():
    """Paths of the committed configs whose solver the program has."""
    def is_known(path):
        with open(path, encoding="utf-8") as file:
            text = file.read()
            return BEAM or "model: beam" not in text or "solver: collocation" in text
    return sorted(filter(is_known, glob.glob(os.path.join(ROOT, "configs", "*.yaml"))))


def null_config(cells, cost="1.5e-5", fault="idle", fault_every=1):
    """Cells without physics, of which those are faulty whose x is a multiple of the last one. x is the number of the row, but
    for rounding: of 100 rows seven are not whole, and never faulty."""
    return NULL.format(last=cells // 100 - 1, points=cells // 100, cost=cost, fault=fault, fault_every=fault_every)


def null_values(x, y):
    """The output `value` of theory null over a grid of x and y, bit for bit."""
    mixed = (12.9898 * x[:, None] + 78.233 * y[None, :]) * 0.6180339887498949
    return mixed - mixed // 1


def environment(folder):
    """The mark, permission to run as root, and a folder for files that Open MPI leaves behind. Each start has its own:
    the first of two at a time would make a folder in it, and the other one would fail because it is there."""
    own = tempfile.mkdtemp(prefix="m", dir=folder)  # short: the name of a socket in it has at most 107 letters
    return dict(os.environ, **{
        MARK: folder, "TMPDIR": own,
        "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
        "OMPI_MCA_rmaps_base_oversubscribe": "1",
        "OMPI_MCA_pml": "ob1", "OMPI_MCA_btl": "self,vader",  # no search for networks: a start takes .4 s, not .7
        "OMPI_MCA_orte_tmpdir_base": own, "OMPI_MCA_btl_vader_backing_directory": own})


def command(words, ranks=0):
    """ranks 0: without mpirun."""
    launcher = ["mpirun", "-n", str(ranks)] if ranks else []
    return launcher + [PROGRAM] + [str(word) for word in words]


def as_another_user(words, folder):
    """The command with a copy of the program in this folder, because another user may not enter that of the build."""
    program = shutil.copy(PROGRAM, os.path.join(folder, "impactsweep"))
    os.chmod(program, 0o755)
    return [program, *command(words)[1:]]


def launcher_codes(code):
    """The exit codes that mpirun may return after a signal to itself, if those of its ranks are `code`: that of MPICH
    4.0.2 forgets most of them."""
    version = subprocess.run([PROGRAM, "--version"], capture_output=True, text=True, check=True).stdout
    return {code, 0} if re.search(r"^libraries +MPICH", version, re.M) else {code}


def marked_processes(folder):
    """{id: name} of the processes with this mark, whatever their parents."""
    found = {}
    for entry in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{entry}/environ", "rb") as file:
                words = file.read().split(b"\0")
            with open(f"/proc/{entry}/comm") as file:
                name = file.read().strip()
        except OSError:
            continue  # the process has ended, or belongs to another user
        if f"{MARK}={folder}".encode() in words:
            found[int(entry)] = name
    return found


def end_marked_processes(folder, patience=10):
    end = time.monotonic() + patience
    while time.monotonic() < end:
        alive = marked_processes(folder)
        if not alive:
            return
        for process in alive:
            try:
                os.kill(process, signal.SIGKILL)
            except ProcessLookupError:
                pass
        time.sleep(0.02)


def census(text):
    """{outcome: number of cells} of the table that `run` prints."""
    return {name: int(count.replace(",", "")) for name, count, _ in CENSUS.findall(text)}


def digest_of_bytes(path):
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


def share(items):
    """The items of a long campaign that a run with IMPACT_SHARE=i/n takes: every n-th from the i-th on."""
    first, every = map(int, os.environ.get("IMPACT_SHARE", "1/1").split("/"))
    return list(items)[first - 1::every]


def in_parallel(function, items):
    """Applies a function to all items on all cores; raises the first exception."""
    with ThreadPool(os.cpu_count()) as pool:
        return pool.map(function, items, chunksize=1)


class Case:
    """A test with a folder of its own, whose name holds no digits or words that tests look for. `ending` is that of
    conftest.py: an instance that the setup of a class makes, for what its tests share, ends with the class."""
    given = {}  # files that are there when a test begins, with their texts

    @classmethod
    def setup_class(cls):
        cls.shared = cls.new_folder(cls)

    def setup_method(self):
        self.folder = self.new_folder()
        self.work = os.path.join(self.folder, "work")
        os.mkdir(self.work)
        for name, text in self.given.items():
            self.write(name, text)

    @classmethod
    def prepared(cls):
        case = cls()
        case.setup_method()
        return case

    def new_folder(self):
        folder = os.path.realpath(tempfile.mkdtemp(prefix="impact_"))  # realpath: the mark is compared as text
        self.ending.callback(shutil.rmtree, folder, ignore_errors=True)
        self.ending.callback(end_marked_processes, folder)
        return folder

    def path(self, name):
        return os.path.join(self.work, name)

    def shared_map(self, config, name):
        """A copy of the map of a config, which is computed once for all tests of the class; its path."""
        made = os.path.join(self.shared, name)
        if not os.path.exists(made):
            self.good("run", self.write("x.yaml", config), "-o", made, "--progress", "none")
        return shutil.copy(made, self.path(name))

    def write(self, name, text):
        """Writes text or bytes into a file of the test's folder; returns its path."""
        with open(self.path(name), "wb") as file:
            file.write(text if isinstance(text, bytes) else text.encode())
        return self.path(name)

    def opened(self, name):
        """A map as a Dataset in memory."""
        import xarray  # most tests do without
        with xarray.open_dataset(self.path(name)) as data:
            return data.load()

    def made(self, config, *words, name="x", **options):
        """The same of the map NAME.h5 that a config makes."""
        self.write(f"{name}.yaml", config)
        self.good("run", f"{name}.yaml", "-o", f"{name}.h5", "--force", "--progress", "none", *words, **options)
        return self.opened(f"{name}.h5")

    def files(self):
        return sorted(os.listdir(self.work))

    def sweep(self, *words, ranks=0, stdout=subprocess.PIPE, timeout=120, preexec_fn=None):
        """Runs the program to its end, in the test's work folder."""
        return subprocess.run(command(words, ranks), cwd=self.work, env=environment(self.folder),
                              stdin=subprocess.DEVNULL, stdout=stdout, stderr=subprocess.PIPE,
                              text=True, timeout=timeout, preexec_fn=preexec_fn)

    def start(self, *words, ranks=0, env=None):
        """Starts the program; at the latest it ends with the test."""
        process = subprocess.Popen(command(words, ranks), cwd=self.work, text=True, stdin=subprocess.DEVNULL,
                                   env=env or environment(self.folder), stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.ending.callback(process.stdout.close)
        self.ending.callback(process.stderr.close)
        self.ending.callback(process.wait)
        self.ending.callback(end_marked_processes, self.folder)  # before the wait: last in, first out
        return process

    def end_of(self, process, patience=400):
        """Waits for the end of a run of which a process was killed; returns its stdout and stderr. After such a death
        the mpirun of Open MPI 4.1 sometimes outlives all ranks because it waits for a lock of its own; a user would
        end it, and so does this."""
        end, alone = time.monotonic() + patience, 0
        while True:
            try:
                return process.communicate(timeout=1)
            except subprocess.TimeoutExpired:
                alive = marked_processes(self.folder)
                assert time.monotonic() < end, f"does not end: {alive}"
                alone = alone + 1 if alive == {process.pid: "mpirun"} else 0
                if alone == LOCKED_LAUNCHER:
                    process.kill()

    def good(self, *words, code=OK, **options):
        """Runs the program, which must end with this code; returns its stdout."""
        result = self.sweep(*words, **options)
        assert result.returncode == code, f"{words}: {result.stderr}{result.stdout}"
        return result.stdout

    def run_config(self, config, file, *words, **options):
        """Makes a map of a config, which stays as x.yaml; returns what the program says."""
        self.write("x.yaml", config)
        return self.good("run", "x.yaml", "-o", file, *words, **options)

    def wanted_digest(self, config, **options):
        """The digest of the map of a config, which is computed once for all tests of a file."""
        if config not in DIGESTS:
            self.good("run", self.write("wanted.yaml", config), "-o", "wanted.h5", "--progress", "none", **options)
            DIGESTS[config] = self.digest("wanted.h5")
            os.remove(self.path("wanted.h5"))
            os.remove(self.path("wanted.yaml"))
        return DIGESTS[config]

    def bad(self, *words, code=BAD_INPUT, says=(), **options):
        """Runs the program, which must fail with this code and message, and print nothing."""
        result = self.sweep(*words, **options)
        assert result.returncode == code, f"{words}: {result.stderr}{result.stdout}"
        assert result.stdout == "", words
        for phrase in [says] if isinstance(says, str) else says:
            assert phrase in result.stderr, words
        return result.stderr

    def cell(self, *words):
        return json.loads(self.good("cell", *words, "--json"))

    def info(self, file):
        return json.loads(self.good("info", file, "--json"))

    def digest(self, file):
        found = re.search(r"^digest +([0-9a-f]{64})$", self.good("info", file, "--digest"), re.M)
        assert found, "info --digest prints no digest"
        return found[1]

    def check_digests(self, config, runs, parts=0):
        """A config has one digest for each of these runs, (ranks, options ...), and as so many joined parts."""
        self.write("x.yaml", config)
        digests = set()
        for ranks, *options in runs:
            self.good("run", "x.yaml", "-o", "map.h5", "--force", *options, ranks=ranks)
            digests.add(self.digest("map.h5"))
        for part in range(1, parts + 1):
            self.good("run", "x.yaml", "-o", f"{part}.h5", "--part", f"{part}/{parts}")
        if parts:
            self.good("join", "joined.h5", *(f"{part}.h5" for part in range(1, parts + 1)))
            digests.add(self.digest("joined.h5"))
        assert len(digests) == 1

    def begin_run(self, *options, ranks=0):
        """A run of x.yaml that has done cells in map.h5."""
        process = self.start("run", "x.yaml", "-o", "map.h5", "--checkpoint", "0", *options, ranks=ranks)
        self.wait_for_file("map.h5")
        self.wait_for(lambda: self.info("map.h5")["done"] > 0, "the first cells")
        return process

    def run_and_kill(self, *options):
        process = self.begin_run(*options)
        process.send_signal(signal.SIGKILL)
        process.wait()
        end_marked_processes(self.folder)

    def check_resume(self, config, *options):
        """A run that is killed after its first cells and resumed by two ranks has the digest of one that is not."""
        self.write("x.yaml", config)
        self.good("run", "x.yaml", "-o", "whole.h5")
        self.run_and_kill(*options)
        self.good("run", "x.yaml", "-o", "map.h5", "--resume", ranks=2)
        assert self.digest("map.h5") == self.digest("whole.h5")

    def wait_for(self, condition, what, patience=120):
        end = time.monotonic() + patience
        while not condition():
            assert time.monotonic() < end, f"waited in vain for {what}"
            time.sleep(0.005)

    def wait_for_file(self, name):
        self.wait_for(lambda: os.path.exists(self.path(name)), name)
