#!/usr/bin/python3
"""Structures that code in lanes reads: does anything depend on the order of their members?

    members.py BUILD [SEED]

BUILD is a build made by Ninja. In a copy of the sources the members of one
type of each structure change places. Where code trusts the order, a static assertion has to find that when it is compiled;
where everything goes by name, the bits stay those of digests.txt. Prints which structures are found, what differs otherwise, and
the initialisers of the other structures that name no members: the next change could make them wrong without a sign."""
import os
import random
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

import matrix

ROOT = matrix.ROOT
CELLS = matrix.COLUMNS[0]


def headers_of_lanes(build):
    """The files of src that files *_lanes.c include, themselves included."""
    listing = subprocess.run(["ninja", "-C", build, "-t", "deps"], capture_output=True, text=True, check=True).stdout
    found = set()
    for block in listing.split("\n\n"):
        target, *files = block.split("\n")
        if "_lanes.c.o:" in target:
            found |= {os.path.relpath(os.path.join(build, file.strip()), ROOT) for file in files}
    return sorted(file for file in found if file.startswith("src/"))


def blank(text):
    """The text without comments, every character in its place."""
    return re.sub(r"/\*.*?\*/", lambda match: re.sub(r"[^\n\\]", " ", match[0]), text, flags=re.S)


def bodies(code):
    """(name, start, end) of the members of each structure, and of each list of members."""
    for match in re.finditer(r"\bstruct(?: (\w+))? \{", code):
        depth, end = 1, match.end()
        while depth:
            depth += {"{": 1, "}": -1}.get(code[end], 0)
            end += 1
        yield match[1] or f"structure without a name at {match.start()}", match.end(), end - 1
    for match in re.finditer(r"#define (\w+)\((?:NUMBER|real)\b[^)]*\)((?:[^\n]*\\\n)*[^\n]*)", code):
        yield match[1], match.start(2), match.end(2)


def members(code, start, end):
    """{type: [(start, end) of each member]}, of members that are plain names or arrays."""
    found, at = {}, start
    for declaration in re.split(r"(?<=;)", code[start:end]):
        match = re.fullmatch(r"[\s\\]*(\w[\w\s]*?)[\s\\]+(\w[^;{}()*]*);", declaration)
        place = at + match.start(2) if match else None
        for part in match[2].split(",") if match else []:
            name = re.fullmatch(r"[\s\\]*(\w+((?:\[[^\]]*\])*))\s*", part)
            if name:
                found.setdefault((match[1], name[2]), []).append((place + name.start(1), place + name.end(1)))
            place += len(part) + 1
        at += len(declaration)
    return found


def structures(text):
    """{name: members of each type}, of structures with members that can change places."""
    code = blank(text)
    found = {name: [places for places in members(code, start, end).values() if len(places) > 1]
             for name, start, end in bodies(code)}
    return {name: places for name, places in found.items() if places}


def exchanged(text, groups, chance):
    """The text with the members of each group in another order."""
    new = {}
    for places in groups:
        shift = chance.randrange(1, len(places))
        order = places[shift:] + places[:shift]
        new.update({place: text[start:end] for place, (start, end) in zip(places, order)})
    for start, end in sorted(new, reverse=True):
        text = text[:start] + new[start, end] + text[end:]
    return text


class Copy:
    """A copy of the sources, of which structures change."""

    def __init__(self, build, folder):
        self.build, self.folder = os.path.abspath(build), folder
        for name in ("src", "include", "jobs", "tests", "CMakeLists.txt"):
            source = os.path.join(ROOT, name)
            (shutil.copytree if os.path.isdir(source) else shutil.copy)(source, os.path.join(folder, name))
        self.text, self.written = {}, {}
        for name in headers_of_lanes(self.build):
            with open(os.path.join(ROOT, name), encoding="utf-8") as file:
                self.text[name] = file.read()
        self.commands = list(self.compilers())

    def compilers(self):
        """The command that checks the syntax of each file of the kernels."""
        done = subprocess.run(["ninja", "-C", self.build, "-t", "commands", "impact_static"], capture_output=True,
                              text=True, check=True)
        for line in done.stdout.splitlines():
            words = shlex.split(line)
            if "-c" in words and "-DIMP_LANES=4" not in words and "-DIMP_LANES=8" not in words:
                first = next(i for i, word in enumerate(words) if word.startswith("-"))
                options = [word.replace(ROOT, self.folder) for word in words[first:words.index("-MD")]]
                source = words[words.index("-c") + 1]
                yield [words[first - 1], *options, "-fsyntax-only", source.replace(ROOT, self.folder)]

    def write(self, name, text):
        if self.written.get(name, self.text[name]) == text:
            return
        self.written[name] = text
        with open(os.path.join(self.folder, name), "w", encoding="utf-8") as file:
            file.write(text)

    def errors(self, commands, *options):
        """{command: what the compiler says}, of the commands that it refuses."""
        found = {}
        for words in commands:
            done = subprocess.run([*words, *options], capture_output=True, text=True)
            if done.returncode:
                found[tuple(words)] = done.stderr.replace(self.folder + "/", "")
        return found

    def positional(self, found):
        """Initialisers that name no members, of structures without an assertion."""
        asserted = {one for _, one in found}
        for name, text in self.text.items():
            self.write(name, re.sub(r"\bstruct( (\w+))? \{", lambda match: match[0] if match[2] in asserted else
                                    f"struct __attribute__((designated_init)){match[1] or ''} {{", text))
        said = "\n".join(self.errors(self.commands, "-Werror=designated-init").values())
        for name, text in self.text.items():
            self.write(name, text)
        return sorted({line for line in said.splitlines() if "error: " in line})

    def exchange(self, seed):
        """Exchanges members in every structure. [(file, structure)] of those that the compiler refuses, which are
        restored, and of the others; errors that are left."""
        every = [(name, one) for name, text in self.text.items() for one in structures(text)]
        self.exchange_in(every, seed)
        refused, found = self.errors(self.commands), []
        for key in every if refused else []:
            self.exchange_in([key], seed)
            if self.errors(refused):
                found.append(key)
        kept = [key for key in every if key not in found]
        self.exchange_in(kept, seed)
        return found, kept, "\n".join(self.errors(self.commands).values())

    def exchange_in(self, chosen, seed):
        for name, text in self.text.items():
            groups = [places for one, some in structures(text).items() if (name, one) in chosen for places in some]
            self.write(name, exchanged(text, groups, random.Random(seed)))

    def differences(self):
        """What differs from the table of digests."""
        matrix.ROOT = self.folder
        try:
            found = matrix.run(matrix.Row("gcc", "-O1", "x86-64-v2", cmake=("-DIMPACT_PROCESSOR=x86-64-v2",)), CELLS)
        finally:
            matrix.ROOT = ROOT
        return matrix.differences(found, CELLS)


def main():
    with tempfile.TemporaryDirectory(prefix="members-") as folder:
        copy = Copy(sys.argv[1], folder)
        found, kept, errors = copy.exchange(int((sys.argv[2:] or ["1"])[0]))
        print("found when compiled:", *(f"{name} {one}" for name, one in found), sep="\n  ")
        print(len(kept), "structures in another order; what differs then:", errors, *copy.differences(), sep="\n  ")
        print("initialisers that name no members:", *copy.positional(found), sep="\n  ")


if __name__ == "__main__":
    main()
