#!/usr/bin/python3
"""Times the cells of every theory, law and body on one core, with six common outputs and with all of them.

    tests/bench/bench.py [TEXT]... [--program PROGRAM] [--against REVISION] [--rounds N] [--markdown]

The rows are those that contain every TEXT. Without --program (a built bench_every, which also has theories that need
PETSc) libimpact is built. --against builds that of another revision too, and runs both in turn; the least of all
rounds counts. Reference steps are those of a chain of square roots and divisions, timed just before each row."""
import argparse
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
SOURCES = ["bench/bench_every.c", "support/batch.c", "support/every.c", "support/random.c"]
COLUMNS = ("ns", "cycles", "steps")
OUTPUTS = ("common", "every")


def call(*words):
    done = subprocess.run(words, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(words)}\n{done.stdout}{done.stderr}")
    return done.stdout


def build(root, folder):
    """bench_every with the kernels of a tree; the program itself is always that of this tree."""
    call("cmake", "-S", root, "-B", folder, "-G", "Ninja", "-DIMPACT_PROGRAM=off", "-DCMAKE_BUILD_TYPE=Release")
    call("cmake", "--build", folder, "--target", "impact_static", "-j", "2")
    program = os.path.join(folder, "bench_every")
    call("cc", "-std=c11", "-D_DEFAULT_SOURCE", "-O2", "-ffp-contract=off",
         *(word for path in (os.path.join(root, "src"), os.path.join(root, "include"), os.path.join(ROOT, "tests"))
           for word in ("-I", path)),
         *(os.path.join(ROOT, "tests", source) for source in SOURCES), os.path.join(root, "src/models/no_petsc.c"),
         os.path.join(folder, "libimpact.a"), "-lm", "-o", program)
    return program


def measure(program, texts):
    """{(what was chosen, outputs): {column: number}}."""
    found = {}
    for line in call(program, *texts).splitlines():
        chosen, outputs, *values = line.split("\t")
        found[chosen.strip(), outputs] = dict(zip(COLUMNS, map(float, values)))
    return found


def least(one, other):
    return {key: {name: min(value, other[key][name]) for name, value in row.items()} for key, row in one.items()
            if key in other}


def in_turn(programs, texts, rounds):
    """The least of some rounds for each program."""
    found = [measure(program, texts) for program in programs]
    for _ in range(rounds - 1):
        found = [least(before, measure(program, texts)) for before, program in zip(found, programs)]
    return found


def rows(found):
    """The header and the rows of the table of a run, or of two of them."""
    new, *old = found
    yield ["", *(f"{outputs}: {title}" for outputs in OUTPUTS
                 for title in (("ns", "ns before", "ratio") if old else ("cells per second", "cycles", "steps")))]
    for chosen in dict.fromkeys(chosen for chosen, _ in new):
        line = [chosen]
        for outputs in OUTPUTS:
            row = new[chosen, outputs]
            if old:
                before = old[0].get((chosen, outputs), {}).get("ns", float("nan"))
                line += [f"{row['ns']:,.0f}", f"{before:,.0f}", f"{row['ns'] / before:.2f}"]
            else:
                line += [f"{1e9 / row['ns']:,.0f}", f"{row['cycles']:,.0f}", f"{row['steps']:,.1f}"]
        yield line


def print_table(lines, markdown):
    lines = list(lines)
    widths = [max(len(line[k]) for line in lines) for k in range(len(lines[0]))]
    for n, line in enumerate(lines):
        if markdown:
            print("| " + " | ".join(line) + " |")
            print("|---|" + "---:|" * (len(line) - 1) if n == 0 else "", end="\n" if n == 0 else "")
        else:
            print(line[0].ljust(widths[0]), *(text.rjust(width) for text, width in zip(line[1:], widths[1:])), sep="  ")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("texts", nargs="*", metavar="TEXT")
    parser.add_argument("--program")
    parser.add_argument("--against", metavar="REVISION")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--markdown", action="store_true")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        programs = [asked.program or build(ROOT, os.path.join(folder, "new"))]
        if asked.against:
            tree = os.path.join(folder, "tree")
            call("git", "-C", ROOT, "worktree", "add", "--detach", tree, asked.against)
            try:
                programs.append(build(tree, os.path.join(folder, "old")))
            finally:
                call("git", "-C", ROOT, "worktree", "remove", "--force", tree)
        print_table(rows(in_turn(programs, asked.texts, asked.rounds)), asked.markdown)


if __name__ == "__main__":
    main()
