#!/usr/bin/python3
"""The installed library: from C (shared and static), from C++, and from Python by ctypes."""
import ctypes
import glob
import math
import os
import re
import shutil
import subprocess
import sys
import unittest

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "cmd"))
from support import BUILD, Case

STRICT = ["-Wall", "-Wextra", "-Wpedantic", "-Werror"]
ANGLE, FRICTION, RATIO = math.pi / 6, 0.3, 1.21
MAX_PARAMETERS, MAX_OUTPUTS = 32, 48


def closed_form():
    """Kinematic restitution of the pendulum that slips, sticks and slips back."""
    tangent = math.tan(ANGLE)
    lever = FRICTION * RATIO * tangent
    return math.sqrt(1 - 2 * FRICTION * (1 - lever) / ((tangent + FRICTION) * (1 + lever)))


def call(*words, **options):
    return subprocess.run(words, capture_output=True, text=True, **options)


class Install(Case):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.prefix = os.path.join(cls.shared, "prefix")
        result = call("cmake", "--install", BUILD, "--prefix", cls.prefix)
        if result.returncode:
            raise AssertionError(f"cmake --install: {result.stderr}{result.stdout}")

    def find(self, pattern):
        found = glob.glob(os.path.join(self.prefix, "**", pattern), recursive=True)
        self.assertEqual(len(found), 1, f"{pattern}: {found}")
        return found[0]

    def compile(self, compiler, *words):
        include = os.path.dirname(self.find("impact.h"))
        result = call(compiler, *STRICT, "-I", include, *words, cwd=self.work)
        self.assertEqual((result.returncode, result.stdout + result.stderr), (0, ""))

    def check_consumer(self, environment=None):
        result = call(self.path("consumer"), env=environment)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        restitution, outcome, mode = result.stdout.split()
        self.assertAlmostEqual(float(restitution), closed_form(), delta=1e-12)
        self.assertEqual((outcome, mode), ("solved", "slip_stick_slip_reversed"))
        return float(restitution)

    def test_the_installed_files(self):
        files = {os.path.basename(file) for file in
                 glob.glob(os.path.join(self.prefix, "**"), recursive=True)}
        self.assertTrue({"impactsweep", "impact.h", "libimpact.a", "libimpact.so"} <= files, files)
        # No other header is public, and no library but this one.
        self.assertEqual([name for name in files if name.endswith(".h")], ["impact.h"])
        self.assertEqual([name for name in files if name.endswith(".a")], ["libimpact.a"])

    def test_a_c_program_with_the_shared_library(self):
        folder = os.path.dirname(self.find("libimpact.so"))
        self.compile("cc", "-std=c11", os.path.join(HERE, "consumer.c"), "-o", "consumer",
                     "-L", folder, "-limpact")
        self.assertIn("libimpact.so", call("readelf", "-d", self.path("consumer")).stdout)
        self.check_consumer(dict(os.environ, LD_LIBRARY_PATH=folder))

    def test_a_c_program_with_the_static_library(self):
        # The library needs nothing but libc and libm: no MPI, no HDF5.
        self.compile("cc", "-std=c11", os.path.join(HERE, "consumer.c"), "-o", "consumer",
                     self.find("libimpact.a"), "-lm")
        self.check_consumer()
        needed = [line.split("[")[1].split("]")[0]
                  for line in call("readelf", "-d", self.path("consumer")).stdout.splitlines()
                  if "(NEEDED)" in line]
        self.assertEqual([name for name in needed if not re.match(r"lib[cm]\.|ld-linux", name)], [])

    def test_python_by_ctypes(self):
        library = ctypes.CDLL(self.find("libimpact.so"))
        solver, outcome = ctypes.c_void_p(), ctypes.c_uint8()
        self.assertEqual(library.imp_open(b"compliant", b"body=pendulum", ctypes.byref(solver)), 0)
        pointer = ctypes.POINTER(ctypes.c_double)
        inputs, outputs = (pointer * MAX_PARAMETERS)(), (pointer * MAX_OUTPUTS)()
        for name, value in ((b"angle", ANGLE), (b"friction", FRICTION),
                            (b"stiffness_ratio", RATIO)):
            inputs[library.imp_input(solver, name)] = ctypes.pointer(ctypes.c_double(value))
        result = ctypes.c_double()
        place = library.imp_output_index(solver, b"kinematic_restitution")
        outputs[place] = ctypes.pointer(result)
        error = library.imp_solve(solver, ctypes.c_size_t(1), inputs, outputs,
                                  ctypes.byref(outcome))
        self.assertEqual((error, outcome.value), (0, 1))
        self.assertAlmostEqual(result.value, closed_form(), delta=1e-12)
        library.imp_close(ctypes.byref(solver))
        self.assertIsNone(solver.value)

    def test_errors_by_ctypes(self):
        library = ctypes.CDLL(self.find("libimpact.so"))
        library.imp_last_error.restype = library.imp_version.restype = ctypes.c_char_p
        solver = ctypes.c_void_p(1)
        self.assertEqual(library.imp_open(b"complaint", b"", ctypes.byref(solver)), 1)
        self.assertIn(b"complaint", library.imp_last_error())
        self.assertIsNone(solver.value)
        version = self.good("--version").split()[1]
        self.assertEqual(library.imp_version().decode(), version)

    def test_only_imp_names_are_exported(self):
        lines = call("nm", "-D", "--defined-only", self.find("libimpact.so")).stdout.splitlines()
        names = [line.split()[-1].split("@")[0] for line in lines]
        self.assertEqual([name for name in names if not name.startswith("imp_")], [])
        self.assertTrue({"imp_open", "imp_solve", "imp_close", "imp_last_error"} <= set(names))
        with open(self.find("impact.h")) as header:
            text = header.read()
        self.assertEqual([name for name in names if name + "(" not in text], [],
                         "only what the header declares")

    def test_the_header_stands_alone(self):
        self.write("alone.c", "#include <impact.h>\n")
        self.compile("cc", "-std=c11", "-c", "alone.c", "-o", "alone.o")

    @unittest.skipUnless(shutil.which("g++"), "no C++ compiler")
    def test_the_header_compiles_as_cplusplus(self):
        self.write("alone.cpp", "#include <impact.h>\nint main() { return !imp_version(); }\n")
        self.compile("g++", "-std=c++11", "alone.cpp", "-o", "alone", self.find("libimpact.a"),
                     "-lm")
        self.assertEqual(call(self.path("alone")).returncode, 0)

    def test_the_installed_program_runs(self):
        result = call(self.find("bin/impactsweep"), "--version")
        self.assertEqual((result.returncode, result.stdout), (0, self.good("--version")))


if __name__ == "__main__":
    unittest.main()
