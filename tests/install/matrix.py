#!/usr/bin/python3
"""Builds with every compiler and library that the project promises, as users build, and prints a table:
compiler, flags, libraries, tests passed, digest.

    matrix.py [--quick | --suite] [--folder FOLDER] [BUILD...]

Each program computes one map on three ranks, and each library one cell; then ctest runs the tests of `tests/run.sh`
(--quick) or of `tests/run.sh --all` (--suite) in each build that has a program. Exit code 1: something failed, or the
digests differ.
BUILD: some of the names in the first column; all by default. FOLDER is kept, and used again.
"""
import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile

from builds import BUILDS, cell, digest

ALLOWED = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
           "OMPI_MCA_rmaps_base_oversubscribe": "1"}


def own_launcher(build, folder):
    """PATH with the build's own mpirun in front, as a module would set it."""
    environment = dict(os.environ, **ALLOWED)
    if build.launcher and build.launcher[0] != "mpirun":
        os.makedirs(folder, exist_ok=True)
        script = os.path.join(folder, "mpirun")
        with open(script, "w") as file:
            file.write(f'#!/bin/sh\nexec {build.launcher[0]} "$@"\n')
        os.chmod(script, 0o755)
        environment["PATH"] = folder + os.pathsep + environment["PATH"]
    return environment


def passed(build, folder, *chosen):
    """How many of the chosen tests passed, how many there are, and the names of those that failed."""
    text = subprocess.run(["ctest", "--test-dir", folder, *chosen], capture_output=True, text=True,
                          env=own_launcher(build, folder + "/launcher")).stdout
    failed = re.findall(r"^\s+\d+ - (\S+) \((?!Skipped|Disabled)", text, re.M)
    bad, total = map(int, re.search(r"(\d+) tests failed out of (\d+)", text).groups())
    return total - bad, total, failed


def row(build, folder, tests, reader):
    """Cells of the table, what must be equal in all rows, and the tests that failed; tests: words for ctest."""
    program = build.make(folder, tests=bool(tests) and build.name not in ("library", "aarch64"))
    if not os.path.exists(program):
        with open(os.path.join(folder, "CMakeCache.txt")) as cache:
            compiler = re.search(r"^CMAKE_C_COMPILER:\w+=(.*)$", cache.read(), re.M)[1]
        said = cell(build, os.path.join(folder, "libimpact.a"), folder)
        return [os.path.basename(compiler), "", "libc, libm", "one cell", said.split()[0]], None, []
    version = dict(line.split(None, 1) for line in
                   subprocess.run([program, "--version"], capture_output=True, text=True).stdout.splitlines())
    count, failed = "one map", []
    if tests:
        good, total, failed = passed(build, folder, *tests, "-j", str(os.cpu_count()))
        count = f"{good} of {total}"
    value = digest(build, program, reader or program, folder, dict(os.environ, **ALLOWED))
    return [version["compiler"], version["flags"], version["libraries"], count, value[:16]], value, failed


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--quick", dest="tests", action="store_const", const=("-L", "quick"), default=())
    which.add_argument("--suite", dest="tests", action="store_const", const=("-LE", "long"))
    parser.add_argument("--folder")
    parser.add_argument("builds", nargs="*", metavar="BUILD")
    request = parser.parse_args()
    if unknown := set(request.builds) - set(BUILDS):
        parser.error(f"no builds {', '.join(sorted(unknown))}; there are {', '.join(BUILDS)}")
    folder = request.folder or tempfile.mkdtemp(prefix="impact_matrix_")
    values, cells, reader, bad = set(), set(), None, False
    print("| build | compiler | flags | libraries | tests passed | digest, or one cell |\n|" + " --- |" * 6)
    for name in request.builds or BUILDS:
        build = BUILDS[name]
        if build.missing():
            print(f"| {name} | not built: {build.missing()} is not installed |||||", flush=True)
            bad = True
            continue
        try:
            columns, value, failed = row(build, os.path.join(folder, name), request.tests, reader)
        except AssertionError as reason:
            print(f"| {name} | failed: {reason} |||||", flush=True)
            bad = True
            continue
        reader = reader or (os.path.join(folder, name, "impactsweep") if value else None)
        (values if value else cells).add(value or columns[-1])
        print(f"| {name} | " + " | ".join(columns) + " |", flush=True)
        for test in failed:
            print(f"failed in {name}: {test}", flush=True)
        bad = bad or bool(failed)
    if len(values) > 1 or len(cells) > 1:
        print("the results differ")
    if not request.folder:
        shutil.rmtree(folder)
    return int(bad or len(values) > 1 or len(cells) > 1)


if __name__ == "__main__":
    sys.exit(main())
