"""What the package raises. A message is the program's, or says as much as the program would."""


class Error(Exception):
    """Anything that impactsweep raises itself."""


class InputError(Error, ValueError):
    """Bad input, which the caller can put right: a name, a value, a config, a file. Every error of the
    call is a line of its message."""


class MissingFile(InputError, FileNotFoundError):
    """There is no such file."""

    __str__ = Exception.__str__


class ProgramError(Error, RuntimeError):
    """The program or the library was not found, or failed."""


class Unfinished(UserWarning):
    """The file holds less than its config asks for: cells that are still to come, one of several parts."""
