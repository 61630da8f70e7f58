"""The theories of src/models/README.md and src/num/lanes/README.md and the body of src/bodies/README.md, built and run
exactly as printed there: a folder or a file, a line in a list, and no other change."""
import json
import math
import os
import re
import shutil
import subprocess
import sys
import tempfile

import copies
import pytest

PROJECT = os.path.realpath(os.path.join(os.path.dirname(__file__), "..", ".."))


def code_of(page):
    """({file: its text}, line for the list), as a page states them."""
    with open(os.path.join(PROJECT, "src", page), encoding="utf-8") as file:
        text = file.read()
    files = dict(re.findall(r"`(src/[^`]+\.[ch])`[^`]*(?:`[^`\n]+`[^`]*)*?```c\n(.*?)```", text, re.S))
    line = re.search(r"^    ([A-Z]+\([a-z0-9_]+\))$", text, re.M).group(1)
    return files, line


class Pages:
    @classmethod
    def setup_class(cls):
        cls.folder = cls.ending.enter_context(tempfile.TemporaryDirectory())
        for name in ("src", "include", "jobs", "postprocess", "CMakeLists.txt"):
            path = os.path.join(PROJECT, name)
            copy = shutil.copytree if os.path.isdir(path) else shutil.copy
            copy(path, os.path.join(cls.folder, name))
        cls.add(*code_of("models/README.md"), "src/models/models.def")
        cls.add(*code_of("num/lanes/README.md"), "src/models/models.def")
        cls.add(*code_of("bodies/README.md"), "src/bodies/planar/bodies.def")
        cls.build = os.path.join(cls.folder, "build", "made")
        for command in (["cmake", "-S", cls.folder, "-B", cls.build, "-G", "Ninja", "-DIMPACT_TESTS=OFF",
                         "-DIMPACT_WASM=OFF", "-DIMPACT_WERROR=ON", f"-DCMAKE_BUILD_TYPE={copies.kind()}"],
                        ["cmake", "--build", cls.build]):
            done = subprocess.run(command, capture_output=True, text=True, check=False,
                                  env={**os.environ, **copies.cache_of(cls.folder)})
            if done.returncode != 0:
                sys.exit(done.stdout + done.stderr)
        cls.program = os.path.join(cls.build, "impactsweep")

    @classmethod
    def add(cls, files, line, listing):
        for file, program in files.items():
            path = os.path.join(cls.folder, file)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "x", encoding="utf-8") as out:
                out.write(program)
        with open(os.path.join(cls.folder, listing), encoding="utf-8") as lines:
            text = lines.read()
        macro = line[:line.index("(") + 1]
        last = text.rindex("\n" + macro) + 1
        end = text.index("\n", last) + 1
        with open(os.path.join(cls.folder, listing), "w", encoding="utf-8") as out:
            out.write(text[:end] + line + "\n" + text[end:])

    def run_program(self, *words):
        done = subprocess.run([self.program, *words], capture_output=True, text=True, check=False,
                              cwd=self.folder)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def cell(self, *words):
        return json.loads(self.run_program("cell", *words, "--json"))

    def test_theory(self):
        assert "dashpot" in self.run_program("models")
        for zeta in (0.0, 0.2, 0.9):
            cell = self.cell("dashpot", f"damping_ratio={zeta}", "frequency=50")
            swing = math.sqrt(1 - zeta ** 2)
            assert cell["mode"] == "rebound"
            assert cell["kinematic_restitution"] == pytest.approx(math.exp(-math.pi * zeta / swing), abs=5e-15)
            assert cell["duration"] == pytest.approx(math.pi / (50 * swing), abs=5e-15)
            assert abs(cell["residual"]) < 1e-15

    def test_theory_in_lanes(self):
        """Against the elliptic integral of its motion, by quadrature; alone and among others a cell has the same bits."""
        found = {}
        for hardening in (0.0, 0.3, 2.0, 1000.0):
            cell = self.cell("stiffening", f"hardening={hardening}", "frequency=50")
            angles = [(k + 0.5) * math.pi / 4000 for k in range(4000)]  # of a periodic function: exact
            mean = sum(1 / math.sqrt(1 + hardening * (1 + math.sin(a) ** 2) / 2) for a in angles) / 4000
            assert cell["duration"] == pytest.approx(math.pi / 50 * mean, rel=2e-15)
            assert cell["residual"] < 1e-15
            found[hardening] = cell["duration"]
        assert self.cell("stiffening", "frequency=1e-323")["outcome"] == "not_finite"
        with open(os.path.join(self.folder, "lanes.yaml"), "w", encoding="utf-8") as out:
            out.write("model: stiffening\nfixed: {frequency: 50}\naxes:\n"
                      "  - {param: hardening, values: [7, 0, 0.1, 0.3, 1e-9, 2, 9, 5, 1000, 3, 4]}\n")
        self.run_program("run", "lanes.yaml", "-o", "lanes.h5", "--progress", "none")
        names, *rows = [line.split(",") for line in self.run_program("export", "lanes.h5").splitlines()]
        by_name = [dict(zip(names, map(str, row))) for row in rows]
        several = {float(row["hardening"]): float(row["duration"]) for row in by_name}
        assert len(several) == 11
        assert {key: several[key] for key in found} == found

    def test_a_cell_without_finite_outputs_is_not_solved(self):
        assert self.cell("dashpot", "frequency=1e-323")["outcome"] == "not_finite"

    def test_theory_has_the_same_bits_everywhere(self):
        """It takes no function from libm but those with one right answer."""
        objects = os.path.join(self.build, "CMakeFiles", "impact_kernels.dir", "src", "models", "dashpot", "dashpot.c.o")
        needed = subprocess.run(["nm", "-u", objects], capture_output=True, text=True, check=True).stdout.split()
        assert "imp_exp" in needed
        assert {name for name in needed if name != "U" and not name.startswith(("imp_", "_"))} <= {"sqrt"}

    def test_meanings_stand_by_themselves(self):
        done = subprocess.run([sys.executable, "-m", "pytest", os.path.join(PROJECT, "tests", "cmd", "test_meanings.py")],
                              env={**os.environ, "IMPACTSWEEP": self.program}, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout

    def test_theory_in_a_map(self):
        with open(os.path.join(self.folder, "x.yaml"), "w", encoding="utf-8") as out:
            out.write("model: dashpot\nfixed: {frequency: 1}\nsearch:\n"
                      "  over: {param: damping_ratio, from: 0, to: 0.9}\n  find: target\n"
                      "  of: kinematic_restitution\n  value: 0.5\n")
        self.run_program("run", "x.yaml", "-o", "x.h5", "--progress", "none")
        table = self.run_program("export", "x.h5").splitlines()
        names, values = table[0].split(","), table[1].split(",")
        root = float(values[next(i for i, name in enumerate(names) if name.startswith("root"))])
        zeta = math.log(2) / math.hypot(math.pi, math.log(2))
        assert root == pytest.approx(zeta, abs=5e-12)

    def test_body(self):
        """The hoop has the results of the body matrix with b11 = 2, b12 = 0, b22 = 1."""
        given = ["friction=0.3", "velocity_ratio=2.1"]
        for theory, more in (("compliant", ["stiffness_ratio=1.1"]), ("rigid", ["restitution=0.7"])):
            hoop = self.cell(theory, "body=hoop", *given, *more)
            matrix = self.cell(theory, "body=matrix", "b11=2", "b12=0", "b22=1", *given, *more)
            for name in ("mode", "kinematic_restitution", "velocity_ratio_out", "energy_loss"):
                assert hoop[name] == matrix[name], f"{theory} {name}"
