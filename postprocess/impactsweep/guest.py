"""Makes a theory of a Python function: a guest, a program that solves cells for `impactsweep`.

    import numpy as np
    import impactsweep.guest as guest

    @guest.theory(parameters={"speed": guest.number("m/s", 0, 10, default=1), "drag": guest.number("1", 0, 1)},
                  outputs={"restitution": "1"})
    def law(speed, drag):
        return {"restitution": np.exp(-drag * speed)}

    guest.serve(law)

The file is a guest: `impactsweep cell guest command='python3 law.py' drag=0.2`, or in a config `model: guest` with
`command: [python3, law.py]`. This module needs NumPy and nothing else of the package. The protocol, version 1, is in
src/guest/README.md.
"""
from __future__ import annotations

import io
import json
import math
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias, TypeVar, Union

import numpy as np
import numpy.typing as npt

__all__ = ["theory", "number", "output", "modes", "option", "serve", "SOLVED", "OUTSIDE", "NO_CONVERGENCE",
           "NOT_FINITE", "BUDGET", "LIBRARY_ERROR"]

Array: TypeAlias = np.ndarray[Any, Any]
Entry: TypeAlias = dict[str, object]  # of the description, as JSON
Options: TypeAlias = Union[Sequence[str], Mapping[str, Union[str, Entry, None]]]  # names, or {name: its meaning or entry}
Law: TypeAlias = Callable[..., Mapping[str, npt.ArrayLike]]
Function = TypeVar("Function", bound=Law)
Given = TypeVar("Given")

PROTOCOL = 1
SOLVED, OUTSIDE, NO_CONVERGENCE, NOT_FINITE, BUDGET, LIBRARY_ERROR = 1, 2, 3, 4, 5, 6  # outcomes


def number(unit: str = "1", low: float = -math.inf, high: float = math.inf, *, default: float | None = None,
           meaning: str | None = None, example: float | None = None, low_open: bool = False, high_open: bool = False,
           whole: bool = False) -> Entry:
    """A parameter: its SI unit ("1": none), its range, its default (None: it must be given), and its meaning."""
    ends = {"low": low, "high": high}
    return {"unit": unit, **{name: float(end) for name, end in ends.items() if math.isfinite(end)}, "default": default,
            "meaning": meaning, "example": example, "low_open": low_open, "high_open": high_open, "whole": whole}


def output(unit: str = "1", meaning: str | None = None, *, undefined_in: Sequence[str] = (),
           undefined_when: str | None = None, dimension: str | None = None, length: int = 0,
           whole: bool = False) -> Entry:
    """An output: its SI unit, its meaning, and where a solved cell has NaN; with a dimension, `length` values a cell."""
    listed = {"dimension": dimension, "length": length} if dimension else {}
    return {"unit": unit, "meaning": meaning, "undefined_in": list(undefined_in), "undefined_when": undefined_when,
            "whole": whole, **listed}


def modes(*names: str, **meanings: str) -> Entry:
    """A category, such as the output `mode`: its names, or {name: meaning}. A law answers names or codes 1, 2, ..."""
    return {"categories": [{"name": name, "meaning": meaning}
                           for name, meaning in {**dict.fromkeys(names), **meanings}.items()]}


def option(meaning: str | None = None, parameters: Sequence[str] = ()) -> Entry:
    """An option of a choice, and the parameters that apply only under options that list them."""
    return {"meaning": meaning, "parameters": list(parameters)}


def _named(items: Mapping[str, Given], make: Callable[[Given], Mapping[str, object]]) -> list[Entry]:
    return [{"name": name, **{key: value for key, value in make(item).items() if value is not None}}
            for name, item in items.items()]


def _choice(options: Options) -> Entry:
    table: Mapping[str, str | Entry | None] = options if isinstance(options, Mapping) else {name: option() for name in options}
    listed = _named(table, lambda one: one if isinstance(one, Mapping) else option(one))
    return {"options": listed, "default": listed[0]["name"]}


def theory(*, parameters: Mapping[str, Entry], outputs: Mapping[str, str | Entry],
           choices: Mapping[str, Options] | None = None, name: str | None = None, title: str | None = None,
           version: str = "1", batch: int = 16384, **more: str) -> Callable[[Function], Function]:
    """Describes a function as a theory, for `serve`.

    Args:
        parameters: {name: number(...)}, in any order. The function takes each by its name, an array with a value for
            every cell; NaN where it does not apply.
        outputs: {name: unit, output(...) or modes(...)}. The function returns a dict of arrays (or numbers), and may
            add `outcome`, an array of codes such as `guest.NO_CONVERGENCE`. A cell with a NaN that its output does not
            allow becomes `not_finite`.
        choices: {name: [options] or {option: option(...)}}; the first option is the default. The function takes each
            by its name, a text.
        name, title, version: of the theory; maps of another version are not continued.
        batch: the most cells of a call, up to 16384.
        more: source, residual, symbols: texts about the theory.
    """
    def describe(law: Function) -> Function:
        setattr(law, "description", {
            "impactsweep_guest": PROTOCOL, "name": name or law.__name__, "title": title or law.__name__,
            "version": str(version), "batch": batch, **more,
            "parameters": _named(parameters, dict), "choices": _named(choices or {}, _choice),
            "outputs": _named(outputs, lambda one: output(one) if isinstance(one, str) else dict(one))})
        return law
    return describe


def _coded(names: Array, codes: dict[str, float]) -> Array:
    """The codes of names, 0 for others: compared letter by letter, since NumPy takes a Python object for each text."""
    width = max(1, names.dtype.itemsize // 4)
    letters = np.ascontiguousarray(names).view(np.uint32).reshape(-1, width).T
    found = np.zeros(letters.shape[1])
    for name, code in codes.items():
        if len(name) <= width:
            same = np.ones(letters.shape[1], bool)
            for place, letter in enumerate(name.ljust(width, "\0")):
                same &= letters[place] == ord(letter)
            found[same] = code
    return found


class _Served:
    """A law between the numbers of a request and those of its answer."""

    def __init__(self, law: Law) -> None:
        self.law = law
        self.about: dict[str, Any] = getattr(law, "description")  # as JSON
        about = self.about
        self.choices = [(one["name"], [option_["name"] for option_ in one["options"]]) for one in about["choices"]]
        self.parameters = [one["name"] for one in about["parameters"]]
        self.outputs = [(one["name"], int(one.get("length", 1)),
                         {code["name"]: place + 1.0 for place, code in enumerate(one.get("categories", ()))})
                        for one in about["outputs"]]
        self.values = sum(length for _, length, _ in self.outputs)

    def answer(self, cells: int, chosen: Array, columns: Array) -> Array:
        """The outcomes and the outputs, one after another."""
        options = {name: options[int(chosen[place])] for place, (name, options) in enumerate(self.choices)}
        with np.errstate(all="ignore"):
            found = self.law(**options, **dict(zip(self.parameters, columns)))
        numbers = np.empty((1 + self.values) * cells)
        numbers[:cells] = found.get("outcome", SOLVED)
        at = cells
        for name, length, codes in self.outputs:
            self.put(numbers[at:at + length * cells].reshape(cells, length), name, codes, found[name])
            at += length * cells
        self.judge(numbers, cells)
        return numbers

    @staticmethod
    def put(place: Array, name: str, codes: dict[str, float], values: npt.ArrayLike) -> None:
        array = np.asarray(values)
        if codes and array.dtype.kind in "UOS":
            array = _coded(array.astype(str), codes).reshape(array.shape)
        if array.ndim == 1 and place.shape[1] == 1:
            array = array[:, None]
        place[...] = array

    def judge(self, numbers: Array, cells: int) -> None:
        """Categories need a code in solved cells; the program looks at everything else."""
        outcome, at = numbers[:cells], cells
        for _, length, codes in self.outputs:
            finite = np.isfinite(numbers[at:at + length * cells]) if codes else np.True_
            if not finite.all():
                outcome[~finite.reshape(cells, length).all(axis=1) & (outcome == SOLVED)] = NOT_FINITE
                numbers[at:at + length * cells][~finite] = 0
            at += length * cells


def _read(stream: io.FileIO, count: int) -> Array | None:
    """So many doubles; None at the end of the input."""
    numbers = np.empty(count)
    view, got = memoryview(numbers.data).cast("B"), 0
    while got < len(view):
        more = stream.readinto(view[got:])
        if not more:
            return None
        got += more
    return numbers


def _write(stream: io.FileIO, numbers: Array) -> None:
    view = memoryview(np.ascontiguousarray(numbers).data).cast("B")
    while view:
        view = view[stream.write(view):]


def serve(law: Law) -> None:
    """Describes the law on the standard output, and answers requests until the standard input ends. What the law prints
    goes to the standard error."""
    source = os.fdopen(os.dup(0), "rb", buffering=0)
    answers = os.fdopen(os.dup(1), "wb", buffering=0)
    os.dup2(2, 1)
    served = _Served(law)
    _write(answers, np.frombuffer(json.dumps(served.about).encode() + b"\n", np.uint8))
    while (head := _read(source, 2)) is not None:
        request, cells = head[0], int(head[1])
        rest = _read(source, len(served.choices) + cells * len(served.parameters))
        if rest is None:
            return
        chosen, columns = rest[:len(served.choices)], rest[len(served.choices):]
        numbers = served.answer(cells, chosen, columns.reshape(len(served.parameters), cells))
        _write(answers, np.concatenate((np.array([request, cells, numbers.size]), numbers)))
    sys.stdout.flush()
