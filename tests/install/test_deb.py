#!/usr/bin/python3
"""The package of Debian: made, installed into a root of its own, used, removed."""
import glob
import os
import re
import shutil
import subprocess
import sys
import unittest

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "cmd"))
from support import BUILD, Case, environment


def call(*words, **options):
    return subprocess.run(words, capture_output=True, text=True, **options)


@unittest.skipUnless(shutil.which("dpkg-shlibdeps") and os.geteuid() == 0, "this is for root on Debian")
class Package(Case):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        result = call("cpack", "--config", os.path.join(BUILD, "CPackConfig.cmake"), "-B", cls.shared)
        found = glob.glob(os.path.join(cls.shared, "*.deb"))
        if result.returncode or len(found) != 1:
            raise AssertionError(f"cpack: {found} {result.stdout[-2000:]}{result.stderr[-2000:]}")
        cls.package = found[0]

    def field(self, name):
        return call("dpkg-deb", "--field", self.package, name).stdout.strip()

    def test_the_fields(self):
        version = self.good("--version").split()[1]
        self.assertEqual((self.field("Package"), self.field("Version"), self.field("Section")),
                         ("impactsweep", version, "science"))
        self.assertRegex(os.path.basename(self.package), rf"^impactsweep_{version}_\w+\.deb$")
        depends = re.sub(r" *\([^)]*\)", "", self.field("Depends"))
        self.assertIn("libhdf5", depends)
        for names in depends.split(", "):
            states = [call("dpkg-query", "-W", "-f=${db:Status-Status}", name).stdout
                      for name in names.split(" | ")]
            self.assertIn("installed", states, f"{names}, which the program runs with")
        # Of those for Python, that all of them exist in the distribution.
        for name in self.field("Recommends").split(", "):
            self.assertEqual(call("dpkg-query", "-W", name).returncode, 0, name)

    def dpkg(self, *words):
        result = call("dpkg", f"--root={self.work}", "--force-depends",
                      "--force-script-chrootless", "--log=/dev/null", *words)
        self.assertEqual(result.returncode, 0, result.stderr)
        return result.stdout

    def files(self):
        return {os.path.relpath(path, self.work) for path in
                glob.glob(os.path.join(self.work, "usr", "**"), recursive=True)
                if os.path.lexists(path) and not os.path.isdir(path)}

    def test_installed_used_and_removed(self):
        for name in ("info", "updates", "triggers"):
            os.makedirs(self.path(f"var/lib/dpkg/{name}"))
        for name in ("status", "available"):
            self.write(f"var/lib/dpkg/{name}", "")
        self.dpkg("--install", self.package)
        self.assertIn("impactsweep", self.dpkg("--list"))
        program = self.path("usr/bin/impactsweep")
        settings = dict(environment(self.folder), LD_LIBRARY_PATH=self.path("usr/lib"), IMPACTSWEEP=program,
                        PYTHONPATH=self.path("usr/lib/python3/dist-packages"), PYTHONDONTWRITEBYTECODE="1")
        self.assertEqual(call(program, "--version").stdout, self.good("--version"))
        config = self.path("usr/share/impactsweep/configs/rod-oblique.yaml")
        self.assertEqual(call(program, "check", config).returncode, 0)
        result = call("/usr/bin/python3", "-c", """import impactsweep
print(impactsweep.__file__, impactsweep.solve("rigid", body="rod", angle="30 deg", friction=0.3,
      restitution=0.5, velocity_ratio=1, law="newton").kinematic_restitution.item())""", env=settings)
        self.assertEqual(result.returncode, 0, result.stderr)
        place, restitution = result.stdout.split()
        self.assertTrue(place.startswith(self.work), place)
        self.assertAlmostEqual(float(restitution), 0.5)
        self.dpkg("--remove", "impactsweep")
        self.assertEqual(self.files(), set())


if __name__ == "__main__":
    unittest.main()
