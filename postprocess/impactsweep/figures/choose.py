"""Chooses a kind of figure for a file: the one that its config asks for, or one that suits its contents."""
from dataclasses import dataclass, field

import numpy as np

from ..errors import InputError
from ..maps import contents
from ..maps.contents import coordinate, flags_of
from . import command
from .kinds import (band, flow, histogram, lines, map as plane, multiples, quantiles, scatter, sensitivity, table,
                    trace)

# One row for each kind of figure.
KINDS = {"map": plane, "lines": lines, "multiples": multiples, "band": band,
         "histogram": histogram, "scatter": scatter, "quantiles": quantiles,
         "sensitivity": sensitivity, "trace": trace, "flow": flow, "table": table}
FEW = lines.MOST_CURVES  # points of an axis whose values can be told apart as curves or panels
VISIBLE = lines.VISIBLE
ROLES = ("x", "y", "curves", "panels", "sample")
PAIRS = ("slice", "limits", "label", "unit")  # options that are given for one name each
MOST_SCATTERED = scatter.MOST_COLUMNS


@dataclass
class Choice:
    """A kind of figure, the reason for it, and its options."""
    kind: str
    reason: str
    words: list = field(default_factory=list)
    called: str = ""  # a name for the figure, such as mode map


def choose(path, words=(), figure=None):
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
        if not choice.kind:
            found = choose_for_map(data, taken_by(words) | taken_by(choice.words), words)
            choice = Choice(found.kind, found.reason, [
                *(word for word in choice.words if command.takes(KINDS[found.kind], word)),
                *(found.words if "--field" not in given(choice.words) else [])])
        choice.called = what(data, choice)
        return choice


# --------------------------------------------------------------------- what the config asks for

def meant(data, words, figure):
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
        repeated = key in PAIRS and name in names_in(words, f"--{key}")
        if key == "as" or f"--{key}" in there - {f"--{pair}" for pair in PAIRS} or one or repeated:
            continue
        options += [f"--{key}"] * (value == "true") if value in ("true", "false") and key in (
            "psi", "one-scale", "solved-points", "each") else [f"--{key}={value}"]
    return Choice(kind, "its config asks for it" if kind else "", options)


def given(words):
    """The options among words."""
    return {word.partition("=")[0] for word in words if word.startswith("--")}


def taken_by(words):
    """The axes that the options --slice among words fix."""
    return names_in(words, "--slice")


def names_in(words, option):
    """The names that an option NAME=VALUE is given for."""
    return {text.partition("=")[0].strip() for text in values_of(words, option)} - {""}


def values_of(words, option):
    return [word.partition("=")[2] if word.startswith(f"{option}=") else words[place + 1]
            for place, word in enumerate(words)
            if word.startswith(f"{option}=") or word == option and place + 1 < len(words)]


def value_of(words, option):
    return next(iter(values_of(words, option)), None)


# ------------------------------------------------------------------------- what the file holds

def choose_for_map(data, sliced=frozenset(), words=()):
    dims = [dim for dim in free_dims(data) if dim not in sliced]
    many = [dim for dim in dims if is_long(data, dim)]
    few = [dim for dim in dims if dim not in many]
    samples = [dim for dim in dims if contents.is_sample(data, dim)]
    if not dims:
        raise InputError("nothing to draw: no axis has more than one point")
    for option in ("--x", "--y"):
        name = value_of(words, option)
        if name in contents.fields_of(data) and name not in data.sizes:
            return Choice("scatter" if samples else "lines", f"{name} is an output")
    if is_flow(data, dims):
        return Choice("flow", "its axes change only the initial motion of a body in space")
    if any(data[dim].attrs.get("design") == "saltelli" for dim in samples):
        return Choice("sensitivity", "it has a sample of Saltelli's design, which serves Sobol indices")
    if len(samples) == 1 and len(dims) > 1:
        return Choice("band", f"one of its axes is a sample of {uncertain(data, samples[0])}")
    if dims == samples:
        few_columns = 1 <= len(contents.columns_of(data, dims[0])) <= MOST_SCATTERED
        return Choice("scatter" if few_columns else "histogram",
                      f"its only free axis is a sample of {uncertain(data, dims[0])}")
    if len(many) == 2 and few:
        words, reason = field_for(data, many, few)
        return Choice("multiples", f"{named(many)} have many points and {named(few)} few{reason}",
                      words)
    if len(many) >= 2 or not has_real(data):
        words, reason = field_for(data, many)
        return Choice("map", (f"{named(many)} have many points" if len(many) > 1 else
                              "it has no real output") + reason, words)
    return Choice("lines", f"only {named(many)} has many points" if many else
                  "no axis has many points")


def what(data, choice):
    """A name for the figure of this file."""
    if choice.kind == "map":
        wanted = value_of(choice.words, "--field") or contents.default_field(data)
        return "mode map" if wanted in data and flags_of(data[wanted]) else "field map"
    search = "search" in data.attrs or {"root", "extreme"} & set(data.variables)
    return {"lines": "search result" if search else "family of curves",
            "multiples": "small multiples"}.get(choice.kind, choice.kind)


def uncertain(data, dim):
    return named(contents.columns_of(data, dim)) or dim


def named(dims):
    return " and ".join(filter(None, [", ".join(dims[:-1]), *dims[-1:]]))


def free_dims(data):
    """The axes of the cells that have more than one point, in the file's order."""
    any_field = data["outcome" if "outcome" in data else contents.default_field(data)]
    return [str(dim) for dim in any_field.dims if data.sizes[dim] > 1]


def is_long(data, dim):
    return data.sizes[dim] > FEW and not flags_of(coordinate(data, dim))


def is_flow(data, dims):
    carried = [name for dim in dims for name in contents.columns_of(data, dim) or [dim]]
    return (data.attrs.get("theory") == "swerve" and flow.knows_body_of(data)
            and set(carried) <= set(flow.MOTION)
            and np.prod([data.sizes[dim] for dim in dims]) <= flow.MOST_PATHS)


def has_real(data):
    grid = contents.grid_of(data)
    return any(set(data[name].dims) & grid for name in contents.real_fields(data)
               if name not in contents.BOOKKEEPING)


def field_for(data, drawn, panels=()):
    """(options, reason): empty where the usual field differs from cell to cell and from panel to panel;
    otherwise they name the first field that does."""
    usual = contents.default_field(data)
    for name in contents.ranked_fields(data):
        if name in contents.BOOKKEEPING or name == "outcome" or not (
                name == usual or data[name].dtype.kind == "f"):
            continue
        if all(contents.varies(data, name, dims, VISIBLE) for dims in (drawn, panels) if dims):
            return ([], "") if name == usual else (
                ["--field", name], f"; {name} shows more than {usual}, which is the same "
                f"{'in every panel' if panels else 'everywhere'}")
    return [], ""
