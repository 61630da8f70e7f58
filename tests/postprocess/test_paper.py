"""The paper: its length, its numbers, its citations; and the derivations of the annex, computed once more."""
import collections
import csv
import glob
import math
import os
import re

import pytest

import package

PAPER = os.path.join(package.POSTPROCESS, "paper")


def read(name):
    with open(os.path.join(PAPER, name), encoding="utf-8") as file:
        return file.read()


def counted(path):
    """[numbers, reproduced, misprints, not reproducible] of a table of published numbers."""
    with open(path, newline="", encoding="utf-8") as file:
        verdicts = collections.Counter(row["verdict"] for row in csv.DictReader(file))
    return [sum(verdicts.values()), verdicts[""], verdicts["misprint"], verdicts["not reproducible"]]


class Paper:
    def test_its_form(self):
        """What the Journal of Open Source Software asks for."""
        head, body = re.fullmatch(r"---\n(.*?)\n---\n(.*)", read("paper.md"), re.S).groups()
        for key in ("title", "tags", "authors", "affiliations", "date", "bibliography"):
            assert re.search(rf"(?m)^{key}:", head), key
        assert "# Summary" in body and "# Statement of need" in body and body.rstrip().endswith("# References")
        words = len(re.findall(r"\w[\w'.-]*", re.sub(r"(?m)^\|.*$", "", body)))
        assert 800 < words < 1150, words
        for path in re.findall(r"\]\(([^)]+)\)", body):
            assert os.path.exists(os.path.join(PAPER, path)), path

    def test_every_citation_has_its_entry(self):
        cited = set(re.findall(r"@(\w+)", read("paper.md")))
        assert cited == set(re.findall(r"^@\w+\{(\w+),", read("paper.bib"), re.M))

    def test_the_table_has_the_numbers_of_the_project(self):
        sums = {os.path.basename(path)[:-4]: counted(path)
                for path in glob.glob(os.path.join(package.POSTPROCESS, "published", "*.csv"))}
        rows = [[int(one) for one in cells] for cells in re.findall(r"^\| [^|]+ \| (\d+) \| (\d+) \| (\d+) \| (\d+) \|$",
                                                                      read("paper.md"), re.M)]
        assert rows == [*(sums[name] for name in ("brach", "pamc", "birlik", "beam", "baruh")),
                        [sum(column) for column in zip(*sums.values())]]


def impulse(e, ratio):
    return (1 + e) / (2.5 - 1.5 * ratio)


def last(e, v):
    return (1.5 * (1 + e) - 2.5 * v) / (2.5 * (1 + e) - 1.5 * v)


class Annex:
    def test_the_derivations(self):
        found = {(place.strip(), printed): correct for place, printed, correct in
                 re.findall(r"^\| ([^|]+)\| ([-.\d]+) \| [^|]+ \| ([-.\d]+) \|$", read("misprints.md"), re.M)}
        values = [2 / 4.4, impulse(1, 2 / 4.4), last(0.05, 0.2), impulse(0.05, last(0.05, 0.2)), impulse(0.5, last(0.5, 0.6)),
                  impulse(0.05, 0), impulse(1, last(1, -1)), impulse(0.5, last(0.5, -1)), 0.6 - 1.5 * impulse(1, 0),
                  -1 - 1.5 * impulse(0.05, 0)]
        assert len(found) == len(values)
        for ((place, printed), correct), value in zip(found.items(), values):
            assert float(correct) == pytest.approx(value, abs=6e-5), place
            assert abs(float(printed) - value) > 5e-4, place
        for e, ratio, printed in ((0.5, 0.3, 0.732), (0.05, 0.05, 0.433), (1, 0.85, 1.633), (0.5, 0.95, 1.395)):
            assert impulse(e, ratio) == pytest.approx(printed, abs=5e-4)

    def test_the_slip_of_a_sphere(self):
        eta = (2 - 0.3) / (2 * (1 - 0.3))
        assert (7 - eta) / eta == pytest.approx(81 / 17)
        assert math.degrees(math.atan(0.5)) == pytest.approx(26.565, abs=5e-4)
        assert 2 * math.pi - 2.1862 == pytest.approx(4.0970, abs=5e-5)

    def test_corrections_are_those_of_the_table(self):
        with open(os.path.join(package.POSTPROCESS, "published", "brach.csv"), newline="", encoding="utf-8") as file:
            known = [(row["published"], float(row["correct"])) for row in csv.DictReader(file) if row["verdict"] == "misprint"]
        rows = r"^\| (?:table|the same row)[^|]+\| ([-.\d]+) \| [^|]+ \| ([-.\d]+) \|$"
        for printed, correct in re.findall(rows, read("misprints.md"), re.M):
            assert any(float(one) == float(printed) and abs(value - float(correct)) < 1e-3 for one, value in known), printed
