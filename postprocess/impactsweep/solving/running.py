"""Sweeps by the program impactsweep, from Python."""
from __future__ import annotations

import json
import os
import re
import shlex
import signal
import subprocess
import sys
import tempfile
import threading
import warnings
from numbers import Real
from typing import Any, Iterable, Mapping, TextIO

import numpy as np
import xarray as xr

from .. import checks
from ..checks import shown
from ..errors import InputError, ProgramError
from ..library.paths import find_program
from ..maps.dataset import open
from ..values import PathLike

BAD_INPUT, STOPPED = 2, 75
MOST_RANKS = 65536
OWN = ("output", "progress", "help")  # options of the program that are arguments here, or none
PLAIN = re.compile(r"[A-Za-z_][\w./+-]*(?: [\w./+-]+)*|"
                   r"[-+]?[\d.]+(?:[eE][-+]?\d+)?(?: ?[A-Za-zµμ/][\w./*^()-]*(?: [\w./*^()-]+)*)?")  # words, a quantity
WORDS = {"true", "false", "yes", "no", "on", "off", "null", "y", "n"}


@checks.public
def run(config: PathLike | Mapping[str, object], out: PathLike | None = None, *,
        ranks: int = 1, resume: bool = True, progress: bool = False, degrees: bool = False,
        labels: bool = True, **options: object) -> xr.Dataset:
    """Computes a map with the program impactsweep and opens it.

    Args:
        config: the path of a config, or its keys as a dict: model, choose, axes, fixed, outputs, search.
        out: the map to write. None: a temporary file, so that the result is in memory only.
        ranks: number of processes; mpirun starts more than one.
        resume: go on with an existing map and recompute none of its cells; a map of another config is
            refused. False: an existing file is refused, unless `force=True`.
        progress: show the program's progress while it computes.
        degrees, labels: of the result, as in `open`.
        options: those of `impactsweep run`, with _ for -: time_limit="2h", compress=True, force=True,
            part="1/4", set={"friction": 0.3}.

    Raises:
        InputError: the program refused its input. ProgramError: it failed, or was not found. The messages
            are those of the program.

    >>> map = run({"model": "compliant", "choose": {"body": "pendulum"},
    ...            "axes": [{"param": "angle", "from": "10 deg", "to": "80 deg", "points": 8}],
    ...            "fixed": {"friction": 0.3, "stiffness_ratio": 1.21}, "outputs": ["mode"]})
    >>> map.mode.sizes["angle"], set(map.outcome.values.tolist())
    (8, {'solved'})
    """
    ranks = checks.count("ranks", ranks, 1, MOST_RANKS)
    resume, progress = checks.switch("resume", resume), checks.switch("progress", progress)
    degrees, labels = checks.switch("degrees", degrees), checks.switch("labels", labels)
    text = yaml_of(named(config)) if isinstance(config, Mapping) else None
    source = "" if isinstance(config, Mapping) else checks.path("config", config)
    out = out if out is None else checks.path("out", out)
    with tempfile.TemporaryDirectory(prefix="impactsweep-") as folder:
        path = source if text is None else os.path.join(folder, "config.yaml")
        if text is not None:
            with open_text(path) as file:
                file.write(text)
        map_path = out if out is not None else os.path.join(folder, "map.h5")
        words = ["run", path, "-o", map_path, *words_of(options)]
        words += ["--resume"] * (resume and "--force" not in words)
        call(words, ranks, progress)
        data = open(map_path, degrees=degrees, labels=labels)
        if out is None:
            data.load().close()
        return data


def named(config: Mapping[str, object]) -> dict[str, object]:
    """The config of a guest with its command in its name: it then runs in the current folder, not in that of the
    temporary config."""
    found = dict(config)
    if found.get("model") == "guest" and "command" in found:
        command: Any = found.pop("command")  # a text or a list of words, or the program refuses it
        found["model"] = f"guest:{command if isinstance(command, str) else shlex.join(map(str, command))}"
    return found


def open_text(path: str) -> TextIO:
    return os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w",
                     encoding="utf-8")


# ---------------------------------------------------------------------------------------- the call

def words_of(options: Mapping[str, object]) -> list[str]:
    words: list[str] = []
    for name, value in options.items():
        if not re.fullmatch(r"[a-z]\w*", name) or name in OWN:
            raise InputError(f"run: unknown keyword {shown(name)}; keywords are those of `impactsweep run --help`")
        option = f"--{name.replace('_', '-')}"
        if isinstance(value, Mapping):
            words += [word for key, one in value.items() for word in (option, f"{key}={word_of(name, one)}")]
        elif value is True:
            words.append(option)
        elif value is not None and value is not False:
            words += [option, word_of(name, value)]
    return words


def word_of(name: str, value: object) -> str:
    """A value as the program reads it."""
    try:
        if isinstance(value, (list, tuple, np.ndarray)):
            return checks.text(name, flow(value))
        if isinstance(value, (str, Real, os.PathLike)):
            return checks.path(name, value) if isinstance(value, os.PathLike) else checks.text(name, str(value))
    except (RecursionError, ValueError) as reason:  # of a list in itself, of a number of 4,301 digits
        if isinstance(reason, InputError):
            raise
    raise InputError(f"{name} is {shown(value)}; give a text or a number")


def environment(scratch: str | None = None) -> dict[str, str]:
    """The environment of the program; scratch: a folder of its own for mpirun, as a start of Open MPI 4 fails where
    another one makes the same folder at the same moment. Without these variables (of versions 4 and 5), Open MPI refuses more ranks
    than cores, and refuses to run as root, the only user of many containers. Other MPIs ignore the variables, but
    would refuse the options of mpirun that mean the same."""
    allowed = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
    more_ranks = {"OMPI_MCA_rmaps_base_oversubscribe": "1",
                  "PRTE_MCA_rmaps_default_mapping_policy": ":oversubscribe"}
    own = {"OMPI_MCA_orte_tmpdir_base": scratch} if scratch else {}
    return {**more_ranks, **own, **(allowed if os.geteuid() == 0 else {}), **os.environ}


def call(words: list[str], ranks: int, progress: bool) -> None:
    launcher = ["mpirun", "-n", str(ranks)] if ranks > 1 else []
    program = [*launcher, find_program(), *words, *([] if progress else ["--progress", "none"])]
    with tempfile.TemporaryDirectory(prefix="impact_") as scratch:
        execute(program, environment(scratch), progress)


def execute(program: list[str], variables: dict[str, str], progress: bool) -> None:
    """Runs the program to its end; raises what it says if it fails."""
    try:
        process = subprocess.Popen(program, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.PIPE, env=variables, text=True,
                                   start_new_session=True)
    except OSError as reason:
        raise ProgramError(f"{program[0]} cannot be started: {reason}") from None
    assert process.stderr is not None
    lines: list[str] = []
    reader = threading.Thread(target=collect, args=(process.stderr, lines, progress))
    reader.start()
    try:
        code = process.wait()
    except KeyboardInterrupt:  # the program stops in good order; another call goes on
        process.send_signal(signal.SIGINT)
        process.wait()
        raise
    finally:
        reader.join()
        process.stderr.close()
    if code not in (0, STOPPED):
        refuse(code, lines)
    for line in dict.fromkeys(line.strip() for line in lines if ": warning: " in line):
        warnings.warn(line, stacklevel=2)


def collect(stream: Iterable[str], lines: list[str], progress: bool) -> None:
    for line in stream:
        lines.append(line)
        if progress:
            sys.stderr.write(line)


def refuse(code: int, lines: list[str]) -> None:
    """Raises the program's own message, without the lines that mpirun adds."""
    text = "".join(lines).split("\n-----", 1)[0].strip()
    if code == BAD_INPUT:
        raise InputError(text)
    raise ProgramError(text or f"impactsweep ended with exit code {code}")


# --------------------------------------------------------------------------------------- the config

def yaml_of(config: Mapping[str, object]) -> str:
    """A config as text, one key per line, as a person would write it."""
    try:
        return checks.text("the config", "".join(f"{key}: {flow(value)}\n" for key, value in config.items()))
    except RecursionError:
        raise InputError("the config contains itself") from None
    except InputError:
        raise
    except Exception as reason:  # objects of users may raise anything
        raise InputError(f"config is {shown(config)}, which cannot be written ({reason})") from None


def flow(value: object) -> str:
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{key}: {flow(one)}" for key, one in value.items()) + "}"
    if isinstance(value, (np.ndarray, np.generic)):
        return flow(value.tolist())
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(flow, value)) + "]"
    if isinstance(value, str) and PLAIN.fullmatch(value) and value.lower() not in WORDS:
        return value
    try:
        return json.dumps(value, ensure_ascii=False)
    except (TypeError, ValueError):
        raise InputError(f"config: {shown(value)} is no text, number, list or dict") from None
