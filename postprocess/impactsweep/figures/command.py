"""Shared by all commands: options, the picture's file, and messages, one line for each error or note."""
from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable
from typing import NoReturn

import matplotlib
from matplotlib.figure import Figure

from ..errors import InputError
from . import settings
from .looks import style
from .registry import KINDS, KindOfFigure

FORMATS = (".png", ".pdf", ".svg")
# No dates in a file: equal figures have equal bytes.
METADATA: dict[str, dict[str, str | None]] = {".png": {}, ".pdf": {"CreationDate": None}, ".svg": {"Date": None}}


class Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise InputError(message)  # printed in one line, as every other error


def parser_of(program: str, kind: KindOfFigure) -> Parser:
    """A parser for the options of a kind of figure and those of every kind."""
    parser = Parser(prog=program, description=(kind.__doc__ or "").split("\n\n")[0], allow_abbrev=False)
    kind.add_options(parser)
    settings.add_options(parser)
    parser.add_argument("-o", "--output", metavar="PICTURE",
                        help="png, pdf or svg (default: FILE with its suffix replaced)")
    return parser


def draw(kind: KindOfFigure, options: argparse.Namespace, notes: list[str]) -> str:
    """Writes the picture; returns its path."""
    if options.output:
        check_picture(options.output)  # before the work, where the name is known already
    with settings.used(settings.settings_of(options)) as asked:
        with matplotlib.rc_context(style()):  # hatching reads its line width only in save
            figure = make(kind, options, notes)
            path = options.output or kind.default_output(options)
            check_picture(path)
            save(figure, path, asked.dpi)
    return path


def make(kind: KindOfFigure, options: argparse.Namespace, notes: list[str]) -> Figure:
    """The figure of a kind; options that the kind does not use are refused."""
    unused = [name for name in settings.SPECIAL if getattr(options, name, None) not in (None, [])
              and name not in kind.USES]
    if unused:
        own = next(name for name, one in KINDS.items() if one is kind)
        raise InputError("; ".join(
            f"--{name.replace('_', '-')} does not go with the figure '{own}'; it goes with: "
            f"{', '.join(word for word, one in KINDS.items() if name in one.USES)}" for name in unused))
    with settings.used(settings.settings_of(options)):
        return kind.make(options, notes)


def takes(kind: KindOfFigure, word: str) -> bool:
    """Whether an option goes with a kind."""
    option = word.partition("=")[0]
    name = option.removeprefix("--").replace("-", "_")
    return option in parser_of("", kind)._option_string_actions and (
        name not in settings.SPECIAL or name in kind.USES)


def check_picture(path: str) -> None:
    if os.path.splitext(path)[1].lower() not in FORMATS:
        raise InputError(f"'{path}': a picture ends in {', '.join(FORMATS)}")
    if not os.path.isdir(os.path.dirname(path) or "."):
        raise InputError(f"{path}: no such folder")


def save(figure: Figure, path: str, dpi: float = 200) -> None:
    """Writes under another name first, so that no reader ever sees half a picture."""
    partial = f"{path}.{os.getpid()}.partial"
    try:
        ending = os.path.splitext(path)[1].lower()
        figure.savefig(partial, format=ending[1:], dpi=dpi, metadata=METADATA[ending])
        os.replace(partial, path)
    except OSError as reason:
        raise InputError(f"{path}: cannot write ({reason.strerror or reason})") from None
    finally:
        if os.path.exists(partial):
            os.unlink(partial)


def run(program: str, work: Callable[[list[str], list[str]], None], arguments: list[str] | None = None) -> int:
    """Calls work(arguments, notes), then prints the notes; an error is one line instead.
    Returns the exit code: 0 the picture is written, 2 bad input."""
    notes: list[str] = []
    try:
        work(sys.argv[1:] if arguments is None else arguments, notes)
    except InputError as reason:
        print(f"{program}: error: {reason}", file=sys.stderr)
        return 2
    for note in dict.fromkeys(notes):  # several panels may make the same note
        print(f"{program}: note: {note}", file=sys.stderr)
    return 0


def run_kind(program: str, kind: KindOfFigure, arguments: list[str] | None = None) -> int:
    def work(words: list[str], notes: list[str]) -> None:
        draw(kind, parser_of(program, kind).parse_args(words), notes)
    return run(program, work, arguments)
