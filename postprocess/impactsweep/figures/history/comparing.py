"""Names that tell several histories apart, and the title that they share."""
from __future__ import annotations

import os
from collections.abc import Sequence

import numpy as np

from ...maps.histories import History
from ..labels import number_text, spaced


def differences(histories: Sequence[History]) -> list[str]:
    """A name for each of several histories: the inputs in which they differ, or their files."""
    names = dict.fromkeys(name for one in histories for name in one.inputs)
    differing = [name for name in names
                 if len({repr(one.inputs.get(name)) for one in histories}) > 1]
    differing.sort(key=lambda name: (name != "theory", not is_choice(histories, name)))
    shared = [name for name in differing if is_choice(histories, name)
              or all(name in one.inputs for one in histories)]
    differing = shared or differing
    found = []
    for one in histories:
        parts = []
        for name in differing:
            value = one.inputs.get(name)
            if isinstance(value, tuple) and np.isfinite(value[0]):
                parts.append(f"{spaced(name)} {number_text(*value)}")
            elif isinstance(value, str) and value:
                parts.append(spaced(value) if name == "theory" else f"{spaced(name)} {spaced(value)}")
        found.append(", ".join(parts))
    if len(set(found)) < len(found) or not all(found):
        stems = [os.path.splitext(os.path.basename(one.path))[0] for one in histories]
        found = [f"{text} ({stem})" if text else stem for text, stem in zip(found, stems)]
    return found


def is_choice(histories: Sequence[History], name: str) -> bool:
    return any(isinstance(one.inputs.get(name), str) for one in histories)


def common_title(histories: Sequence[History]) -> str:
    """The parts of the titles that all share."""
    parts = [one.title.split(", ") for one in histories]
    return ", ".join(part for part in parts[0] if all(part in other for other in parts))
