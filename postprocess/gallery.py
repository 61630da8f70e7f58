#!/usr/bin/python3
"""Computes and draws the figures and tables of the sources: papers and theses whose results this project
reproduces.

    gallery.py [SOURCE | SOURCE/ITEM]... [-o FOLDER] [--thumbnails]
    gallery.py --pages | --list

Each source has a folder in configs, such as configs/brach1993. The file items.ini there is the list of its
figures and tables: the commands that make each of them, and how far it agrees with the source. Without
arguments every item of every source is made. Maps and pictures appear in FOLDER/SOURCE (default: gallery); a
map that is complete already is not computed again.

--thumbnails also writes the small pictures of the pages, --pages the pages (README.md of every source, and its items
in that of the configs) without computing anything, --list prints every item with its agreement in words. Exit codes:
0 everything is made, 1 a command failed, 2 bad input.
"""
import argparse
import configparser
import contextlib
import csv
import glob
import os
import re
import shlex
import subprocess
import sys
import textwrap
from dataclasses import dataclass, field

sys.path.insert(0, os.path.dirname(os.path.realpath(__file__)))  # an isolated Python leaves it out
import required

required.check()

os.environ["HDF5_USE_FILE_LOCKING"] = "FALSE"
import plot
from impactsweep.errors import InputError, ProgramError
from impactsweep.figures import command, settings
from impactsweep.figures.kinds import trace
from impactsweep.library.paths import find_program
from impactsweep.solving.running import environment

PROGRAM = "gallery.py"
PROJECT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
CONFIGS = os.path.join(PROJECT, "configs")
PUBLISHED = os.path.join(PROJECT, "postprocess", "published")
KEYS = ("shows", "commands", "compared", "agreement", "absent")
LARGEST_THUMBNAIL = 20000  # bytes
WIDTHS = (480, 400, 320, 240)  # pixels
LINE = 110  # characters
WIDTH_IN_TABLE = 150  # pixels
TABLE_BEGINS = "<!-- Items, written by `postprocess/gallery.py --pages`. -->"
TABLE_ENDS = "<!-- End of the items. -->"


@dataclass
class Item:
    """A figure or table of a source. compared: words that `validate.py --only` looks for; absent: why the item
    cannot be drawn, "" if it can."""
    source: str
    name: str
    shows: str = ""
    commands: list = field(default_factory=list)  # as a person types them in the folder of the project
    compared: list = field(default_factory=list)
    agreement: str = ""
    absent: str = ""

    @property
    def slug(self):
        return self.name.replace(" ", "-")

    @property
    def pictures(self):
        return [picture_of(words) for words in map(shlex.split, self.commands) if is_plot(words)]


@dataclass
class Source:
    folder: str
    title: str
    about: str
    items: list


# -------------------------------------------------------------------------------- the lists of items

def source_names():
    return sorted(os.path.basename(os.path.dirname(path))
                  for path in glob.glob(os.path.join(CONFIGS, "*", "items.ini")))


def read_source(name):
    path = os.path.join(CONFIGS, name, "items.ini")
    parser = configparser.ConfigParser(interpolation=None, comment_prefixes=("#",))
    try:
        with open(path, encoding="utf-8") as file:
            parser.read_file(file, path)
        about = dict(parser["source"])
        items = [item_of(name, section, parser[section], path)
                 for section in parser.sections() if section != "source"]
        return Source(name, about["title"], paragraph(about.get("about", "")), items)
    except (OSError, configparser.Error, KeyError) as reason:
        raise InputError(f"{path}: {reason}") from None


def item_of(source, name, given, path):
    wrong = [key for key in given if key not in KEYS]
    if wrong:
        raise InputError(f"{path}: [{name}]: unknown key '{wrong[0]}'; allowed: {', '.join(KEYS)}")
    if ("commands" in given) == ("absent" in given):
        raise InputError(f"{path}: [{name}]: an item has either 'commands' or 'absent'")
    needed = ("shows", "agreement") if "commands" in given else ("shows",)
    for key in needed:
        if not given.get(key, "").strip():
            raise InputError(f"{path}: [{name}]: '{key}' is missing")
    lines = {key: [line for line in given.get(key, "").splitlines() if line.strip()]
             for key in ("commands", "compared")}
    return Item(source, name, paragraph(given["shows"]), lines["commands"], lines["compared"],
                paragraph(given.get("agreement", "")), paragraph(given.get("absent", "")))


def paragraph(text):
    return " ".join(text.split())


def chosen_items(wanted):
    """The sources that are asked for, each with those of its items that are asked for."""
    sources = {name: read_source(name) for name in source_names()}
    if not wanted:
        return list(sources.values())
    found = {}
    for word in wanted:
        name, _, slug = word.strip("/").partition("/")
        if name not in sources:
            raise InputError(f"unknown source '{name}'; there are: {', '.join(sources)}")
        items = [item for item in sources[name].items if slug in ("", item.slug)]
        if not items:
            raise InputError(f"{name} has no item '{slug}'; there are: "
                           f"{', '.join(item.slug for item in sources[name].items)}")
        found.setdefault(name, []).extend(items)
    return [Source(name, sources[name].title, sources[name].about, items) for name, items in found.items()]


# ------------------------------------------------------------------------------------- commands

def draw_histories(words, notes):
    """plot_trace.py: several histories in one picture."""
    command.draw(trace, command.parser_of("plot_trace.py", trace).parse_args(words), notes)


PLOTS = {"postprocess/plot.py": plot.work, "postprocess/plot_trace.py": draw_histories}


def is_plot(words):
    return words[0] in PLOTS


def draw(words):
    """Draws the picture of a command in the current folder."""
    with contextlib.redirect_stdout(None):
        PLOTS[words[0]](located(words)[1:], [])


def picture_of(words):
    """The name of the picture that a command writes."""
    known, _ = plot.split(words[1:])
    return os.path.basename(known.output or settings.beside(known.files[0], ".png"))


def located(words):
    """Words with the paths of the project as absolute ones."""
    return [os.path.join(PROJECT, word) if word.startswith(("configs/", "postprocess/")) else word
            for word in words]


def perform(text, folder, program):
    """Runs one command of an item in a folder."""
    words = located(shlex.split(text))
    if is_plot(shlex.split(text)):
        with contextlib.chdir(folder):
            draw(shlex.split(text))
        return
    extra = ["--resume", "--progress", "none"] if words[1] == "run" else []
    done = subprocess.run([program, *words[1:], *extra], cwd=folder, stdin=subprocess.DEVNULL,
                          capture_output=True, text=True, env=environment(), check=False)
    if done.returncode:
        raise InputError(f"{text}: {done.stderr.strip()}")


def make(item, folder, program):
    """Makes the files of an item; returns an error message, or nothing."""
    os.makedirs(folder, exist_ok=True)
    try:
        for text in item.commands:
            perform(text, folder, program)
    except (InputError, OSError) as reason:
        return f"{item.source}, {item.name}: {reason}"
    return ""


def write_thumbnail(picture, path):
    """A small copy with few colours."""
    from PIL import Image  # matplotlib needs it too
    with Image.open(picture) as image:
        whole = image.convert("RGB")
    os.makedirs(os.path.dirname(path), exist_ok=True)
    for width in WIDTHS:
        size = (width, max(1, round(whole.height * width / whole.width)))
        whole.resize(size, Image.Resampling.LANCZOS).quantize(48, dither=Image.Dither.NONE).save(
            path, optimize=True)
        if os.path.getsize(path) <= LARGEST_THUMBNAIL:
            return


# ---------------------------------------------------------------------------------------- pages

def published_rows():
    rows = []
    for path in sorted(glob.glob(os.path.join(PUBLISHED, "*.csv"))):
        with open(path, encoding="utf-8", newline="") as file:
            rows += list(csv.DictReader(file))
    return rows


def numbers_of(item, rows):
    """How many published numbers are compared, in words: `12 numbers: 11 reproduced, 1 misprint`."""
    chosen = [row["verdict"] or "reproduced" for row in chosen_rows(item, rows)]
    counts = [f"{chosen.count(verdict)} {verdict}" for verdict in dict.fromkeys(
        ["reproduced", *chosen]) if verdict in chosen]
    return f"{len(chosen)} number{'s'[len(chosen) == 1:]}: {', '.join(counts)}"


def chosen_rows(item, rows):
    return [row for row in rows
            if any(word.lower() in " ".join(row.values()).lower() for word in item.compared)]


def differences_of(item, rows):
    """The published numbers that differ from the correct ones, as a table."""
    found = [row for row in chosen_rows(item, rows) if row["verdict"]]
    lines = [f"| {row['case']} | {row['quantity'].replace('_', ' ')} | {row['published']} | {row['correct']} | "
             f"{row['verdict']}: {row['note']} |" for row in found]
    return ["", "| case | quantity | printed | correct | why |", "|---|---|---|---|---|", *lines] if found else []


def page_of(source, rows):
    lines = [f"# {source.title}", "",
             "<!-- Written by `postprocess/gallery.py --pages` from items.ini. -->", ""]
    lines += filled(source.about) + [""] if source.about else []
    lines += filled(f"`postprocess/gallery.py {source.folder}` makes all of the pictures. Every command below works "
                    "alone, in the folder of the project.")
    for item in source.items:
        lines += ["", f"## {item.name[0].upper()}{item.name[1:]}", "", *section_of(item, rows)]
    return "\n".join(lines) + "\n"


def section_of(item, rows):
    lines = filled(item.shows)
    if item.absent:
        return lines + ["", *filled(f"**Not drawn:** {item.absent}")]
    for name in item.pictures:
        lines += ["", f"![{item.name}: {item.shows.split('. ')[0].rstrip('.')}](thumbnails/{name})"]
    lines += ["", *(f"    {text}" for text in item.commands)]
    lines += [f'    postprocess/validate.py --only "{word}"' for word in item.compared]
    lines += ["", *filled(f"**Agreement:** {item.agreement}")]
    if item.compared:
        lines += ["", *filled(f"Compared by `validate.py`: {numbers_of(item, rows)}."), *differences_of(item, rows)]
    return lines


def filled(text):
    return textwrap.wrap(text, LINE, break_long_words=False, break_on_hyphens=False)


def row_of(item):
    """An item in the table of all sources: its place, its pictures, and the command that makes them."""
    title = item.name[0].upper() + item.name[1:]
    anchor = re.sub(r"[^\w -]", "", item.name.lower()).replace(" ", "-")
    shown = item.shows.split(". ")[0].rstrip(".")
    images = " ".join(f'<img src="{item.source}/thumbnails/{name}" width="{WIDTH_IN_TABLE}" alt="{shown}">'
                      for name in item.pictures)
    made_by = f"`postprocess/gallery.py {item.source}/{item.slug}`"
    return f"| [{title}]({item.source}/README.md#{anchor}) | {images} | {made_by} |"


def table_of(sources):
    """Every item of the sources that is drawn."""
    lines = []
    for source in sources:
        drawn = [item for item in source.items if not item.absent]
        lines += ["", f"**{source.title}**", "", "| item | picture | command |", "|---|---|---|", *map(row_of, drawn)]
    return "\n".join(lines).strip() + "\n"


def with_table(text, sources):
    """A page with the table between its two marks."""
    before, rest = text.split(TABLE_BEGINS)
    return f"{before}{TABLE_BEGINS}\n\n{table_of(sources)}\n{TABLE_ENDS}{rest.split(TABLE_ENDS)[1]}"


def write_pages():
    rows = published_rows()
    sources = [read_source(name) for name in source_names()]
    for source in sources:
        write(os.path.join(CONFIGS, source.folder, "README.md"), page_of(source, rows))
    whole = os.path.join(CONFIGS, "README.md")
    with open(whole, encoding="utf-8") as file:
        text = file.read()
    write(whole, with_table(text, sources))


def write(path, text):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def list_items(sources):
    rows = published_rows()
    print("| source | item | agreement |\n|---|---|---|")
    for source in sources:
        for item in source.items:
            words = f"not drawn: {item.absent}" if item.absent else item.agreement
            more = f" ({numbers_of(item, rows)})" if item.compared else ""
            print(f"| {source.folder} | {item.name} | {words}{more} |")


# ---------------------------------------------------------------------------------- the command

def arguments(words):
    parser = command.Parser(prog=PROGRAM, description=__doc__, allow_abbrev=False,
                            formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("wanted", metavar="SOURCE[/ITEM]", nargs="*",
                        help="such as brach1993 or brach1993/figure-3 (default: everything)")
    parser.add_argument("-o", "--output", metavar="FOLDER", default="gallery", help="default: gallery")
    parser.add_argument("--thumbnails", action="store_true", help="also write the thumbnails of the pages")
    parser.add_argument("--pages", action="store_true", help="write the pages; compute nothing")
    parser.add_argument("--list", action="store_true", help="print the items with their agreement")
    return parser.parse_args(words)


def make_all(sources, options):
    failed, program = [], find_program()
    for source in sources:
        folder = os.path.join(os.path.abspath(options.output), source.folder)
        for item in (item for item in source.items if item.commands):
            error = make(item, folder, program)
            failed += [error] if error else []
            for name in [] if error else item.pictures:
                print(os.path.join(options.output, source.folder, name), flush=True)
                if options.thumbnails:
                    write_thumbnail(os.path.join(folder, name),
                                    os.path.join(CONFIGS, source.folder, "thumbnails", name))
    for error in failed:
        print(f"{PROGRAM}: error: {error}", file=sys.stderr)
    return 1 if failed else 0


def main(words=None):
    try:
        options = arguments(words)
        sources = chosen_items(options.wanted)
        if options.list:
            list_items(sources)
            return 0
        if options.pages:
            write_pages()
            return 0
        return make_all(sources, options)
    except (InputError, ProgramError) as reason:
        print(f"{PROGRAM}: error: {reason}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
