#!/usr/bin/python3
"""jobs/local.sh computes and draws any config, as the root README says; with a program that is built already."""
import os
import shutil
import subprocess
import sys
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "cmd"))
from support import BAD_INPUT, OK, PROGRAM, ROOT, Case, environment

CONFIG = """model: compliant
choose: {body: pendulum}
axes:
  - {param: angle, from: 1 deg, to: 89 deg, points: 8}
  - {param: friction, from: 0.01, to: 1.5, points: 10}
fixed: {stiffness_ratio: 1.21}
outputs: [mode, energy_loss]
"""
ASKED = "figure: {as: lines, x: friction, curves: angle, field: energy_loss}\n"


class Local(Case):
    def setUp(self):
        super().setUp()
        os.makedirs(self.path("project/jobs"))
        os.makedirs(self.path("project/build/local"))
        shutil.copy(os.path.join(ROOT, "jobs", "local.sh"), self.path("project/jobs"))
        os.symlink(PROGRAM, self.path("project/build/local/impactsweep"))
        for name in ("postprocess", "configs"):
            os.symlink(os.path.join(ROOT, name), self.path(f"project/{name}"))
        for name in ("project/jobs/packages.sh", "bin/cmake"):
            os.makedirs(os.path.dirname(self.path(name)), exist_ok=True)
            os.chmod(self.write(name, "#!/bin/sh\n"), 0o755)

    def local(self, *words):
        path = self.path("bin") + os.pathsep + os.environ["PATH"]
        return subprocess.run([self.path("project/jobs/local.sh"), *words], cwd=self.work, capture_output=True,
                              text=True, env=dict(environment(self.folder), PATH=path))

    def drawn(self, name, text):
        """What is said about the picture of a config."""
        self.write(f"{name}.yaml", text)
        done = self.local(f"{name}.yaml")
        self.assertEqual(done.returncode, OK, done.stderr)
        with open(self.path(f"{name}.png"), "rb") as picture:
            self.assertTrue(picture.read().startswith(b"\x89PNG"))
        self.assertTrue(os.path.exists(self.path(f"{name}.h5")))
        said, last = done.stdout.splitlines()[-2:]
        self.assertEqual(last, f"map: {name}.h5   picture: {name}.png")
        return said

    def test_the_key_figure_selects_the_picture_and_without_it_the_map_decides(self):
        self.assertRegex(self.drawn("asked", CONFIG + ASKED), r"^asked\.png: family of curves, because its config asks")
        self.assertRegex(self.drawn("free", CONFIG.replace("points: 8", "points: 16")), r"^free\.png: mode map")

    def test_a_config_that_cannot_be_read_is_bad_input(self):
        done = self.local("no_such.yaml")
        self.assertEqual((done.returncode, done.stdout), (BAD_INPUT, ""))
        self.assertIn("no_such.yaml", done.stderr)


if __name__ == "__main__":
    unittest.main()
