"""Finds the library and the program: named by a variable, inside the package of a wheel, in the build folders of the checkout
that the package is in or was installed from, in the installation that the package belongs to, beside the program on the PATH,
or where the system looks."""
from __future__ import annotations

import ctypes
import glob
import json
import os
import shutil
from importlib import metadata
from urllib.parse import unquote, urlsplit

from ..errors import ProgramError

LIBRARY, PROGRAM = "libimpact.so.1", "impactsweep"
LIBRARY_VARIABLE, PROGRAM_VARIABLE = "IMPACTSWEEP_LIBRARY", "IMPACTSWEEP"
HERE = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))  # the package
ALONE = os.path.join(HERE, "alone")  # what a wheel has in addition: the library, the program, the scripts


def newest(paths: list[str]) -> list[str]:
    return sorted(paths, key=os.path.getmtime, reverse=True)


def origin() -> str | None:
    """The folder that pip installed the package from; pip notes it beside the package."""
    try:
        distribution = metadata.distribution("impactsweep")
        if os.path.realpath(str(distribution.locate_file("impactsweep"))) != HERE:
            return None
        url = urlsplit(json.loads(distribution.read_text("direct_url.json") or "{}").get("url", ""))
    except (metadata.PackageNotFoundError, OSError, ValueError):
        return None
    return unquote(url.path) if url.scheme == "file" else None


def builds(name: str) -> list[str]:
    """Patterns in the build folders of the checkout around the package, or of the one that it was installed from."""
    roots = [os.path.dirname(folder) for folder in (os.path.dirname(HERE), origin()) if folder]
    return [os.path.join(root, *place) for root in roots if os.path.exists(os.path.join(root, "include", "impact.h"))
            for place in (("build", "*", name), ("build", name))]


def prefixes() -> list[str]:
    """The folders that hold lib/python3.X/.../impactsweep, if the package is installed like this."""
    parts = HERE.split(os.sep)
    return [os.sep.join(parts[:place]) or os.sep for place in range(len(parts) - 1, 0, -1)
            if parts[place] == "lib"]


def beside_program() -> list[str]:
    program = os.environ.get(PROGRAM_VARIABLE) or shutil.which(PROGRAM)
    if not program:
        return []
    folder = os.path.dirname(os.path.realpath(program))
    return [os.path.join(folder, LIBRARY), *libraries_of(os.path.dirname(folder))]


def libraries_of(prefix: str) -> list[str]:
    return [os.path.join(prefix, "lib*", LIBRARY), os.path.join(prefix, "lib", "*", LIBRARY)]


def search(variable: str, patterns: list[str], what: str) -> tuple[str | None, list[str]]:
    """(path or None, the places that were searched)."""
    named = os.environ.get(variable)
    if named:
        if not os.path.isfile(named):
            raise ProgramError(f"{variable} is '{named}': there is no such file; it should be {what}")
        return named, []
    for pattern in patterns:
        found = newest(glob.glob(pattern))
        if found:
            return found[0], []
    return None, patterns


def not_found(what: str, variable: str, looked: list[str]) -> ProgramError:
    return ProgramError("\n  ".join([
        f"{what} was not found. Build it (cmake --preset release && cmake --build --preset release), "
        f"or set the environment variable {variable} to its path. Searched were:", *looked]))


def load_library() -> ctypes.CDLL:
    patterns = [os.path.join(ALONE, LIBRARY), *builds(LIBRARY)] + [one for prefix in prefixes() for one in libraries_of(prefix)]
    path, looked = search(LIBRARY_VARIABLE, patterns + beside_program(), LIBRARY)
    try:
        return ctypes.CDLL(path or LIBRARY)
    except OSError as reason:
        if path:
            raise ProgramError(f"{path} cannot be loaded: {reason}") from None
    raise not_found(f"The library {LIBRARY}", LIBRARY_VARIABLE,
                    looked + ["the system's folders of libraries"])


def find_program() -> str:
    patterns = [os.path.join(ALONE, PROGRAM), *builds(PROGRAM)] + [os.path.join(prefix, "bin", PROGRAM) for prefix in prefixes()]
    path, looked = search(PROGRAM_VARIABLE, patterns, f"the program {PROGRAM}")
    path = path or shutil.which(PROGRAM)
    if not path:
        raise not_found(f"The program {PROGRAM}", PROGRAM_VARIABLE, looked + ["the PATH"])
    return path
