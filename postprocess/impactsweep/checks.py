"""Checks of the arguments of public functions, so that every wrong one ends in an InputError that names it."""
from __future__ import annotations

import difflib
import functools
import inspect
import math
import os
import reprlib
from collections.abc import Mapping
from numbers import Integral, Real
from typing import Any, Callable, Iterable, ParamSpec, TypeVar

import numpy as np

from .errors import InputError, WrongCall
from .values import Names

P = ParamSpec("P")
R = TypeVar("R")
T = TypeVar("T")
MOST_COUNT = 2**63 - 1
MOST_ITEMS = 10**6  # of a list of names
SHOWN = reprlib.Repr()
SHOWN.maxstring = SHOWN.maxother = 60


def shown(value: object) -> str:
    """A value in a message: short, whatever it is, and on one line."""
    try:
        return " ".join(SHOWN.repr(value).split())
    except Exception:  # of the value's own repr
        return f"a {type(value).__name__}"


def brief(text: object) -> str:
    """A name or a path in a message: at most some hundred characters, all of which can be printed."""
    whole = str(text).encode(errors="backslashreplace").decode()
    return whole if len(whole) <= 300 else f"{whole[:140]}...{whole[-140:]}"


def public(function: Callable[P, R]) -> Callable[P, R]:
    """Calls with keywords that a function does not have, or without those that it needs, end in a WrongCall."""
    signature = inspect.signature(function)

    @functools.wraps(function)
    def call(*values: P.args, **keywords: P.kwargs) -> R:
        try:
            signature.bind(*values, **keywords)
        except TypeError as reason:
            raise WrongCall(wrong_call(function.__name__, signature, keywords, reason)) from None
        return function(*values, **keywords)
    return call


def wrong_call(name: str, signature: inspect.Signature, keywords: Mapping[str, object], reason: TypeError) -> str:
    parameters = signature.parameters
    takes_all = any(one.kind is one.VAR_KEYWORD for one in parameters.values())
    unknown = [] if takes_all else [key for key in keywords if key not in parameters]
    return "\n".join(f"{name}: unknown keyword {shown(key)}{hint(key, parameters)}" for key in unknown) or (
        f"{name}: {reason}")


def hint(name: object, known: Iterable[str]) -> str:
    """The name that was probably meant, or the list of all."""
    names = [str(one) for one in known]
    near = difflib.get_close_matches(str(name), names, 1, 0.6)
    return f" (did you mean '{near[0]}'?)" if near else f"; there are: {', '.join(names)}" if names else ""


# ------------------------------------------------------------------------------------ arguments

def text(name: str, value: object) -> str:
    """A text that the library and the program can take."""
    if not isinstance(value, str):
        raise InputError(f"{name} is {shown(value)}; it must be a text")
    try:
        value.encode()
    except UnicodeEncodeError:
        raise InputError(f"{name} is {shown(value)}, which is no Unicode text") from None
    if "\0" in value:
        raise InputError(f"{name} is {shown(value)}; a text holds no character of code 0")
    return str(value)


def count(name: str, value: Any, least: int, most: int = MOST_COUNT) -> int:
    """A whole number; 1e6 is one too."""
    whole = isinstance(value, (Integral, np.integer)) or (
        isinstance(value, Real) and math.isfinite(value) and value == int(value))
    if isinstance(value, (bool, np.bool_)) or not whole or not least <= int(value) <= most:
        ends = f"{least} or more" if most == MOST_COUNT and least else f"from {least} to {most}"
        raise InputError(f"{name} is {shown(value)}; it must be a whole number, {ends}")
    return int(value)


def number(name: str, value: Any) -> float:
    """A number that is not a truth value."""
    if isinstance(value, np.ndarray) and value.ndim == 0:
        value = value.item()
    if isinstance(value, (bool, np.bool_, str, bytes, complex)) or not hasattr(value, "__float__"):
        raise InputError(f"{name} is {shown(value)}; it must be a number")
    try:
        return float(value)
    except Exception as reason:
        raise InputError(f"{name} is {shown(value)}; it must be a number ({reason})") from None


def switch(name: str, value: object) -> bool:
    if not isinstance(value, (bool, np.bool_)):
        raise InputError(f"{name} is {shown(value)}; it must be True or False")
    return bool(value)


def share(name: str, value: Any, zero: bool = False) -> float:
    """A number between 0 and 1. zero: it may be 0 itself."""
    real = isinstance(value, Real) and not isinstance(value, bool)
    compared: Any = value  # as it is: a whole number may be too large for a double
    good = real and 0 <= compared < 1 and (zero or compared > 0)
    if not good:
        raise InputError(f"{name} is {shown(value)}; it must be a number "
                         f"{'from 0 to below 1' if zero else 'between 0 and 1'}")
    return float(value)


def table(name: str, value: Mapping[str, T] | None) -> dict[str, T]:
    """{name: anything}; None is empty."""
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise InputError(f"{name} is {shown(value)}; it must be a dict")
    return {text(f"a key of {name}", key): one for key, one in value.items()}


def names(name: str, value: Names) -> list[str] | None:
    """One name or several; None stays None."""
    if value is None:
        return None
    if isinstance(value, str):
        return [text(name, value)]
    found = items(value)
    if found is None:
        raise InputError(f"{name} is {shown(value)}; it must be a name or a list of names")
    return [text(f"one of {name}", one) for one in found]


def items(value: Iterable[T]) -> list[T] | None:
    """The elements of a list or its like; None of anything else, a text too."""
    if isinstance(value, (str, bytes, Mapping, type)) or isinstance(value, range) and len(value) > MOST_ITEMS:
        return None
    try:
        return list(value)
    except Exception:  # objects of users may raise anything
        return None


def path(name: str, value: object) -> str:
    if not isinstance(value, (str, os.PathLike)):
        raise InputError(f"{name} is {shown(value)}; it must be a path")
    try:
        found = os.fspath(value)
    except Exception as reason:
        raise InputError(f"{name} is {shown(value)}; it must be a path ({reason})") from None
    try:
        plain = os.fsencode(found)
    except UnicodeEncodeError:
        plain = b""
    if not plain or b"\0" in plain:
        raise InputError(f"{name} is {shown(value)}, which is no path")
    return os.fsdecode(found)
