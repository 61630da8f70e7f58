#!/usr/bin/python3
"""Draws any file of impactsweep: a map or the history of one cell, as what it holds suggests.

    plot.py FILE [-o PICTURE] [--as KIND] [options of that kind]

KIND is map, lines, multiples, band, trace or flow; each is also a command of its own (plot_map.py,
...), and `plot.py FILE --as KIND --help` lists its options. Says on stdout which kind it drew, and
why. Exit codes: 0 the picture is written, 2 bad input (one line on stderr, nothing written).
"""
import sys

from impactsweep import choose, command

PROGRAM = "plot.py"


def split(arguments):
    """(file, kind or None, other words); the parser does not know the options of each kind."""
    parser = command.Parser(prog=PROGRAM, description=__doc__.split("\n\n")[0], allow_abbrev=False,
                            add_help="--as" not in arguments)
    parser.add_argument("file", metavar="FILE", help="map or history")
    parser.add_argument("--as", dest="kind", metavar="KIND", choices=choose.KINDS,
                        help=f"one of {', '.join(choose.KINDS)} (default: by what the file holds); "
                             "--as KIND --help lists its options")
    parser.add_argument("-o", "--output", metavar="PICTURE",
                        help="png, pdf or svg (default: FILE with its suffix replaced by .png)")
    return parser.parse_known_args(arguments)


def work(arguments, notes):
    known, words = split(arguments)
    choice = choose.Choice(known.kind, "") if known.kind else choose.choose(known.file)
    kind = choose.KINDS[choice.kind]
    words = [known.file, "-o", known.output or command.beside(known.file, ".png"),
             *words, *(choice.words if "--field" not in words else [])]
    options = command.parser_of(PROGRAM, kind).parse_args(words)
    picture = command.draw(kind, options, notes)
    print(f"{picture}: {choice.kind}" + (f", because {choice.reason}" if choice.reason else ""))


if __name__ == "__main__":
    sys.exit(command.run(PROGRAM, work))
