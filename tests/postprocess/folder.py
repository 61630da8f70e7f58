"""A test with a folder of its own."""
import os
import tempfile


class FolderTest:
    def setup_method(self):
        self.folder = self.ending.enter_context(tempfile.TemporaryDirectory())

    def path(self, name):
        return os.path.join(self.folder, name)
