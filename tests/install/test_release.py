"""What jobs/release.sh finds missing before a release, in a clone of the sources; test_release_long compares binary interfaces."""
import json
import os
import re
import shutil
import subprocess

import pytest

HERE = os.path.dirname(os.path.abspath(__file__))
from support import BUILD, ROOT, Case

GIT = ["git", "-c", "user.name=a", "-c", "user.email=b", "-c", "commit.gpgsign=false", "-c", "tag.gpgsign=false"]


class Clone(Case):
    """The script and the files that it reads, as a repository of its own."""

    def setup_method(self):
        super().setup_method()
        self.clone = self.path("clone")
        for name in ("jobs/release.sh", "include/impact.h", "CITATION.cff", "CHANGELOG.md", "postprocess/pyproject.toml",
                     "jobs/packages/conda/meta.yaml",
                     "jobs/packages/spack/spack_repo/impactsweep/packages/impactsweep/package.py"):
            os.makedirs(os.path.dirname(os.path.join(self.clone, name)), exist_ok=True)
            shutil.copy(os.path.join(ROOT, name), os.path.join(self.clone, name))
        changes = self.read("CHANGELOG.md")
        self.put("CHANGELOG.md", re.sub(r"(?ms)^## Unreleased$.*?(?=^## )", "## Unreleased\n\n", changes))
        self.git("init", "-q")
        self.commit()

    def read(self, name):
        with open(os.path.join(self.clone, name), encoding="utf-8") as file:
            return file.read()

    def put(self, name, text):
        with open(os.path.join(self.clone, name), "w", encoding="utf-8") as file:
            file.write(text)

    def git(self, *words):
        subprocess.run([*GIT, *words], cwd=self.clone, check=True, capture_output=True)

    def commit(self):
        self.git("add", "-A")
        self.git("commit", "-q", "-m", "now")

    def check(self):
        done = subprocess.run([os.path.join(self.clone, "jobs", "release.sh"), "--check"], capture_output=True, text=True, check=False)
        return done.returncode, done.stderr

    def test_ready(self):
        code, said = self.check()
        assert code == 0 and "no release before this one" in said and "are ready for version" in said, said

    def test_changes_that_no_version_has(self):
        self.put("CHANGELOG.md", self.read("CHANGELOG.md").replace("## Unreleased\n", "## Unreleased\n\n- One.\n- Two.\n"))
        assert self.check()[1].endswith("error: there are changes that no commit has\n")
        self.commit()
        code, said = self.check()
        assert code == 1 and re.search(r"2 changes under 'Unreleased', which no version has: say them in the section of \d", said)

    def test_numbers_that_differ(self):
        self.put("CITATION.cff", self.read("CITATION.cff").replace("\nversion: ", "\nversion: 9."))
        self.put("CHANGELOG.md", re.sub(r"(?m)^(## [\d.]+), [\d-]+$", r"\1", self.read("CHANGELOG.md")))
        self.commit()
        code, said = self.check()
        assert code == 1 and "CITATION.cff has another version" in said and "no heading '## " in said

    def test_a_version_that_was_released(self):
        version = re.search(r'#define IMP_VERSION "(.*)"', self.read("include/impact.h"))[1]
        self.git("tag", f"v{version}")
        code, said = self.check()
        assert code == 1 and f"the tag v{version} exists" in said


class Changelog(Case):
    def test_versions_of_the_results(self):
        """The newest section has a row for each theory, with the version that the program has."""
        with open(os.path.join(ROOT, "CHANGELOG.md"), encoding="utf-8") as file:
            table = dict(re.findall(r"(?m)^\| `(\w+)` \| (\d+) \|$", file.read()))
        theories = json.loads(self.good("models", "--json"))
        assert table == {one["name"]: str(one["results_version"]) for one in theories}, \
            "rows of the table `theory | results_version` in CHANGELOG.md"


class Module(Case):
    def test_no_path_of_its_build(self):
        """The macros of PETSc name the files in which errors are met; with their folders a release would depend on its place."""
        module = os.path.join(BUILD, "impactsweep-petsc.so")
        if not os.path.exists(module):
            pytest.skip("the program was built without PETSc")
        with open(module, "rb") as file:
            held = file.read()
        assert b"src/models/beam/petsc/full.c" in held and os.path.join(ROOT, "src").encode() not in held
