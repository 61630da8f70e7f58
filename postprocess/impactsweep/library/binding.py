"""libimpact by ctypes: the structures of include/impact.h, and its calls with errors as exceptions."""
from __future__ import annotations

import ctypes
import functools
from ctypes import (CFUNCTYPE, POINTER, Structure, c_bool, c_char, c_char_p, c_double, c_int, c_int64,
                    c_size_t, c_uint64, c_void_p)
from typing import Container, TypeAlias

from ..errors import InputError, ProgramError
from .paths import load_library

VERSION = "1."  # of the header that is mirrored here: its first number
MAX_PARAMETERS, MAX_CHOICES, MAX_OUTPUTS = 64, 4, 128
OK, ERR_INPUT, ERR_MEMORY = 0, 1, 3
REAL, CATEGORY, SEQUENCE = 0, 1, 2
OUTSIDE, NOT_FINITE = 2, 4  # outcomes


class Parameter(Structure):
    _fields_ = [("name", c_char_p), ("unit", c_char_p), ("meaning", c_char_p), ("low", c_double),
                ("high", c_double), ("low_open", c_bool), ("high_open", c_bool),
                ("fallback", c_double), ("example", c_double), ("stands_for", c_char_p),
                ("converted", c_void_p), ("whole", c_bool), ("words", POINTER(c_char_p)),
                ("limits", c_char_p), ("beside", c_bool)]


class Option(Structure):
    _fields_ = [("name", c_char_p), ("meaning", c_char_p),
                ("parameters", POINTER(POINTER(Parameter))), ("n_parameters", c_int),
                ("without_petsc", c_char_p)]


class Choice(Structure):
    _fields_ = [("name", c_char_p), ("meaning", c_char_p), ("options", POINTER(POINTER(Option))),
                ("n_options", c_int), ("fallback", c_int)]


class Mode(Structure):
    _fields_ = [("code", c_int), ("name", c_char_p), ("meaning", c_char_p)]


class Agreement(Structure):
    _fields_ = [("mode", c_char_p), ("common", c_char_p)]


class Output(Structure):
    _fields_ = [("name", c_char_p), ("unit", c_char_p), ("meaning", c_char_p), ("kind", c_int),
                ("undefined_in", c_uint64), ("undefined_when", c_char_p), ("dimension", c_char_p),
                ("length", c_int), ("categories", POINTER(Mode)), ("n_categories", c_int),
                ("label", c_char_p), ("exact", c_bool), ("own_unit", c_bool), ("whole", c_bool),
                ("members", POINTER(c_char_p))]


class History(Structure):
    _fields_ = [("columns", POINTER(Output)), ("n_columns", c_int), ("phases", POINTER(Mode)),
                ("n_phases", c_int), ("events", POINTER(Mode)), ("n_events", c_int)]


class Recorder(Structure):
    pass


RECORD = CFUNCTYPE(None, POINTER(Recorder), POINTER(c_double), c_int, c_int)
Recorder._fields_ = [("samples", c_int), ("record", RECORD)]


class Theory(Structure):
    _fields_ = [("name", c_char_p), ("title", c_char_p), ("source", c_char_p),
                ("residual", c_char_p), ("symbols", c_char_p), ("results_version", c_int),
                ("hidden", c_bool),
                ("parameters", POINTER(POINTER(Parameter))), ("n_parameters", c_int),
                ("choices", POINTER(Choice)), ("n_choices", c_int), ("outputs", POINTER(Output)),
                ("n_outputs", c_int), ("modes", POINTER(Mode)), ("n_modes", c_int),
                ("unit_parameters", POINTER(c_char_p)), ("n_unit_parameters", c_int),
                ("has_output", c_void_p), ("open", c_void_p), ("close", c_void_p),
                ("budget", c_int64), ("solve", c_void_p), ("history", POINTER(History)),
                ("trace", c_void_p), ("refuse", c_void_p),
                ("variables", POINTER(POINTER(Parameter))), ("n_variables", c_int),
                ("batch", c_int), ("agreements", POINTER(Agreement)), ("n_agreements", c_int)]


class Converted(Structure):
    _fields_ = [("name", c_char_p), ("unit", c_char_p), ("word", c_char_p), ("value", c_double), ("assumed", c_bool)]


class Conversion(Structure):
    _fields_ = [("values", Converted * 24), ("n_values", c_int), ("asked", c_double), ("restitution", c_double),
                ("line", c_char * 800), ("remarks", (c_char * 400) * 12), ("n_remarks", c_int)]


MIRRORED = {"imp_parameter": Parameter, "imp_option": Option, "imp_choice": Choice,
            "imp_mode": Mode, "imp_agreement": Agreement, "imp_output": Output, "imp_history": History,
            "imp_recorder": Recorder, "imp_theory": Theory, "imp_converted": Converted,
            "imp_conversion": Conversion}

SIGNATURES = {
    "imp_version": (c_char_p,),
    "imp_last_error": (c_char_p,),
    "imp_theory_at": (POINTER(Theory), c_int),
    "imp_theory_find": (POINTER(Theory), c_char_p),
    "imp_guest_theory": (c_int, c_char_p, POINTER(POINTER(Theory))),
    "imp_outcome_name": (c_char_p, c_int),
    "imp_outcome_meaning": (c_char_p, c_int),
    "imp_open_words": (c_int, c_char_p, c_size_t, POINTER(c_char_p), POINTER(c_void_p),
                       POINTER(c_double)),
    "imp_close": (None, POINTER(c_void_p)),
    "imp_set_budget": (None, c_void_p, c_int64),
    "imp_solver_theory": (POINTER(Theory), c_void_p),
    "imp_input_count": (c_int, c_void_p),
    "imp_input_at": (POINTER(Parameter), c_void_p, c_int),
    "imp_output_index": (c_int, c_void_p, c_char_p),
    "imp_solve": (c_int, c_void_p, c_size_t, POINTER(c_void_p), POINTER(c_void_p), c_void_p),
    "imp_convert": (c_int, c_char_p, c_bool, c_size_t, POINTER(c_char_p), POINTER(Conversion)),
    "imp_trace": (c_int, c_void_p, POINTER(c_double), POINTER(Recorder), POINTER(c_int)),
}


@functools.lru_cache(maxsize=None)
def library() -> ctypes.CDLL:
    """The library, found and loaded once."""
    loaded = load_library()
    try:
        for name, (result, *arguments) in SIGNATURES.items():
            function = getattr(loaded, name)
            function.restype, function.argtypes = result, arguments
    except AttributeError as reason:
        raise ProgramError(f"{loaded._name} is another version of libimpact ({reason})") from None
    version = loaded.imp_version().decode()
    if not version.startswith(VERSION):
        raise ProgramError(f"{loaded._name} is libimpact {version}, this package needs {VERSION}*")
    return loaded


def check(error: int) -> None:
    """Raises the error that a call of the library returned, with the message of the library."""
    if error == OK:
        return
    message = text(library().imp_last_error())
    if error == ERR_INPUT:
        raise InputError(message)
    raise MemoryError(message) if error == ERR_MEMORY else ProgramError(message)


def text(pointer: bytes | None) -> str:
    return (pointer or b"").decode(errors="replace")


# Pointers and arrays as Python sees them.
Modes: TypeAlias = "ctypes._Pointer[Mode]"
Doubles: TypeAlias = "ctypes._Pointer[c_double]"
Addresses: TypeAlias = "ctypes.Array[c_void_p]"


class Solver:
    """A theory with its choices made. Belongs to one thread at a time; `with` closes it."""

    def __init__(self, theory: str, words: list[str]):
        library_ = library()
        self.handle = c_void_p()
        self.values = (c_double * MAX_PARAMETERS)()
        encoded = (c_char_p * max(1, len(words)))(*[word.encode() for word in words])
        check(library_.imp_open_words(theory.encode(), len(words), encoded,
                                      ctypes.byref(self.handle), self.values))
        self.theory: Theory = library_.imp_solver_theory(self.handle).contents
        self.inputs: list[Parameter] = [library_.imp_input_at(self.handle, place).contents
                       for place in range(library_.imp_input_count(self.handle))]

    def __enter__(self) -> Solver:
        return self

    def __exit__(self, *reason: object) -> None:
        library().imp_close(ctypes.byref(self.handle))

    def output_place(self, name: bytes) -> int:
        return int(library().imp_output_index(self.handle, name))

    def solve(self, count: int, inputs: Addresses, outputs: Addresses, outcome: int) -> None:
        """inputs, outputs: arrays of addresses. ctypes lets other threads run meanwhile."""
        check(library().imp_solve(self.handle, count, inputs, outputs, outcome))

    def trace(self, recorder: Recorder) -> int:
        outcome = c_int()
        check(library().imp_trace(self.handle, self.values, ctypes.byref(recorder),
                                  ctypes.byref(outcome)))
        return outcome.value


def dimensional(solver: Solver, given: Container[str]) -> bool:
    """Whether outputs have SI units: every parameter that the units need is given, if it applies here."""
    theory = solver.theory
    needed = {theory.unit_parameters[place] for place in range(theory.n_unit_parameters)}
    return all(text(one.name) in given for one in solver.inputs if one.name in needed)
