"""Shell scripts are clean, the reference page is up to date, and the committed configs are good."""
import glob
import json
import os
import re
import subprocess

import pytest
from support import BEAM, BUILD, ROOT, Case, committed_configs

SCRIPTS = sorted(glob.glob(os.path.join(ROOT, "jobs", "*.sh")) +
                 glob.glob(os.path.join(ROOT, "jobs", "*.sbatch")) +
                 [os.path.join(ROOT, "tests", "run.sh"), os.path.join(ROOT, ".ci", "run")])
PAGE = os.path.join(ROOT, "configs", "reference.md")
# The values that papers used: figures 2 and 5 of J. Appl. Mech. 91 (2024) 011011; tables of Brach 1993.
APPROACHES = {"velocity_ratio": [-1, 0, 0.2, 0.6]}
PAPERS = {"beam-restitution": {"angular_velocity": [-4, -6, -8], "internal_damping": [0, 1e6]},
          "brach-tuned-damping": APPROACHES, "brach-tuned-damping-strong": APPROACHES}


class Scripts:
    def check_all(self, *words):
        for script in SCRIPTS:
            result = subprocess.run([*words, script], capture_output=True, text=True)
            assert (result.returncode, result.stdout + result.stderr) == (0, "")

    def test_there_are_scripts(self):
        names = {os.path.relpath(script, ROOT) for script in SCRIPTS}
        assert {"jobs/local.sh", "jobs/packages.sh", "tests/run.sh"} <= names, names

    def test_bash_can_parse_every_script(self):
        self.check_all("bash", "-n")

    def test_shellcheck_finds_nothing(self):
        self.check_all("shellcheck")

    @pytest.mark.parametrize("script", SCRIPTS)
    def test_scripts_are_executable(self, script):
        assert os.access(script, os.X_OK) or script.endswith(".sbatch")


class Reference(Case):
    def test_the_committed_page_is_up_to_date(self):
        with open(PAGE, encoding="utf-8") as file:
            page = file.read()
        if not BEAM:
            page = re.sub(r"\n## `beam`.*?(?=\n## |\Z)", "", page, flags=re.S)
        assert page == self.good("models",
                                 "--markdown"), "write it anew: impactsweep models --markdown > configs/reference.md"

    def test_the_root_page_has_every_theory(self):
        with open(os.path.join(ROOT, "README.md"), encoding="utf-8") as file:
            table = set(re.findall(r"(?m)^\| `(\w+)` \|", file.read()))
        theories = {theory["name"] for theory in json.loads(self.good("models", "--json"))}
        assert theories - table == set(), "rows of the table of theories in README.md"


class Configs(Case):
    @pytest.mark.parametrize("config", committed_configs())
    def test_the_committed_configs_are_good(self, config):
        assert "cells" in self.good("check", config)

    def test_numbers_in_comments_are_those_of_the_lists(self):
        """"the three speeds", "the paper's four approaches": a list of the config has as many values."""
        numbers = {"two": 2, "three": 3, "four": 4, "five": 5}
        counted = 0
        for config in sorted(glob.glob(os.path.join(ROOT, "configs", "*.yaml"))):
            with open(config) as file:
                text = file.read()
            words = " ".join(re.findall(r"^# ?(.*)$", text, re.M))
            lengths = {len(values.split(",")) for values in re.findall(r"values: \[(.*?)\]", text, re.S)}
            for number in re.findall(
                    r"\b(two|three|four|five)(?: of the paper's four)? (?:speeds|approaches)\b", words):
                counted += 1
                assert numbers[number] in lengths
        assert counted >= 5

    def test_configs_that_repeat_a_figure_have_the_values_of_the_paper(self):
        for name, axes in PAPERS.items():
            with open(os.path.join(ROOT, "configs", f"{name}.yaml"), encoding="utf-8") as file:
                text = file.read()
            for axis, expected in axes.items():
                values = re.search(rf"param: {axis}, values: \[(.*?)\]", text)[1].split(",")
                assert [float(value) for value in values] == expected


class Labels(Case):
    def names(self, *words):
        text = subprocess.run(["ctest", "--test-dir", BUILD, "--show-only=json-v1", *words],
                              capture_output=True, text=True, check=True).stdout
        return {test["name"] for test in json.loads(text)["tests"]}

    def test_every_room_has_quick_tests(self):
        """tests/run.sh runs them: a part of every room but those that compare whole builds."""
        room = lambda name: name.rsplit("/", 1)[0]
        quick = self.names("-L", "quick")
        assert set(map(room, self.names("-LE", "long"))) - set(map(room, quick)) == {"bits"}
        assert {name for name in quick if name.endswith("_long")} == set()

    def test_the_automatic_run_is_that_of_the_readme(self):
        with open(os.path.join(ROOT, ".ci", "run")) as file:
            assert 'tests/run.sh" --all' in file.read()
        for page in ("README.md", "tests/README.md"):
            with open(os.path.join(ROOT, page)) as file:
                assert "tests/run.sh --all" in file.read()
