"""The binary interface of libimpact against a release before: the same one, one with a function more, one with a function less."""
import os
import re
import subprocess

import pytest

HERE = os.path.dirname(os.path.abspath(__file__))
from support import ROOT, Case
from test_release import GIT

FUNCTION = "imp_text_of_release"  # of a release that never was


def run(clone, *words):
    return subprocess.run(words, cwd=clone, capture_output=True, text=True, check=False)


class Interface(Case):
    def setup_method(self):
        super().setup_method()
        self.clone = self.path("clone")
        assert run(self.work, "git", "clone", "-q", ROOT, self.clone).returncode == 0
        changes = os.path.join(self.clone, "CHANGELOG.md")
        with open(changes, encoding="utf-8") as file:
            text = re.sub(r"(?ms)^## Unreleased$.*?(?=^## )", "## Unreleased\n\n", file.read())
        with open(changes, "w", encoding="utf-8") as file:
            file.write(text)
        self.commit("v0.9.1")

    def commit(self, tag):
        for words in (("add", "-A"), ("commit", "-q", "--allow-empty", "-m", tag), ("tag", tag)):
            assert run(self.clone, *GIT, *words).returncode == 0

    def change(self, name, old, new):
        path = os.path.join(self.clone, name)
        with open(path, encoding="utf-8") as file:
            text = file.read()
        assert old in text
        with open(path, "w", encoding="utf-8") as file:
            file.write(text.replace(old, new, 1))

    def check(self):
        done = run(self.clone, "jobs/release.sh", "--check")
        return done.returncode, done.stderr

    def test_functions_that_come_and_go(self):
        """The last tag is what the sources are compared with, when its release had a function less, the same, or one more."""
        declared = "const char *imp_version(void);"
        if not any(os.access(os.path.join(folder, "abidiff"), os.X_OK) for folder in os.environ["PATH"].split(os.pathsep)):
            pytest.skip("abidiff is not installed")
        more = f"{declared}\nIMP_API int {FUNCTION}(int number);"
        self.change("include/impact.h", declared, more)
        home = run(self.clone, "git", "grep", "-l", "imp_version(void) {", "--", "src").stdout.split()[0]
        with open(os.path.join(self.clone, home), "a", encoding="utf-8") as file:
            file.write(f"\nint {FUNCTION}(int number) {{\n    return number;\n}}\n")
        self.commit("v0.9.2")
        code, said = self.check()
        assert (code, "comparing the binary interface with v0.9.2" in said, "are ready" in said) == (0, True, True), said
        code, said = self.against("v0.9.1")
        assert code == 0 and "are ready" in said, said
        assert run(self.clone, "git", "checkout", "-q", "v0.9.1").returncode == 0
        code, said = self.against("v0.9.2")
        version = "the major version is the same"
        assert code == 1 and FUNCTION in said and version in said, said

    def against(self, base):
        done = run(self.clone, "jobs/release.sh", "--check", "--base", base)
        return done.returncode, done.stderr
