"""Tests with a folder of their own."""
import contextlib
import io
import os
import re
import tempfile

from impactsweep.figures import command


class Folder:
    refuses = None  # the name of a script, and the kind of figure that it draws

    def path(self, name):
        return os.path.join(self.folder, name)

    def refuse(self, *arguments):
        """The script refuses its arguments, prints nothing else and leaves nothing; the one line on stderr."""
        name, kind = self.refuses
        before = sorted(os.listdir(self.folder))
        said, printed = io.StringIO(), io.StringIO()
        with contextlib.chdir(self.folder), contextlib.redirect_stderr(said), contextlib.redirect_stdout(printed):
            assert command.run_kind(name, kind, arguments) == 2
        assert printed.getvalue() == ""
        assert re.fullmatch(rf"{re.escape(name)}: error: [^\n]+\n", said.getvalue())
        assert sorted(os.listdir(self.folder)) == before
        return said.getvalue()


class FolderTest(Folder):
    def setup_method(self):
        self.folder = self.ending.enter_context(tempfile.TemporaryDirectory())


class SharedFolderTest(Folder):
    """All tests of a class have one."""

    @classmethod
    def setup_class(cls):
        cls.folder = cls.ending.enter_context(tempfile.TemporaryDirectory())
