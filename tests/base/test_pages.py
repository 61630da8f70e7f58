"""The pages of the project: links lead somewhere, each statement of "What you can rely on" has its tests, the words of
the glossary are words of the code, and the commits of the decisions exist."""
import os
import re
import subprocess

import pytest

TOP = os.path.realpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
SKIPPED = ("build", ".git")
CODE = re.compile(r"^```.*?^```|^(?: {4}|\t).*?$|`[^`\n]*`", re.M | re.S)


def read(*path):
    with open(os.path.join(TOP, *path), encoding="utf-8") as file:
        return file.read()


def pages():
    for folder, folders, names in os.walk(TOP):
        folders[:] = [name for name in folders if not name.startswith(SKIPPED)]
        for name in names:
            if name.endswith(".md"):
                yield os.path.relpath(os.path.join(folder, name), TOP)


def anchors(text):
    """The anchors of the headings of a page."""
    heads = re.findall(r"^#+ +(.+)$", re.sub(r"^```.*?^```", "", text, flags=re.M | re.S), re.M)
    return {re.sub(r"[^\w\- ]", "", head.lower()).strip().replace(" ", "-") for head in heads}


def broken(page, text):
    """The links of a page that lead nowhere."""
    found = []
    for link in re.findall(r"\]\(([^)\s]+)\)", CODE.sub("", text)):
        path, _, anchor = link.partition("#")
        if re.match(r"[a-z]+:", link):
            continue
        target = os.path.normpath(os.path.join(TOP, os.path.dirname(page), path)) if path else os.path.join(TOP, page)
        if not os.path.exists(target):
            found.append(f"{page}: {link}")
        elif anchor and target.endswith(".md") and anchor not in anchors(read(target)):
            found.append(f"{page}: {link} has no such heading")
    return found


def promises():
    """The rows of the table of promises: [(words, tests)]."""
    part = re.search(r"^## Promises$(.*?)^## ", read("tests", "README.md"), re.M | re.S)[1]
    return [(words, re.findall(r"`([^`]+)`", tests)) for words, tests in re.findall(r"^\| (.+?) \| (`.+`) \|$", part, re.M)]


class Pages:
    def test_links_lead_somewhere(self):
        found = [link for page in pages() for link in broken(page, read(page))]
        assert found == []

    def test_broken_links_are_found(self):
        assert len(broken("README.md", "[a](no/such.md) [b](src/README.md#no-such) [c](#nor-this)")) == 3
        assert broken("README.md", "[a](src/README.md#what-a-new-thing-touches) `[b](none.md)`") == []

    def test_every_room_with_a_page_is_linked(self):
        text = read("src", "README.md")
        for page in pages():
            if re.fullmatch(r"src/[^/]+/README\.md", page):
                assert page.removeprefix("src/") in text

    def test_every_promise_has_tests(self):
        part = re.search(r"^## What you can rely on$(.*?)^## ", read("README.md"), re.M | re.S)[1]
        bullets = [" ".join(bullet.split()) for bullet in part.split("\n- ")[1:]]
        rows = promises()
        assert len(rows) > len(bullets)
        for words, tests in rows:
            assert sum(words in bullet for bullet in bullets) == 1, f"not in the README, or twice: {words}"
            assert tests, words
            for test in tests:
                assert os.path.exists(os.path.join(TOP, "tests", test)), test
        for bullet in bullets:
            assert any(words in bullet for words, _ in rows), f"no test for: {bullet}"

    def test_words_of_the_glossary_are_words_of_the_code(self):
        words = re.findall(r"^\| ([\w-]+) \| \S", read("src", "GLOSSARY.md"), re.M)
        assert words[1:] == sorted(words[1:])
        assert len(words) >= 30
        text = "\n".join(read(os.path.relpath(os.path.join(folder, name), TOP))
                         for folder, _, names in os.walk(os.path.join(TOP, "src")) for name in names
                         if name.endswith((".h", ".c", ".def")))
        for word in words[1:]:
            assert re.search(rf"(?i)\b(?:imp_)?{word}", text), word

    def test_commits_of_the_decisions_exist(self):
        entries = re.split(r"\n\n(?=\*\*)", read("src", "DECISIONS.md"))[1:]
        assert len(entries) >= 15
        for entry in entries:
            assert len(entry.strip().split("\n")) <= 3, entry
            assert re.search(r"\(`[0-9a-f]{7}`", entry)
        if subprocess.run(["git", "-C", TOP, "cat-file", "-e", "2e809f0"], capture_output=True, check=False).returncode:
            pytest.skip("a copy without the history of the project")
        for commit in re.findall(r"`([0-9a-f]{7})`", "\n".join(entries)):
            subprocess.run(["git", "-C", TOP, "merge-base", "--is-ancestor", commit, "HEAD"], check=True)
