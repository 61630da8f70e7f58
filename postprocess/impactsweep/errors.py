"""The exceptions of the package. Their messages are those of the program, or as complete as those."""


class Error(Exception):
    """The base of all exceptions of the package."""


class InputError(Error, ValueError):
    """Bad input, which the caller can correct: a name, a value, a config, a file. The message has a line for
    every error of the call."""


class WrongCall(InputError, TypeError):
    """A function was called with a keyword that it does not have, or without one that it needs."""


class MissingFile(InputError, FileNotFoundError):
    """There is no such file."""

    __str__ = Exception.__str__


class TooManyCells(InputError, MemoryError):
    """The result would not fit into the memory; the message says what to do."""


class ProgramError(Error, RuntimeError):
    """The program or the library was not found, or failed."""


class Unfinished(UserWarning):
    """The file holds less than its config asks for: cells are pending, or it is one of several parts."""


class Undefined(UserWarning):
    """A part of the input is NaN, or a part of the cells cannot be used; the message names it."""
