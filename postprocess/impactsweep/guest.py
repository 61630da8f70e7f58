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

import functools
import json
import math
import mmap
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
SHARED = 3  # the descriptor of the memory that the program offers
SOLVED, OUTSIDE, NO_CONVERGENCE, NOT_FINITE, BUDGET, LIBRARY_ERROR, FAILED = 1, 2, 3, 4, 5, 6, 7  # outcomes


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
           version: str = "1", batch: int = 17408, **more: str) -> Callable[[Function], Function]:
    """Describes a function as a theory, for `serve`.

    Args:
        parameters: {name: number(...)}, in any order. The function takes each by its name, an array with a value for
            every cell; NaN where it does not apply.
        outputs: {name: unit, output(...) or modes(...)}. The function returns a dict of real arrays with a value for
            every cell (or of numbers for all cells), and may add `outcome`, an array of codes such as `guest.NO_CONVERGENCE`.
            A cell with a NaN that its output does not allow becomes `not_finite`.
        choices: {name: [options] or {option: option(...)}}; the first option is the default. The function takes each
            by its name, a text.
        name, title, version: of the theory; maps of another version are not continued.
        batch: the most cells of a call, up to 17408.
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

    def answer(self, chosen: Array, columns: Array, numbers: Array) -> None:
        """Puts the outcomes and the outputs into numbers, one after another. Cells at which the law raises an error fail;
        the others are solved without them."""
        try:
            self.solve(chosen, columns, numbers)
        except Exception as error:  # a law may raise any
            if columns.shape[1] > 1:
                self.answer_halves(chosen, columns, numbers)
                return
            print(f"{type(error).__name__}: {error}", file=sys.stderr, flush=True)
            numbers[...] = math.nan
            numbers[0] = FAILED

    def answer_halves(self, chosen: Array, columns: Array, numbers: Array) -> None:
        cells = columns.shape[1]
        for part in (slice(0, cells // 2), slice(cells // 2, cells)):
            some = columns[:, part].copy()
            half, answered, at = some.shape[1], np.empty(some.shape[1] * (1 + self.values)), 0
            self.answer(chosen, some, answered)
            for length in (1, *(length for _, length, _ in self.outputs)):
                to = numbers[at * cells:(at + length) * cells].reshape(cells, length)
                to[part] = answered[at * half:(at + length) * half].reshape(half, length)
                at += length

    def solve(self, chosen: Array, columns: Array, numbers: Array) -> None:
        """Errors: those of the law, and of what it returns."""
        cells = columns.shape[1]
        options = {name: options[int(chosen[place])] for place, (name, options) in enumerate(self.choices)}
        with np.errstate(all="ignore"):
            found = self.law(**options, **dict(zip(self.parameters, columns)))
        self.put(numbers[:cells, None], "outcome", {}, found.get("outcome", SOLVED))
        at = cells
        for name, length, codes in self.outputs:
            self.put(numbers[at:at + length * cells].reshape(cells, length), name, codes, found[name])
            at += length * cells
        self.judge(numbers, cells)

    @staticmethod
    def put(place: Array, name: str, codes: dict[str, float], values: npt.ArrayLike) -> None:
        array = np.asarray(values)
        if codes and array.dtype.kind in "UOS":
            array = _coded(array.astype(str), codes).reshape(array.shape)
        if array.dtype.kind == "c":
            raise TypeError(f"'{name}' is complex; give real numbers")
        if array.ndim == 1 and place.shape[1] == 1:
            array = array[:, None]
        if array.ndim and array.shape != place.shape:  # NumPy would give all cells what is there for one
            raise ValueError(f"'{name}' has the shape {np.shape(values)}; give an array of the shape "
                             f"{place.shape if place.shape[1] > 1 else place.shape[:1]}, or a number for all cells")
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


class _Exchange:
    """Requests and answers over the pipes, and their columns in memory that the program shares, if it offers some."""

    def __init__(self) -> None:
        self.source = os.fdopen(os.dup(0), "rb", buffering=0)
        self.sink = os.fdopen(os.dup(1), "wb", buffering=0)
        self.shares = self.accept()
        self.shared: Array | None = None

    @staticmethod
    def accept() -> bool:
        """Accepts the memory by a byte. Something between the program and this one may have closed its descriptor."""
        try:
            name = os.readlink(f"/proc/self/fd/{SHARED}")
            return name.startswith("/memfd:impactsweep-guest") and os.write(SHARED, b"1") == 1
        except OSError:
            return False

    def read(self, count: int) -> Array:
        """So many doubles; fewer at the end of the input."""
        numbers = np.empty(count)
        view, got = memoryview(numbers.data).cast("B"), 0
        while got < len(view) and (more := self.source.readinto(view[got:])):
            got += more
        return numbers[:got // 8]

    def write(self, numbers: Array) -> None:
        view = memoryview(numbers.data).cast("B")
        while view:
            view = view[self.sink.write(view):]

    def columns(self, count: int) -> Array:
        """Those of a request: a copy, because a law may keep its arrays."""
        if not self.shares:
            return self.read(count)
        if self.shared is None:  # the memory has its size since the program knows the description
            self.shared = np.frombuffer(mmap.mmap(SHARED, 0))
        return self.shared[:count].copy()

    def answer(self, head: list[float], asked: int, put: Callable[[Array], None]) -> None:
        """Answers a request of so many numbers: `put` puts the columns of the answer where they belong."""
        count = int(head[-1])
        if self.shared is None:
            numbers = np.empty(len(head) + count)
            numbers[:len(head)] = head
            put(numbers[len(head):])
            self.write(numbers)
        else:
            put(self.shared[asked:asked + count])
            self.write(np.array(head))


def _keep_memory() -> None:
    """Lets the C library keep what arrays free, as it does once it has freed a block of their size. Otherwise every array
    of a request would get its pages anew, which takes longer than what NumPy computes in them."""
    np.empty(1 << 20)


def serve(law: Law) -> None:
    """Describes the law on the standard output, and answers requests until the standard input ends. What the law prints
    goes to the standard error."""
    exchange, served = _Exchange(), _Served(law)
    os.dup2(2, 1)
    _keep_memory()
    exchange.write(np.frombuffer(json.dumps(served.about).encode() + b"\n", np.uint8))
    length, parameters = 2 + len(served.choices), len(served.parameters)
    while (head := exchange.read(length)).size == length:
        cells = int(head[1])
        numbers = exchange.columns(cells * parameters)
        if numbers.size < cells * parameters:
            break
        answer = functools.partial(served.answer, head[2:], numbers.reshape(parameters, cells))
        exchange.answer([head[0], cells, cells * (1 + served.values)], numbers.size, answer)
    sys.stdout.flush()
