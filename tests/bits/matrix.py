#!/usr/bin/python3
"""Builds the kernels with one compiler after another, for one processor after another, and compares the digests of
random cells with the table digests.txt.

    tests/bits/matrix.py [--cells N] [--row TEXT]... [--line TEXT]
    tests/bits/matrix.py --add PROGRAM | --write PROGRAM [--cells N]

A row of the matrix is built and run if this machine has what it needs; else it says what is missing. --row takes
the rows whose compiler, flags and platform contain every TEXT; --line the lines of the table with it, such as
law=dashpot. --add gives new theories, laws and bodies their
lines in the table, from a program that is built (build/tests/tests/bits); --write makes the table anew. A digest of more
cells than N stays where those of fewer cells are as they were."""
import argparse
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
from typing import NamedTuple

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
TABLE = os.path.join(HERE, "digests.txt")
sys.path.append(os.path.join(ROOT, "tests", "install"))  # pytest has it already
import copies
import processors

COLUMNS = (600, 10000, 1000000)
SOURCES = ["tests/bits/bits.c", "tests/support/batch.c", "tests/support/every.c", "tests/support/random.c",
           "src/models/no_petsc.c"]
PROCESSORS = (*processors.LEVELS, "native")
WASI = "--target=wasm32-wasi --sysroot=/usr -isystem /usr/include/wasm32-wasi -msimd128"


class Row(NamedTuple):
    """One build: its compiler, level of optimisation, processor; how its programs run."""
    compiler: str
    level: str
    platform: str
    target: str = ""  # flags of the compiler and of the linker
    linker: str = ""
    cmake: tuple = ()
    runner: tuple = ()
    needs: tuple = ()  # files, beside programs

    def title(self):
        return f"{self.compiler:24} {self.level:4} {self.platform:22}"


def rows():
    for compiler in ("gcc", "clang"):
        for level in ("-O1", "-O2", "-O3"):
            for processor in PROCESSORS:
                yield Row(compiler, level, processor, cmake=(f"-DIMPACT_PROCESSOR={processor}",))
    cross = ("-DCMAKE_SYSTEM_NAME=Linux", "-DCMAKE_TRY_COMPILE_TARGET_TYPE=STATIC_LIBRARY",
             "-DCMAKE_BUILD_WITH_INSTALL_RPATH=on")
    for level in ("-O1", "-O2", "-O3"):
        yield Row("aarch64-linux-gnu-gcc", level, "aarch64, qemu", linker="-static", cmake=cross,
                  runner=("qemu-aarch64",))
    for level in ("-O1", "-O2", "-O3"):
        yield Row("clang-14", level, "WebAssembly, node", WASI,
                  "-L/usr/lib/wasm32-wasi -Wl,-z,stack-size=4194304", cross,
                  ("node", "--no-warnings", os.path.join(HERE, "run_wasm.mjs")),
                  ("/usr/lib/wasm32-wasi/libc.a", "/usr/bin/wasm-ld-14"))


def missing(row):
    """What this machine lacks to build and run a row; none: nothing."""
    names = [row.compiler, "cmake", "ninja", *row.runner[:1]]
    lacks = [name for name in names if not shutil.which(name)]
    lacks += [name for name in row.needs if not os.path.exists(name)]
    return lacks + (processors.lacking(row.platform) if row.platform in processors.LEVELS else [])


def build(row, work):
    """The program `bits` of a row."""
    source, folder = copies.to_build(work, ROOT)
    # A cache serves every copy, also that of a user without the suite's settings.
    environment = {**os.environ, "CCACHE_BASEDIR": source, "CCACHE_NOHASHDIR": "1"}

    def call(*words):
        done = subprocess.run(words, capture_output=True, text=True, env=environment)
        if done.returncode:
            sys.exit(f"{row.title()}: {' '.join(words)}\n{done.stdout}{done.stderr}")

    call("cmake", "-S", source, "-B", folder, "-G", "Ninja", "-DIMPACT_PROGRAM=off", "-DCMAKE_BUILD_TYPE=Release",
         f"-DCMAKE_C_COMPILER={row.compiler}", f"-DCMAKE_C_FLAGS_RELEASE={row.level} -DNDEBUG",
         f"-DCMAKE_C_FLAGS={row.target}", *row.cmake,
         *(["-DCMAKE_C_COMPILER_LAUNCHER=ccache"] if shutil.which("ccache") else []))
    call("cmake", "--build", folder, "--target", "impact_bare", "-j", "2")
    program = os.path.join(folder, "bits")
    call(row.compiler, *row.target.split(), "-std=c11", "-D_DEFAULT_SOURCE", "-ffp-contract=off", row.level,
         "-I", os.path.join(ROOT, "src"), "-I", os.path.join(ROOT, "include"), "-I", os.path.join(ROOT, "tests"),
         *(os.path.join(ROOT, source) for source in SOURCES), os.path.join(folder, "libimpact_bare.a"),
         *row.linker.split(), "-lm", "-o", program)
    return program


def digests(program, cells, runner=(), line=""):
    """{(what was chosen, number of cells): digest} that a program `bits` prints."""
    lines = ["lines", line] if line else []
    done = subprocess.run([*runner, program, str(cells), *lines], capture_output=True, text=True, check=True)
    found = {}
    for line in done.stdout.splitlines():
        chosen, number, digest = line.rsplit(" ", 2)
        found[chosen, int(number)] = digest
    return found


def table():
    """The same from digests.txt."""
    found = {}
    with open(TABLE, encoding="utf-8") as file:
        for line in file:
            if not line.startswith("#"):
                chosen, *values = line.rstrip("\n").rsplit(" ", len(COLUMNS))
                found.update({(chosen, n): value for n, value in zip(COLUMNS, values) if value != "-"})
    return found


def of_table(found):
    """Without what the table leaves out: the few cells that PETSc solves."""
    return {key: digest for key, digest in found.items() if key[1] in COLUMNS}


def still_valid(known, found, cells):
    """Digests of the table for more cells than were run now, of what has the same digests of fewer cells as before."""
    same = {name for name, _ in found
            if all(known.get((name, n)) == found.get((name, n)) for n in COLUMNS if n <= cells)}
    return {(name, n): digest for (name, n), digest in known.items() if n > cells and name in same}


def write(found):
    """Makes digests.txt."""
    chosen = list(dict.fromkeys(name for name, _ in found))
    with open(TABLE, "w", encoding="utf-8") as file:
        file.write("# Digests of random cells, one line for each theory, law and body, made by tests/bits/matrix.py --write.\n"
                   f"# What was chosen; digests of {', '.join(f'{n:,}' for n in COLUMNS)} cells.\n")
        for name in chosen:
            file.write(" ".join([name, *(found.get((name, n), "-") for n in COLUMNS)]) + "\n")


def differences(found, cells, others=()):
    """What differs from the table, up to a number of cells; what has no line in the table yet is compared with
    the digests of another build, if there are others."""
    known = {**dict(others), **table()}
    wanted = {key: value for key, value in known.items() if key[1] <= cells}
    return sorted(key for key in wanted if wanted[key] != found.get(key))


def digest_of_all(found):
    return hashlib.sha256("\n".join(f"{k} {v}" for k, v in sorted(found.items())).encode()).hexdigest()[:16]


def run(row, cells, line=""):
    """The digests of a row, built in a folder of its own."""
    with tempfile.TemporaryDirectory(prefix="bits-") as folder:
        return digests(build(row, folder), cells, row.runner, line)


def skip_without(row):
    """Skips a test where the row cannot be built or run."""
    import pytest  # which this program itself does without
    lacks = missing(row)
    if lacks:
        pytest.skip(f"{' '.join(row.title().split())} needs {', '.join(lacks)}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cells", type=int, default=10000)
    parser.add_argument("--row", action="append", default=[])
    parser.add_argument("--line", default="")
    parser.add_argument("--add", metavar="PROGRAM")
    parser.add_argument("--write", metavar="PROGRAM")
    asked = parser.parse_args()
    if asked.add or asked.write:
        found, old = of_table(digests(asked.add or asked.write, asked.cells)), table()
        write({**found, **(old if asked.add else still_valid(old, found, asked.cells))})
        print(f"{os.path.relpath(TABLE)}: new lines: {len({name for name, _ in found} - {name for name, _ in old})}")
        return
    failed = False
    for row in (row for row in rows() if all(text in row.title() for text in asked.row)):
        lacks = missing(row)
        if lacks:
            print(f"{row.title()} skipped: without {', '.join(lacks)}", flush=True)
            continue
        found = run(row, asked.cells, asked.line)
        differ = [key for key in differences(found, asked.cells) if asked.line in key[0]]
        failed |= bool(differ)
        verdict = "equal" if not differ else f"{len(differ)} of {len(found)} differ, first {differ[0]}"
        print(f"{row.title()} {digest_of_all(found)} {verdict}", flush=True)
    sys.exit(failed)


if __name__ == "__main__":
    main()
