"""Chooses a kind of figure for a file: the one that its config asks for, or one that suits its contents."""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import xarray as xr

from ..errors import InputError
from ..maps import contents
from . import against, baseline, command, curves
from .registry import KINDS
from .survey import Claim, Survey

ROLES = ("x", "y", "curves", "panels", "sample")
COMPARED = ("minus", "ratio-to")  # of which a figure takes one
PAIRS = ("slice", "limits", "label", "unit")  # options that are given for one name each


@dataclass
class Choice:
    """A kind of figure, the reason for it, and its options."""
    kind: str
    reason: str
    words: list[str] = field(default_factory=list)
    called: str = ""  # a name for the figure, such as mode map


def choose(path: str, words: Sequence[str] = (), figure: str | None = None) -> Choice:
    """words: options of the command line, which override those of the file. figure: lines that replace the
    attribute `figure` of the file."""
    if path.lower().endswith(".csv"):
        return Choice("trace", "it is a history of one cell", called="history")
    with contents.open_file(path, "map or history") as data:
        if {"phase", "event"} <= set(data.variables):
            return Choice("trace", "it is a history of one cell", called="history")
        if not contents.fields_of(data):
            raise InputError(f"{path}: not a map (it has no output over axes)")
        choice = meant(data, words, figure)
        every = [*words, *choice.words]
        compared = baseline.of_words(*(values_of(every, option)[:1] for option in ("--minus", "--ratio-to")))
        if compared:
            data = against.taken(data, compared, values_of(every, "--field"))
        if not choice.kind:
            found = choose_for_map(data, taken_by(words) | taken_by(choice.words), words)
            choice = Choice(found.kind, found.reason, [
                *(word for word in choice.words if command.takes(KINDS[found.kind], word)),
                *(found.words if "--field" not in given(choice.words) else [])])
        choice.called = name_of(data, choice)
        return choice


# --------------------------------------------------------------------- what the config asks for

def meant(data: xr.Dataset, words: Sequence[str], figure: str | None) -> Choice:
    """The choice of the config, without the options that the command line overrides. Where a slice takes away an
    axis that the config names, its kind no longer suits."""
    stated = [line.partition("=")[::2] for line in (
        str(data.attrs.get("figure", "")) if figure is None else figure).splitlines() if line]
    kind = next((value for key, value in stated if key == "as"), None)
    there, options, sliced = given(words), [], taken_by(words)
    for key, value in stated:
        name = value.partition("=")[0]
        one = key in ROLES and name in data.sizes and (data.sizes[name] < 2 or name in sliced)
        kind = None if one and name in sliced else kind
        one |= key in COMPARED and bool({f"--{name}" for name in COMPARED} & there)
        repeated = key in PAIRS and name in names_in(words, f"--{key}")
        if key == "as" or f"--{key}" in there - {f"--{pair}" for pair in PAIRS} or one or repeated:
            continue
        options += [f"--{key}"] * (value == "true") if value in ("true", "false") and key in (
            "psi", "one-scale", "solved-points", "region-numbers", "each") else [f"--{key}={value}"]
    return Choice(kind or "", "its config asks for it" if kind else "", options)


def given(words: Sequence[str]) -> set[str]:
    """The options among words."""
    return {word.partition("=")[0] for word in words if word.startswith("--")}


def taken_by(words: Sequence[str]) -> set[str]:
    """The axes that the options --slice among words fix."""
    return names_in(words, "--slice")


def names_in(words: Sequence[str], option: str) -> set[str]:
    """The names that an option NAME=VALUE is given for."""
    return {text.partition("=")[0].strip() for text in values_of(words, option)} - {""}


def values_of(words: Sequence[str], option: str) -> list[str]:
    return [word.partition("=")[2] if word.startswith(f"{option}=") else words[place + 1]
            for place, word in enumerate(words)
            if word.startswith(f"{option}=") or word == option and place + 1 < len(words)]


def value_of(words: Sequence[str], option: str) -> str | None:
    return next(iter(values_of(words, option)), None)


# ------------------------------------------------------------------------- what the file holds

def choose_for_map(data: xr.Dataset, sliced: set[str], words: Sequence[str]) -> Choice:
    """The kind with the strongest claim; a kind without the function `suits` is drawn only if it is asked for."""
    survey = Survey(data, frozenset(sliced), output_among(data, words))
    if not survey.dims:
        raise InputError("nothing to draw: no axis has more than one point")
    claims: dict[str, Claim | None] = {name: kind.suits(survey) for name, kind in KINDS.items() if hasattr(kind, "suits")}
    name, claim = max(((name, claim) for name, claim in claims.items() if claim), key=lambda one: one[1].strength)
    options, more = field_for(data, *claim.over) if claim.over and "--field" not in given(words) else ([], "")
    return Choice(name, claim.reason + more, options)


def output_among(data: xr.Dataset, words: Sequence[str]) -> str:
    """The output that an axis of the figure shows."""
    asked = [value_of(words, option) for option in ("--x", "--y")]
    return next((name for name in asked if name in contents.fields_of(data) and name not in data.sizes), "")


def name_of(data: xr.Dataset, choice: Choice) -> str:
    """A name for the figure of this file."""
    kind = KINDS[choice.kind]
    return str(kind.called(data, value_of(choice.words, "--field"))) if hasattr(kind, "called") else choice.kind


def field_for(data: xr.Dataset, drawn: Sequence[str], panels: Sequence[str] = ()) -> tuple[list[str], str]:
    """(options, reason): empty where the usual field differs from cell to cell and from panel to panel;
    otherwise they name the first field that does."""
    usual = contents.default_field(data)
    for name in contents.ranked_fields(data):
        if name in contents.BOOKKEEPING or name == "outcome" or not (
                name == usual or data[name].dtype.kind == "f"):
            continue
        if all(contents.varies(data, name, dims, curves.VISIBLE) for dims in (drawn, panels) if dims):
            return ([], "") if name == usual else (
                [f"--field={name}"], f"; {name} shows more than {usual}, which is the same "
                f"{'in every panel' if panels else 'everywhere'}")
    return [], ""
