#!/usr/bin/python3
"""Mutants of a room that its quick tests should find: mutation.py BUILD ROOM COUNT [SEED], BUILD a build made by Ninja.

A mutant has one operator or number of one line changed, at a random place. Its file is compiled anew with the command of
the build and linked into the tests in place of the original. A test that fails, crashes or takes ten times as long as
with the original finds it. Prints the survivors and the score."""
import glob
import os
import random
import re
import shlex
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
ROOMS = {  # files, tests
    "num": (["src/num/*.c"], ["test_exponential", "test_trigonometry", "test_circle", "test_scan"]),
    "marks": (["src/store/marks.c", "src/sched/written.c", "src/sched/tally.c", "src/sched/crew.c",
               "src/sched/lead_watch.c"], ["test_simulator 1 2000"]),
}
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
    def __init__(self, build, files, tests, folder):
        self.build, self.folder = os.path.abspath(build), folder
        self.tests = [test.split() for test in tests]
        self.made = {test[0]: commands_of(build, test[0]) for test in self.tests}
        names = [os.path.relpath(path, ROOT) for pattern in files for path in sorted(glob.glob(f"{ROOT}/{pattern}"))]
        self.sites = [(name, *place) for name in names for place in places(self.text(name))]
        self.wanted, self.patience = {}, {}
        for test in self.tests:
            start = time.monotonic()
            self.wanted[test[0]] = self.run([os.path.join(self.build, "tests", test[0]), *test[1:]], 1000)
            self.patience[test[0]] = 10 * (time.monotonic() - start) + 5

    @staticmethod
    def text(name):
        with open(os.path.join(ROOT, name)) as file:
            return file.read()

    def shell(self, command):
        return subprocess.run(command, shell=True, cwd=self.build, capture_output=True, text=True).returncode == 0

    @staticmethod
    def run(words, seconds):
        """The exit code of a test; None: it does not end."""
        try:
            return subprocess.run(words, capture_output=True, timeout=seconds).returncode
        except subprocess.TimeoutExpired:
            return None

    def compile(self, name, mutant):
        """The object of the mutant and that of the original, the latter as the build names it; None: it does not
        compile."""
        lines = [line for made in self.made.values() for line in made if f"/{name} " in line + " " and " -c " in line]
        original = re.search(r" -o (\S+)", lines[0])[1]
        source, target = os.path.join(self.folder, os.path.basename(name)), os.path.join(self.folder, "mutant.o")
        with open(source, "w") as file:
            file.write(mutant)
        near = shlex.quote(os.path.dirname(os.path.join(ROOT, name)))
        line = re.sub(r"(\S*ccache )?(.*) -o \S+ -c \S+", rf"\2 -w -I{near} -o {target} -c {source}", lines[0])
        line = re.sub(r" -Werror\b| -MD| -M[TF] \S+", "", line)
        return (target, original) if self.shell(line) else None

    def find(self, target, original):
        """The test that finds the mutant; "": none does; None: it cannot be linked."""
        for test in self.tests:
            program = os.path.join(self.folder, test[0])
            link = self.made[test[0]][-1]
            if original in link:
                link = link.replace(original, target)
            else:
                link = re.sub(r" -o ", f" {target} -o ", link, count=1)
            link = re.sub(r" -o \S+", f" -o {program}", link, count=1)
            if not self.shell(link):
                return None
            if self.run([program, *test[1:]], self.patience[test[0]]) != self.wanted[test[0]]:
                return test[0]
        return ""


def main():
    build, name, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
    seed = int(sys.argv[4]) if len(sys.argv) > 4 else 24
    rng = random.Random(seed)
    with tempfile.TemporaryDirectory() as folder:
        room = Room(build, *ROOMS[name], folder)
        found = tried = 0
        for file, start, end, new in rng.sample(room.sites, len(room.sites)):
            if tried == count:
                break
            text = room.text(file)
            objects = room.compile(file, text[:start] + new + text[end:])
            by = room.find(*objects) if objects else None
            if by is not None:
                tried += 1
                found += by != ""
                if by == "":
                    number = text.count("\n", 0, start) + 1
                    print(f"survives: {file}:{number}: {text[start:end].strip()} -> {new.strip()}: "
                          f"{text.splitlines()[number - 1].strip()}", flush=True)
    print(f"{name}: {found} of {tried} mutants found, of {len(room.sites)} places, seed {seed}")


if __name__ == "__main__":
    main()
