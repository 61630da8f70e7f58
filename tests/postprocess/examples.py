"""Runs the examples of a page as a reader would, in order and in one folder, and compares what they print.

Fenced blocks are examples: `python` is a session with >>>; `console` has commands behind `$ ` and below each one what it
prints, both streams; the first line of a `yaml` block names its file. `...` stands for any text.
"""
import contextlib
import doctest
import io
import os
import re
import subprocess

FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
BLOCK = re.compile(r"^```(python|console|yaml)\n(.*?)^```", re.M | re.S)


def blocks_of(path):
    """[(kind, text)] in the order of the page."""
    with open(path, encoding="utf-8") as file:
        return BLOCK.findall(file.read())


class Reader:
    """Follows pages in a folder. Its methods return texts about examples that print something else."""

    def __init__(self, folder, environment):
        self.folder, self.environment, self.space = folder, dict(environment), {}

    def follow(self, path):
        """[text] of the failed examples of a page."""
        return list(filter(None, (getattr(self, kind)(text) for kind, text in blocks_of(path))))

    def python(self, text):
        examples = doctest.DocTestParser().get_doctest(text, self.space, "page", None, 0)
        runner = doctest.DocTestRunner(optionflags=FLAGS)
        said, before = io.StringIO(), os.getcwd()
        os.chdir(self.folder)
        try:
            with contextlib.redirect_stdout(said):
                runner.run(examples, out=said.write, clear_globs=False)
        finally:
            os.chdir(before)
        self.space.update(examples.globs)
        return said.getvalue() if runner.failures else ""

    def console(self, text):
        return "".join(self.command(line.rstrip(), said) for line, said in
                       re.findall(r"^\$ (.*\n)((?:(?!\$ ).*\n)*)", text, re.M))

    def command(self, line, wanted):
        """A command may change the environment of later ones (export)."""
        done = subprocess.run(["bash", "-c", f"{line}\ncode=$?\nenv -0 > .environment\nexit $code"],
                              cwd=self.folder, env=self.environment, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        with open(os.path.join(self.folder, ".environment"), encoding="utf-8") as file:
            self.environment = dict(one.split("=", 1) for one in file.read().split("\0") if one)
        if done.returncode == 0 and doctest.OutputChecker().check_output(wanted, done.stdout, FLAGS):
            return ""
        return f"$ {line}\nexpected:\n{wanted}\nprinted (code {done.returncode}):\n{done.stdout}\n"

    def yaml(self, text):
        name = re.match(r"# (\S+\.yaml)\n", text)
        if not name:
            return f"a block of yaml without the name of its file:\n{text}"
        with open(os.path.join(self.folder, name[1]), "w", encoding="utf-8") as file:
            file.write(text)
        return ""
