#!/usr/bin/python3
"""Mutants of a room that its quick tests should find: mutation.py BUILD ROOM COUNT [SEED], BUILD a build made by Ninja.

A mutant has one operator or number of one line changed, at a random place. Its file, or where that is a header the files
of its folder that include it, are compiled anew with the commands of the build and linked into the tests in place of the
originals. A test that fails, crashes or takes ten times as long as
with the original finds it. Prints the survivors and the score."""
import glob
import os
import random
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
ROOMS = {  # files, and the tests that should find their mutants, quick ones first
    "num": [("src/num/**/*.c", ["test_exponential", "test_trigonometry", "test_circle", "test_scan"])],
    "marks": [(f"src/{file}.c", ["test_simulator 1 2000"]) for file in (
        "store/marks", "sched/written", "sched/tally", "sched/crew", "sched/lead_watch", "sched/worker")],
    "kernels": [
        ("src/models/compliant/*.[ch]", [
            "test_compliant_published", "test_boundaries", "test_pendulum", "test_compliant_energy", "test_compliant_laws",
            "test_compliant_history", "test_compliant_lanes", "test_identities", "test_motion", "test_contract"]),
        ("src/models/rigid/*.[ch]", ["test_rigid", "test_rigid_published", "test_rigid_history", "test_rigid_lanes",
                                  "test_rigid_mechanisms", "test_contract"]),
        ("src/models/swerve/*.[ch]", ["test_swerve", "test_swerve_flow", "test_swerve_compromise", "test_swerve_identities",
                                   "test_contract"]),
        ("src/models/compliant3d/*.[ch]", ["test_compliant3d_independent", "test_compliant3d", "test_contract"]),
        ("src/models/continuum/*.[ch]", ["test_continuum", "test_continuum_history", "test_contract"]),
        ("src/models/viscoelastic/*.[ch]", ["test_viscoelastic", "test_viscoelastic_independent", "test_contract"])],
    "store": [("src/store/*.c", ["store/test_plain.py", "store/test_file.py", "store/test_info_export.py",
                                 "store/test_refined_file.py", "robust/test_power.py", "robust/test_refuse.py",
                                 "cmd/test_trace.py", "robust/test_refined.py"])],
}
SKIPPED = 77  # the exit code by which ctest knows it
CHANGES = [(r" < ", [" <= ", " > "]), (r" > ", [" >= ", " < "]), (r" <= ", [" < "]), (r" >= ", [" > "]),
           (r" == ", [" != "]), (r" != ", [" == "]), (r" && ", [" || "]), (r" \|\| ", [" && "]), (r" \+ ", [" - "]),
           (r" - ", [" + "]), (r" \* ", [" / "]), (r" / ", [" * "]), (r" \+= ", [" -= ", " = "]), (r"\b0\b", ["1"]),
           (r"\b1\b", ["0", "2"]), (r"\breturn (?=[a-z!])", ["return !"]), (r"\+\+", ["--"])]


def places(text):
    """(start, end, replacement) of every change, in lines of code."""
    code = re.sub(r"/\*.*?\*/|\"(?:\\.|[^\"\\])*\"|^#[^\n]*", lambda m: " " * len(m[0]) if "\n" not in m[0] else
                  re.sub(r"[^\n]", " ", m[0]), text, flags=re.S | re.M)
    return [(m.start(), m.end(), new) for pattern, words in CHANGES for m in re.finditer(pattern, code) for new in words]


def commands_of(build, target):
    return subprocess.run(["ninja", "-C", build, "-t", "commands", target], capture_output=True, text=True,
                          check=True).stdout.splitlines()


class Room:
    """groups: those of ROOMS. A test that ends with .py runs the program, others are programs themselves."""

    def __init__(self, build, groups, folder):
        self.build, self.folder = os.path.abspath(build), folder
        self.sites, self.tests, self.made, self.wanted, self.patience = [], {}, {}, {}, {}
        for pattern, tests in groups:
            for path in sorted(glob.glob(f"{ROOT}/{pattern}", recursive=True)):
                name = os.path.relpath(path, ROOT)
                self.sites += [(name, *place) for place in places(self.text(name))]
                self.tests[name] = tests

    def prepare(self, test):
        """How a test is made, what it returns with the original, and how long a mutant may take."""
        if test in self.wanted:
            return
        self.made[test] = commands_of(self.build, self.target(test))
        start = time.monotonic()
        built = "impactsweep" if test.endswith(".py") else f"tests/{self.target(test)}"
        self.wanted[test] = self.run(test, os.path.join(self.build, built), 1000)
        if self.wanted[test] not in (0, SKIPPED):
            sys.exit(f"{test} fails without a mutant, and would find none")
        self.patience[test] = 5 * (time.monotonic() - start) + 5

    @staticmethod
    def target(test):
        return "impactsweep" if test.endswith(".py") else test.split()[0]

    @staticmethod
    def text(name):
        with open(os.path.join(ROOT, name)) as file:
            return file.read()

    def shell(self, command):
        return subprocess.run(command, shell=True, cwd=self.build, capture_output=True, text=True).returncode == 0

    def run(self, test, program, seconds):
        """The exit code of a test; None: it does not end."""
        words = [program, *test.split()[1:]]
        if test.endswith(".py"):
            words = ["/usr/bin/python3", "-m", "pytest", "-x", os.path.join(ROOT, "tests", test)]
        environment = {**os.environ, "IMPACTSWEEP": program, "IMPACT_BUILD": self.build}
        try:
            return subprocess.run(words, capture_output=True, timeout=seconds, env=environment).returncode
        except subprocess.TimeoutExpired:
            return None

    def sources(self, name):
        """The files to compile for a mutant of a file."""
        if name.endswith(".c"):
            return [name]
        listing = subprocess.run(["ninja", "-C", self.build, "-t", "deps"], capture_output=True, text=True, check=True)
        near = os.path.dirname(name) + "/"
        users = [block.split() for block in listing.stdout.split("\n\n") if f"/{name}\n" in block + "\n"]
        files = {os.path.relpath(os.path.join(self.build, word), ROOT) for words in users for word in words
                 if word.endswith(".c")}
        return sorted(file for file in files if file.startswith(near))

    def compile(self, name, mutant):
        """The objects of the mutant and those of the original, the latter as the build names them; []: it does not
        compile."""
        for test in self.tests[name]:
            self.prepare(test)
        shadow = os.path.join(self.folder, "shadow", os.path.relpath(name, "src"))
        shutil.rmtree(os.path.join(self.folder, "shadow"), ignore_errors=True)
        os.makedirs(os.path.dirname(shadow))
        with open(shadow, "w") as file:
            file.write(mutant)
        objects = []
        for source in self.sources(name):
            lines = [line for test in self.tests[name] for line in self.made[test]
                     if f"/{source} " in line + " " and " -c " in line]
            path = shadow if source == name else os.path.join(ROOT, source)
            near = shlex.quote(os.path.dirname(os.path.join(ROOT, name)))
            for original, line in {re.search(r" -o (\S+)", line)[1]: line for line in lines}.items():  # one for each width of lanes
                target = os.path.join(self.folder, f"mutant_{len(objects)}.o")
                line = re.sub(r"(\S*ccache )?(\S+) (.*) -o \S+ -c \S+",
                              rf"\2 -I{self.folder}/shadow \3 -w -I{near} -o {target} -c {path}", line)
                line = re.sub(r" -Werror\b| -MD| -M[TF] \S+", "", line)
                if not self.shell(line):
                    return []
                objects.append((target, original))
        return objects

    def find(self, name, objects):
        """The test that finds the mutant; "": none does; None: it cannot be linked."""
        for test in self.tests[name]:
            program = os.path.join(self.folder, self.target(test))
            link = self.made[test][-1]
            for target, original in objects:
                if original in link:
                    link = link.replace(original, target)
                else:
                    link = re.sub(r" -o ", f" {target} -o ", link, count=1)
            link = re.sub(r" -o \S+", f" -o {program}", link, count=1)
            if not self.shell(link):
                return None
            if self.run(test, program, self.patience[test]) != self.wanted[test]:
                return test
        return ""


def main():
    build, name, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
    seed = int(sys.argv[4]) if len(sys.argv) > 4 else 24
    rng = random.Random(seed)
    with tempfile.TemporaryDirectory() as folder:
        room = Room(build, ROOMS[name], folder)
        found = tried = 0
        for file, start, end, new in rng.sample(room.sites, len(room.sites)):
            if tried == count:
                break
            text = room.text(file)
            objects = room.compile(file, text[:start] + new + text[end:])
            by = room.find(file, objects) if objects else None
            if by is not None:
                tried += 1
                found += by != ""
                print(f"{found} of {tried}", file=sys.stderr, flush=True)
                if by == "":
                    number = text.count("\n", 0, start) + 1
                    print(f"survives: {file}:{number}: {text[start:end].strip()} -> {new.strip()}: "
                          f"{text.splitlines()[number - 1].strip()}", flush=True)
    print(f"{name}: {found} of {tried} mutants found, of {len(room.sites)} places, seed {seed}")


if __name__ == "__main__":
    main()
