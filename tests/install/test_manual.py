"""The manual steps of the README in a fresh copy of the project, on a machine as clusters are: nothing in the
environment (but the cache of the suite's compilers), MPI and HDF5 known by their compiler wrappers, and pkg-config names of
the projects themselves, none of Debian's (ompi-c, hdf5-openmpi)."""
import os
import re
import subprocess
import tarfile

HERE = os.path.dirname(os.path.abspath(__file__))
import copies
from support import ROOT, Case

MODULES = ("yaml-0.1", "PETSc")


class Manual(Case):
    def prefix(self):
        """A folder with the modules' files for pkg-config, and no other."""
        folder = self.path("pkgconfig")
        os.mkdir(folder)
        for name in MODULES:
            place = subprocess.run(["pkg-config", "--variable=pcfiledir", name], capture_output=True,
                                   text=True, check=True).stdout.strip()
            os.symlink(os.path.join(place, name + ".pc"), os.path.join(folder, name + ".pc"))
        return folder

    def copy(self):
        """What git knows, without history."""
        archive = self.path("project.tar")
        subprocess.run(["git", "-C", ROOT, "archive", "-o", archive, "HEAD"], check=True)
        with tarfile.open(archive) as tar:
            tar.extractall(self.path("project"))
        return self.path("project")

    def test_they_work(self):
        with open(os.path.join(ROOT, "README.md")) as file:
            steps = re.search(r"\n## By hand\n\n((?:    .*\n)+)", file.read())[1]
        assert "cmake --preset release" in steps
        assert "mpirun" in steps
        project = self.copy()
        clean = {**copies.cache_of(project), "PATH": "/usr/bin:/bin", "HOME": self.work, "TMPDIR": self.folder,
                 "PKG_CONFIG_LIBDIR": self.prefix(), "OMPI_ALLOW_RUN_AS_ROOT": "1",
                 "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_rmaps_base_oversubscribe": "1"}
        for step in filter(None, map(str.strip, steps.splitlines())):
            result = subprocess.run(["bash", "-ec", step], cwd=project, env=clean, capture_output=True,
                                    text=True)
            assert result.returncode == 0, result.stdout[-2000:] + result.stderr[-2000:]
        made = os.listdir(project)
        assert {"one.h5", "rod.h5"} <= set(made)
        assert [name for name in made if name.endswith(".png")], made
        said = subprocess.run(["build/release/impactsweep", "--version"], cwd=project, env=clean,
                              capture_output=True, text=True).stdout
        assert re.search(r"PETSc 3\.\d+", said)
