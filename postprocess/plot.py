#!/usr/bin/python3
"""Draws any file of impactsweep, a map or the history of one cell, as its config or its contents suggest.

    plot.py FILE... [-o PICTURE] [--as KIND] [options of that kind]

KIND is map, lines, multiples, band, histogram, scatter, quantiles, sensitivity, trace, strobe, flow or table;
`plot.py FILE --as KIND --help` lists the options of a kind. The key `figure` of a config may ask for a figure; options
on the command line override it. Prints the kind that was drawn and the reason. Exit codes: 0 every picture is written,
2 bad input (one line on stderr for each file).
"""
import functools
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.realpath(__file__)))  # an isolated Python leaves it out
import required

required.check()

from impactsweep.errors import InputError
from impactsweep.figures import choose, command, settings
from impactsweep.maps import contents

PROGRAM = "plot.py"


def split(arguments):
    """(files, kind or None, ..., other words); the parser does not know the options of each kind."""
    parser = command.Parser(prog=PROGRAM, description=__doc__.split("\n\n")[0], allow_abbrev=False,
                            add_help="--as" not in arguments)
    parser.add_argument("files", metavar="FILE", nargs="*" if "--help" in arguments else "+",
                        help="map or history")
    parser.add_argument("--as", dest="kind", metavar="KIND", choices=choose.KINDS,
                        help=f"one of {', '.join(choose.KINDS)} (default: as the config or the contents "
                             "of the file suggest); --as KIND --help lists its options")
    parser.add_argument("-o", "--output", metavar="PICTURE",
                        help="png, pdf or svg (default: FILE with its suffix replaced by .png); for several "
                             "files, a folder")
    parser.add_argument("--figure", metavar="FILE", help="options, one per line as `impactsweep check CONFIG "
                        "--figure` prints them, in place of those that the map took from its config")
    names, rest = parted(arguments, {name for name, action in parser._option_string_actions.items()
                                     if action.nargs == 0})
    known, words = parser.parse_known_args([*names, *rest])
    return known, words


@functools.cache
def switches_of_kinds():
    """The options of all kinds that take no value."""
    return {name for kind in choose.KINDS.values()
            for name, action in command.parser_of(PROGRAM, kind)._option_string_actions.items() if action.nargs == 0}


def parted(arguments, switches):
    """(files, options with their values). The options of all kinds decide which words are values of options."""
    switches = switches | switches_of_kinds()
    names, rest, owned = [], [], False
    for word in arguments:
        is_option = word.startswith("-") and not owned
        (rest if is_option or owned else names).append(word)
        owned = is_option and "=" not in word and word not in switches
    return names, rest


def read_figure(path):
    contents.check_file(path, "list of options")
    try:
        with open(path, encoding="utf-8") as file:
            return file.read()
    except (OSError, UnicodeDecodeError) as reason:
        raise InputError(f"{path}: cannot be read ({contents.first_line(reason)})") from None


def choice_of(path, known, words):
    if known.kind and known.figure is None:
        choice = choose.Choice(known.kind, "", [], known.kind)
        return choice
    return choose.choose(path, words, read_figure(known.figure) if known.figure else None)


def draw_one(path, known, words, notes):
    choice = choice_of(path, known, words)
    kind = choose.KINDS[known.kind or choice.kind]
    picture = known.output or settings.beside(path, ".png")
    if len(known.files) > 1 and known.output:
        picture = os.path.join(known.output, os.path.basename(settings.beside(path, ".png")))
    extra = [] if known.kind and known.kind != choice.kind else [
        word for word in choice.words if word.partition("=")[0] not in choose.given(words)
        or word.startswith(tuple(f"--{pair}" for pair in choose.PAIRS))]
    options = command.parser_of(PROGRAM, kind).parse_args([path, "-o", picture, *extra, *words])
    picture = command.draw(kind, options, notes)
    print(f"{picture}: {choice.called or choice.kind}" +
          (f", because {choice.reason}" if choice.reason else ""))


def check_output(known):
    """Several files make several pictures."""
    ending = os.path.splitext(known.output or "")[1].lower()
    if len(known.files) > 1 and ending in command.FORMATS and not os.path.isdir(known.output):
        over = " ".join(f"--over {path}" for path in known.files[1:])
        raise InputError(f"-o {known.output}: {len(known.files)} files make as many pictures, and -o is then the "
                             f"folder for them; one picture of all: {PROGRAM} {known.files[0]} {over} -o {known.output}")


def work(arguments, notes):
    known, words = split(arguments)
    check_output(known)
    wrong = []
    for path in known.files:
        try:
            draw_one(path, known, words, notes)
        except InputError as reason:
            wrong.append(str(reason))
    if wrong:
        raise InputError(f"\n{PROGRAM}: error: ".join(wrong))


def run_kind(kind):
    """The command plot_KIND.py."""
    return command.run_kind(f"plot_{kind}.py", choose.KINDS[kind])


if __name__ == "__main__":
    sys.exit(command.run(PROGRAM, work))
