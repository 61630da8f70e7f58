#!/usr/bin/python3
"""Makes a wheel that works alone: the Python package with libimpact, the program and the scripts in it, which need neither
MPI nor HDF5 nor a compiler where they are installed.

    jobs/wheel.py [FOLDER] [--build FOLDER]

FOLDER takes the wheel (default: the present one). It is built in --build (default: build/wheel) by gcc, CMake, Ninja and
Debian's packages `jobs/packages.sh wheel`, without a network. Its tag promises the oldest C library that has every function
which the program and the library call, by the versions of these functions, one by one. With equal sources and tools the
bytes are equal: times in it are SOURCE_DATE_EPOCH, or else that of the last commit.
"""
import argparse
import glob
import os
import platform
import re
import shutil
import subprocess
import sys

TOP = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
OPTIONS = ["-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release", "-DIMPACT_WERROR=on", "-DIMPACT_TESTS=off", "-DIMPACT_MPI=off",
           "-DIMPACT_PETSC=off", "-DIMPACT_STATIC=on"]
SCRIPTS = ("plot.py", "fit.py", "required.py")
# Libraries of the system that PEP 600 lets a wheel for manylinux need.
ALLOWED = {"libc.so.6", "libm.so.6", "libdl.so.2", "libpthread.so.0", "librt.so.1", "ld-linux-x86-64.so.2",
           "ld-linux-aarch64.so.1"}


def output(*words, **options):
    return subprocess.run(words, check=True, capture_output=True, text=True, **options).stdout


def needs(path):
    """(libraries of the system, {function: version of the C library that it came with}) of a program or library."""
    libraries = set(re.findall(r"\(NEEDED\).*\[(.+)\]", output("readelf", "-dW", path)))
    symbols = dict(re.findall(r"\bUND\s+(\w+)@GLIBC_([\d.]+)", output("readelf", "--dyn-syms", "-W", path)))
    return libraries, symbols


def tag(paths):
    """The platform of files, such as manylinux_2_34_x86_64; an error if one needs a library that may be missing."""
    oldest = (2, 17)  # the first that has such a name
    for path in paths:
        libraries, symbols = needs(path)
        if libraries - ALLOWED:
            raise SystemExit(f"wheel.py: error: {path} needs {', '.join(sorted(libraries - ALLOWED))}; a wheel may need the C "
                             "library alone")
        oldest = max([oldest, *(tuple(map(int, version.split(".")))[:2] for version in symbols.values())])
    return f"manylinux_{oldest[0]}_{oldest[1]}_{platform.machine()}"


def build(folder):
    settings = [f"-DHDF5_C_COMPILER_EXECUTABLE={shutil.which('h5cc')}"] if shutil.which("h5cc") else []
    subprocess.run([os.path.join(TOP, "jobs", "build.sh"), folder, *OPTIONS, *settings, "--", "--target", "impactsweep",
                    "impact_shared"], check=True)


def stage(built, folder):
    """A folder for setuptools: the package, and in `alone` what the build has made and the scripts."""
    shutil.rmtree(folder, ignore_errors=True)
    package = os.path.join(folder, "impactsweep")
    shutil.copytree(os.path.join(TOP, "postprocess", "impactsweep"), package,
                    ignore=shutil.ignore_patterns("__pycache__", "*.pyc", "alone"))
    alone = os.path.join(package, "alone")
    os.makedirs(alone)
    library = os.path.basename(glob.glob(os.path.join(built, "libimpact.so.[0-9]"))[0])
    made = [os.path.join(alone, name) for name in ("impactsweep", library)]
    for path in made:
        subprocess.run(["strip", "--strip-unneeded", "-o", path, os.path.join(built, os.path.basename(path))], check=True)
    for name in SCRIPTS:
        shutil.copy(os.path.join(TOP, "postprocess", name), alone)
    for name in ("pyproject.toml", "setup.py", "README.md"):
        shutil.copy(os.path.join(TOP, "postprocess", name), folder)
    for source, name in (("LICENSE", "LICENSE"), ("jobs/packages/copyright", "NOTICE")):
        shutil.copy(os.path.join(TOP, source), os.path.join(folder, name))
    # What a file may do depends neither on the umask nor on the clone.
    for where, folders, names in os.walk(folder):
        for name in folders + names:
            path = os.path.join(where, name)
            os.chmod(path, 0o755 if os.path.isdir(path) or name == "impactsweep" else 0o644)
    return made


def date_of_the_sources():
    try:
        return output("git", "-C", TOP, "log", "-1", "--format=%ct").strip()
    except (OSError, subprocess.CalledProcessError):
        return "1764115200"  # an archive without its history: the day of version 1.0.0


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("folder", nargs="?", default=".")
    parser.add_argument("--build", default=os.path.join(TOP, "build", "wheel"))
    options = parser.parse_args()
    target, built = os.path.abspath(options.folder), os.path.abspath(options.build)
    build(built)
    staged = os.path.join(built, "stage")
    made = stage(built, staged)
    settings = dict(os.environ, IMPACT_WHEEL_PLATFORM=tag(made), PIP_NO_INDEX="1", PIP_DISABLE_PIP_VERSION_CHECK="1")
    settings.setdefault("SOURCE_DATE_EPOCH", date_of_the_sources())
    os.makedirs(target, exist_ok=True)
    done = subprocess.run(["/usr/bin/python3", "-m", "pip", "wheel", "--no-deps", "--no-build-isolation", "-w", target, staged],
                          env=settings, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"wheel.py: error: pip: {done.stdout}{done.stderr}")
    name = re.search(r"filename=(\S+)", done.stdout)[1]
    print(os.path.join(target, name))


if __name__ == "__main__":
    sys.exit(main())
