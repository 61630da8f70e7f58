"""Tests with a folder of their own."""
import os
import tempfile


class FolderTest:
    def setup_method(self):
        self.folder = self.ending.enter_context(tempfile.TemporaryDirectory())

    def path(self, name):
        return os.path.join(self.folder, name)


class SharedFolderTest:
    """All tests of a class have one."""

    @classmethod
    def setup_class(cls):
        cls.folder = cls.ending.enter_context(tempfile.TemporaryDirectory())

    def path(self, name):
        return os.path.join(self.folder, name)
