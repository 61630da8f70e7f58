"""Builds with other compilers and libraries: how each is configured, and what it computes."""
import os
import re
import shutil
import subprocess

from copies import TOP

HERE = os.path.dirname(os.path.abspath(__file__))
CONFIG = """model: compliant
choose: {body: pendulum}
axes:
  - {param: angle, from: 1 deg, to: 89 deg, points: 60}
  - {param: friction, from: 0.01, to: 1.5, points: 50}
fixed: {stiffness_ratio: 1.21}
"""


class Build:
    """One row of the matrix."""

    def __init__(self, name, *options, needs=(), launcher=(), emulator=()):
        self.name, self.options, self.needs = name, options, needs
        self.launcher, self.emulator = list(launcher), list(emulator)

    def missing(self):
        """The first tool that it needs and that is not installed; None if all are."""
        return next((tool for tool in self.needs if not shutil.which(tool)), None)

    def own_compiler(self):
        """Whether it has another compiler than the suite's own build."""
        return any(option.startswith("-DCMAKE_C_COMPILER=") for option in self.options)

    def make(self, folder, kind="Release", tests=False, environment=None, source=TOP, options=()):
        """Configures and builds in a folder, without the solver of pages, which is the same for all, and without
        what debuggers read, which takes a quarter of the time; raises what the compiler said."""
        for words in (["cmake", "-S", source, "-B", folder, "-G", "Ninja", "-DIMPACT_WERROR=on", "-DIMPACT_WASM=off",
                       f"-DIMPACT_TESTS={'on' if tests else 'off'}", f"-DCMAKE_BUILD_TYPE={kind}", "-DCMAKE_C_FLAGS_DEBUG=",
                       *self.options, *options], ["cmake", "--build", folder]):
            result = subprocess.run(words, capture_output=True, text=True, env=environment)
            if result.returncode:
                raise AssertionError(f"{self.name}: {result.stdout[-3000:]}{result.stderr[-3000:]}")
        return os.path.join(folder, "impactsweep")


# Debian's name of the launcher of Open MPI, where `mpirun` may be that of another MPI.
OPEN_MPI = (shutil.which("mpirun.openmpi") or "mpirun", "-n", "3")
SERIAL_HDF5 = f"-DHDF5_C_COMPILER_EXECUTABLE={shutil.which('h5cc')}"
BUILDS = {build.name: build for build in (
    Build("openmpi", launcher=OPEN_MPI),
    Build("mpich", "-DMPI_C_COMPILER=mpicc.mpich", "-DIMPACT_PETSC=off", SERIAL_HDF5,
          needs=("mpicc.mpich", "h5cc"), launcher=("mpirun.mpich", "-n", "3")),
    Build("alone", "-DIMPACT_MPI=off", SERIAL_HDF5, needs=("h5cc",)),
    Build("clang", "-DCMAKE_C_COMPILER=clang", needs=("clang",), launcher=OPEN_MPI),
    Build("gcc-11", "-DCMAKE_C_COMPILER=gcc-11", needs=("gcc-11",), launcher=OPEN_MPI),
    Build("clang-13", "-DCMAKE_C_COMPILER=clang-13", needs=("clang-13",), launcher=OPEN_MPI),
    Build("no-petsc", "-DIMPACT_PETSC=off", launcher=OPEN_MPI),
    Build("library", "-DIMPACT_PROGRAM=off"),
    Build("aarch64", "-DIMPACT_PROGRAM=off", "-DCMAKE_SYSTEM_NAME=Linux", "-DCMAKE_SYSTEM_PROCESSOR=aarch64",
          "-DCMAKE_C_COMPILER=aarch64-linux-gnu-gcc", needs=("aarch64-linux-gnu-gcc", "qemu-aarch64"),
          emulator=("qemu-aarch64", "-L", "/usr/aarch64-linux-gnu")),
)}


def digest(build, program, reader, folder, environment):
    """Of a map that the program computes, as another one says, which knows every file."""
    config, path = os.path.join(folder, "map.yaml"), os.path.join(folder, build.name + ".h5")
    with open(config, "w") as file:
        file.write(CONFIG)
    result = subprocess.run([*build.launcher, program, "run", config, "-o", path, "--progress", "none"],
                            capture_output=True, text=True, env=environment)
    if result.returncode:
        raise AssertionError(f"{build.name}: {result.stderr}")
    said = subprocess.run([reader, "info", "--digest", path], capture_output=True, text=True, check=True)
    return re.search(r"^digest +(\w+)$", said.stdout, re.M)[1]


def cell(build, library, folder):
    """What consumer.c prints, linked with a static library: 17 digits of a restitution, outcome, mode."""
    program = os.path.join(folder, "consumer-" + build.name)
    compiler = next((option.split("=")[1] for option in build.options
                     if option.startswith("-DCMAKE_C_COMPILER=")), "cc")
    for words in ([compiler, "-I", os.path.join(TOP, "include"), os.path.join(HERE, "consumer.c"), "-o",
                   program, library, "-lm"], [*build.emulator, program]):
        result = subprocess.run(words, capture_output=True, text=True)
        if result.returncode:
            raise AssertionError(f"{build.name}: {result.stderr}")
    return result.stdout
