"""Whose the files are: jobs/packages/copyright (Debian's format 1.0, names of licences by SPDX) is complete, and knows
every file that names an owner or a licence."""
import fnmatch
import os
import re
import subprocess

import pytest

TOP = os.path.realpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
NOTICES = os.path.join("jobs", "packages", "copyright")
OURS = "2026 the impactsweep authors"
# Of the licences that SPDX lists; one that it does not list needs a name that begins with the one that it resembles.
SPDX = {"BSD-2-Clause", "BSD-3-Clause", "CC0-1.0", "HDF5", "MIT", "Zlib"}
# A line that says whose a thing is.
OWNED = re.compile(r"(?:copyright|\(c\)|©)[:, ]*(?:\(c\) ?)?(?:19|20)\d\d|all rights reserved|SPDX-|licen[cs]ed under|new-joe-kuo", re.I)
# Files that speak of such lines, and hold nothing of others.
SPEAK = {"LICENSE", "CHANGELOG.md", NOTICES, "tests/base/test_notices.py", "src/num/sample.h",
         "postprocess/published/measured/README.md"}


def read(path):
    with open(os.path.join(TOP, path), encoding="utf-8") as file:
        return file.read()


def paragraphs(text):
    """The paragraphs of a file in Debian's format: [{field: value}], lines that are continued joined by line ends."""
    found = []
    for part in re.split(r"\n\s*\n", text.strip("\n")):
        fields = re.findall(r"^([A-Za-z-]+):[ ]*(.*(?:\n[ \t].*)*)", part, re.M)
        found.append({name: re.sub(r"\n[ \t]", "\n", value).strip("\n") for name, value in fields})
    return found


def notices(text=None):
    """([paragraphs about files, in order], {licence: its text})."""
    head, *rest = paragraphs(read(NOTICES) if text is None else text)
    assert head["Format"] == "https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/"
    texts = {part["License"].split("\n")[0]: part["License"].split("\n", 1)[1] for part in rest if "Files" not in part}
    return [part for part in rest if "Files" in part], texts


def tracked():
    listed = subprocess.run(["git", "-C", TOP, "ls-files"], capture_output=True, text=True, check=False)
    if listed.returncode:
        pytest.skip("a copy without the history of the project")
    return [name for name in listed.stdout.split("\n") if name and os.path.exists(os.path.join(TOP, name))]


def stanza(parts, name):
    """The last paragraph that a file belongs to, as Debian's format has it."""
    found = [part for part in parts if any(fnmatch.fnmatchcase(name, form) for form in part["Files"].split())]
    return found[-1] if found else None


def faults(parts, texts, names):
    """What is wrong with paragraphs and licences for files with these names."""
    found = []
    used = set()
    for part in parts:
        found += [f"{form}: no such file" for form in part["Files"].split()
                  if not any(fnmatch.fnmatchcase(name, form) for name in names)]
        found += [f"{part['Files']}: no {field}" for field in ("Copyright", "License") if not part.get(field)]
        found += [f"{part['Files']}: no {field}" for field in ("Source", "Comment")
                  if part["Copyright"] != OURS and not part.get(field)]
        used.update(re.split(r" and | or ", part["License"]))
    found += [f"{name}: no text" for name in used - set(texts)] + [f"{name}: nothing has it" for name in set(texts) - used]
    found += [f"{name}: not of SPDX" for name in used if name not in SPDX
              and not any(name.startswith(known + "-") for known in SPDX)]
    return found


def strangers(parts, name, text):
    """Whether a file that names an owner counts as our own."""
    lines = [line for line in text.split("\n") if OWNED.search(line) and OURS not in line]
    return bool(lines) and stanza(parts, name)["Copyright"] == OURS


class Notices:
    def test_every_file_has_an_owner_and_every_licence_a_text(self):
        parts, texts = notices()
        names = tracked()
        assert faults(parts, texts, names) == []
        assert all(stanza(parts, name) for name in names)
        assert stanza(parts, "README.md")["Copyright"] == OURS

    def test_faults_are_found(self):
        parts, texts = notices()
        names = tracked()
        for change in ({"Files": "no/such.csv"}, {"License": "BSD-3-Clause and Beerware"}, {"Source": ""}):
            changed = [*parts[:-1], {**parts[-1], **change}]
            assert faults(changed, texts, names), change
        assert faults(parts, {**texts, "ISC": "text"}, names) == ["ISC: nothing has it"]

    def test_files_that_name_an_owner_are_known(self):
        parts, _ = notices()
        found = []
        for name in tracked():
            with open(os.path.join(TOP, name), "rb") as file:
                text = file.read()
            if b"\0" not in text and name not in SPEAK and not name.startswith("tests/hostile/"):
                found += [name] if strangers(parts, name, text.decode(errors="replace")) else []
        assert found == []
        assert strangers(parts, "src/a.c", "/* Copyright (c) 2011 A. Person */")
        assert not strangers(parts, "postprocess/published/measured/ellipse-impacts.csv", "# SPDX-License-Identifier: X")

    def test_our_licence_is_the_one_at_the_top(self):
        _, texts = notices()
        own = read("LICENSE")
        assert own.split("\n")[2] == f"Copyright (c) {OURS.replace(' ', ', ', 1)}"
        conditions = own[own.index("Redistribution"):].rstrip("\n").split("\n")
        assert texts["BSD-3-Clause"].split("\n") == [line or "." for line in conditions]

    def test_measured_data_of_others_name_them(self):
        """The rows of the page about measured data and the heads of the files agree with the notices."""
        parts, _ = notices()
        folder = "postprocess/published/measured/"
        page = read(folder + "README.md")
        for name in tracked():
            if name.startswith(folder) and name.endswith(".csv"):
                part = stanza(parts, name)
                assert os.path.basename(name) in page
                if part["Copyright"] != OURS:
                    head = "".join(line for line in read(name).splitlines() if line.startswith("#"))
                    assert part["Copyright"] in head and f"SPDX-License-Identifier: {part['License']}" in head, name
                    assert part["Copyright"].split(" ", 1)[1] in page
