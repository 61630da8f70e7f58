#!/usr/bin/python3
"""The beam in the program: ranks, interruption by budget, bad input, PETSc's memory."""
import os
import subprocess
import sys
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from support import BAD_INPUT, Case, PROGRAM, environment

CONFIG = """model: beam
axes:
  - {param: pin_position, values: [0, 0.01905]}
  - {param: position, from: 0.03, to: 1, points: 30}
fixed: {modes: 8, elements: 24, tolerance: 1.0e-6}
cell_budget: 400
"""


class Beam(Case):
    def digest_of(self, *words, ranks=0):
        self.good("run", "beam.yaml", "-o", "map.h5", "--force", "--progress", "none", *words,
                  ranks=ranks)
        return self.digest("map.h5")

    def test_the_same_bytes_for_any_number_of_ranks(self):
        self.write("beam.yaml", CONFIG)
        alone = self.digest_of()
        for ranks in (1, 2, 5):
            with self.subTest(ranks=ranks):
                self.assertEqual(self.digest_of("--chunk", "1", ranks=ranks), alone)
        # Cells on the pin and of many steps are among them.
        census = self.good("info", "map.h5")
        for outcome in ("solved", "outside", "budget"):
            self.assertIn(outcome, census)

    def test_bad_input(self):
        for word in ("modes=2.5", "elements=40.5", "position=1.2", "position=-0.1",
                     "internal_damping=-1", "external_damping=-1", "modes=0", "elements=1000",
                     "striker_mass=1", "boundary=glued"):
            with self.subTest(word=word):
                self.bad("cell", "beam", word, code=BAD_INPUT)

    def test_a_combination_that_is_no_collision(self):
        for words in (["position=0.0375"], ["boundary=clamped"], ["modes=30", "elements=20"],
                      ["boundary=pinned_pinned"], ["pin_position=0.6"]):
            with self.subTest(words=words):
                self.assertIn("outside", self.good("cell", "beam", *words))

    def test_petsc_frees_what_it_took(self):
        """-malloc_dump lists what is still allocated when PETSc ends."""
        self.write("beam.yaml", CONFIG)
        result = subprocess.run(
            [PROGRAM, "run", "beam.yaml", "-o", "map.h5", "--progress", "none"], cwd=self.work,
            env=dict(environment(self.work), PETSC_OPTIONS="-malloc_dump -malloc_debug"),
            capture_output=True, text=True)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertNotIn("bytes", result.stdout.split("cells computed")[1])
        self.assertNotRegex(result.stdout, r"\[ ?0\]\s*\d+ bytes")


if __name__ == "__main__":
    unittest.main()
