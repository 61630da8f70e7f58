"""Maps and folders of another user: they can be read, and what they do not allow ends in one message, with nothing
lost or left."""
import os
import subprocess

import pytest
from robust import null_sweep
from support import BAD_INPUT, FAILURE, OK, Case, as_another_user, environment

NOBODY = 65534


@pytest.mark.skipif(os.getuid() != 0, reason="only root can become another user")
class AnotherUser(Case):
    """root made the map; nobody uses it."""

    def setup_method(self):
        super().setup_method()
        self.run_config(null_sweep(10, 10), "map.h5")
        os.chmod(self.folder, 0o711)  # another user gets as far as the folder of the test
        self.allow(self.work, 0o755)
        self.before = self.bytes("map.h5")

    def allow(self, path, mode):
        os.chmod(path, mode)

    def bytes(self, name):
        with open(self.path(name), "rb") as file:
            return file.read()

    def as_nobody(self, *words, folder=None):
        settings = {**environment(self.folder), "HOME": "/nonexistent"}
        return subprocess.run(as_another_user(words, self.folder), cwd=folder or self.work, env=settings, user=NOBODY, group=NOBODY,
                              extra_groups=[], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120,
                              check=False)

    def refused(self, *words, says):
        files = self.files()
        done = self.as_nobody(*words)
        assert done.returncode in (FAILURE, BAD_INPUT), done
        assert len(done.stderr.splitlines()) == 1, done.stderr
        assert says in done.stderr
        assert (self.files(), self.bytes("map.h5")) == (files, self.before)

    def test_a_map_that_may_be_read(self):
        self.allow(self.path("map.h5"), 0o644)
        for words in (("info", "map.h5"), ("export", "map.h5"), ("query", "map.h5", "value > 0.3"), ("check", "x.yaml")):
            done = self.as_nobody(*words)
            assert (done.returncode, done.stderr) == (OK, ""), words
            assert done.stdout, words

    def test_files_that_may_not_be_read(self):
        self.allow(self.path("map.h5"), 0o600)
        for words in (("info", "map.h5"), ("export", "map.h5"), ("query", "map.h5", "value > 0.3")):
            self.refused(*words, says="map.h5")
        self.allow(self.path("x.yaml"), 0o600)
        self.refused("check", "x.yaml", says="x.yaml")

    def test_a_folder_that_may_not_be_written(self):
        self.allow(self.path("map.h5"), 0o644)
        for words in (("run", "x.yaml", "-o", "new.h5"), ("run", "x.yaml", "-o", "map.h5", "--force"),
                      ("export", "map.h5", "-o", "map.csv"), ("report", "map.h5", "-o", "map.html"),
                      ("run", "x.yaml", "-o", "new.h5", "--exit-code", "code")):
            self.refused(*words, says="Permission denied")

    def test_a_map_of_root_in_a_folder_for_all(self):
        """As on scratch disks: new files may be made, but those of other users not be replaced."""
        self.allow(self.path("map.h5"), 0o644)
        self.allow(self.work, 0o1777)
        done = self.as_nobody("run", "x.yaml", "-o", "new.h5")
        assert done.returncode == OK, done.stderr
        assert self.digest("new.h5") == self.digest("map.h5")
        assert os.stat(self.path("new.h5")).st_uid == NOBODY
        os.remove(self.path("new.h5"))
        self.refused("run", "x.yaml", "-o", "map.h5", "--force", says="map.h5")
