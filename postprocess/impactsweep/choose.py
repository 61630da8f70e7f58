"""Which kind of figure suits a file, by what it holds."""
from dataclasses import dataclass, field

import numpy as np

from . import files
from .files import BadInput, coordinate, flags_of
from .kinds import band, flow, lines, map as plane, multiples, trace

KINDS = {"map": plane, "lines": lines, "multiples": multiples, "band": band, "trace": trace,
         "flow": flow}
FEW = lines.MOST_CURVES  # points of an axis whose values can be told apart as curves or panels
VISIBLE = lines.VISIBLE


@dataclass
class Choice:
    """A kind of figure, why, and the options that go with it."""
    kind: str
    reason: str
    words: list = field(default_factory=list)


def choose(path):
    if path.lower().endswith(".csv"):
        return Choice("trace", "it is a history of one cell")
    with files.open_file(path, "map or history") as data:
        if {"phase", "event"} <= set(data.variables):
            return Choice("trace", "it is a history of one cell")
        if not files.fields_of(data):
            raise BadInput(f"{path}: not a map (it has no output over axes)")
        return choose_for_map(data)


def choose_for_map(data):
    dims = free_dims(data)
    many = [dim for dim in dims if is_long(data, dim)]
    few = [dim for dim in dims if dim not in many]
    if not dims:
        raise BadInput("nothing to draw: no axis has more than one point")
    if is_flow(data, dims):
        return Choice("flow", "its axes say only how a body in space sets out")
    if len(dims) > 1 and len([dim for dim in dims if files.is_sample(data, dim)]) == 1:
        return Choice("band", "one of its axes is a sample")
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


def named(dims):
    return " and ".join(filter(None, [", ".join(dims[:-1]), dims[-1]]))


def free_dims(data):
    """The axes of the cells that have more than one point, in the file's order."""
    any_field = data["outcome" if "outcome" in data else files.default_field(data)]
    return [str(dim) for dim in any_field.dims if data.sizes[dim] > 1]


def is_long(data, dim):
    return data.sizes[dim] > FEW and not flags_of(coordinate(data, dim))


def is_flow(data, dims):
    carried = [name for dim in dims for name in files.columns_of(data, dim) or [dim]]
    return (data.attrs.get("theory") == "swerve" and set(carried) <= set(flow.MOTION)
            and np.prod([data.sizes[dim] for dim in dims]) <= flow.MOST_PATHS)


def has_real(data):
    grid = files.grid_of(data)
    return any(set(data[name].dims) & grid for name in files.real_fields(data)
               if name not in files.BOOKKEEPING)


def field_for(data, drawn, panels=()):
    """(options, reason): nothing where the usual field differs from cell to cell and from panel to
    panel, or else the first one that does."""
    usual = files.default_field(data)
    for name in files.ranked_fields(data):
        if name in files.BOOKKEEPING or name == "outcome" or not (
                name == usual or data[name].dtype.kind == "f"):
            continue
        if all(files.varies(data, name, dims, VISIBLE) for dims in (drawn, panels) if dims):
            return ([], "") if name == usual else (
                ["--field", name], f"; {name} shows more than {usual}, which "
                f"{'no panel changes' if panels else 'is the same everywhere'}")
    return [], ""
