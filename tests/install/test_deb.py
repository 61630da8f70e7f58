"""The package of Debian: made, installed into a root of its own, used, removed."""
import glob
import os
import re
import shutil
import subprocess

import pytest

HERE = os.path.dirname(os.path.abspath(__file__))
from support import BUILD, Case, environment


def call(*words, **options):
    return subprocess.run(words, capture_output=True, text=True, **options)


@pytest.mark.skipif(not (shutil.which("dpkg-shlibdeps") and os.geteuid() == 0), reason="this is for root on Debian")
class Package(Case):
    @classmethod
    def setup_class(cls):
        super().setup_class()
        result = call("cpack", "--config", os.path.join(BUILD, "CPackConfig.cmake"), "-B", cls.shared)
        found = glob.glob(os.path.join(cls.shared, "*.deb"))
        if result.returncode or len(found) != 1:
            raise AssertionError(f"cpack: {found} {result.stdout[-2000:]}{result.stderr[-2000:]}")
        cls.package = found[0]

    def field(self, name):
        return call("dpkg-deb", "--field", self.package, name).stdout.strip()

    def test_the_fields(self):
        version = self.good("--version").split()[1]
        assert (self.field("Package"), self.field("Version"), self.field("Section")) == ("impactsweep", version,
                                                                                         "science")
        assert re.search(rf"^impactsweep_{version}_\w+\.deb$", os.path.basename(self.package))
        depends = re.sub(r" *\([^)]*\)", "", self.field("Depends"))
        assert re.search("libhdf5|libopenmpi", depends)  # HDF5 is an archive in the suite's own build
        for names in depends.split(", "):
            states = [call("dpkg-query", "-W", "-f=${db:Status-Status}", name).stdout
                      for name in names.split(" | ")]
            assert "installed" in states, f"{names}, which the program runs with"
        # Of those for Python, that all of them exist in the distribution.
        for name in self.field("Recommends").split(", "):
            assert call("dpkg-query", "-W", name).returncode == 0, name

    def dpkg(self, *words):
        result = call("dpkg", f"--root={self.work}", "--force-depends",
                      "--force-script-chrootless", "--log=/dev/null", *words)
        assert result.returncode == 0, result.stderr
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
        assert "impactsweep" in self.dpkg("--list")
        program = self.path("usr/bin/impactsweep")
        settings = dict(environment(self.folder), LD_LIBRARY_PATH=self.path("usr/lib"), IMPACTSWEEP=program,
                        PYTHONPATH=self.path("usr/lib/python3/dist-packages"), PYTHONDONTWRITEBYTECODE="1")
        assert call(program, "--version").stdout == self.good("--version")
        config = self.path("usr/share/impactsweep/configs/rod-oblique.yaml")
        assert call(program, "check", config).returncode == 0
        result = call("/usr/bin/python3", "-c", """import impactsweep
print(impactsweep.__file__, impactsweep.solve("rigid", body="rod", angle="30 deg", friction=0.3,
      restitution=0.5, velocity_ratio=1, law="newton").kinematic_restitution.item())""", env=settings)
        assert result.returncode == 0, result.stderr
        place, restitution = result.stdout.split()
        assert place.startswith(self.work), place
        assert float(restitution) == pytest.approx(0.5, abs=5e-8)
        with open(self.path("usr/share/doc/impactsweep/copyright"), encoding="utf-8") as file:
            assert file.readline().startswith("Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/")
        self.dpkg("--remove", "impactsweep")
        assert self.files() == set()
