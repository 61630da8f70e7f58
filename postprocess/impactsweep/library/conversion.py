"""Contact parameters of other codes as ours, and back, by the table of the library."""
from __future__ import annotations

import ctypes
import math
from typing import Any

import numpy as np

from .. import checks
from ..values import Value
from . import binding as c
from .binding import check, library, text


class Conversion(dict[str, Any]):  # a text or a number; as keywords of `solve` they meet parameters of every type
    """Parameters by name: those of `solve(found.theory, ...)`, or of the code.

    Attributes:
        theory: ours that has the parameters, `compliant` or `rigid`; None on the way back.
        units: {name: unit}.
        not_given: names of the values that were assumed, because the input that decides them was not given.
        asked: the restitution of a normal impact that the code was asked for; None: none was.
        restitution: the one that a normal impact has.
        remarks: where the code does something else than its parameters seem to say.
        line: the command `impactsweep cell ...`, or the code's own words.
    """

    def __init__(self, found: c.Conversion, back: bool):
        values = [found.values[place] for place in range(found.n_values)]
        super().__init__((text(one.name), text(one.word) or one.value) for one in values)
        self.units = {text(one.name): text(one.unit) for one in values}
        self.not_given = [text(one.name) for one in values if one.assumed]
        self.asked = None if math.isnan(found.asked) else found.asked
        self.restitution = found.restitution
        self.remarks = [text(found.remarks[place].value) for place in range(found.n_remarks)]
        self.line = text(found.line)
        self.theory = None if back else self.line.split()[2]


def word_of(name: str, value: Any) -> str:
    if isinstance(value, str):
        return f"{name}={checks.text(name, value)}"
    if value is None:
        return f"{name}=NULL"
    if isinstance(value, (bool, np.bool_)):
        return f"{name}={'yes' if value else 'no'}"
    several = checks.items(value)
    if several is not None and len(several) == 2:  # two numbers of one input, as those of `solref`
        return f"{name}={' '.join(repr(checks.number(f'a number of {name}', one)) for one in several)}"
    return f"{name}={checks.number(name, value)!r}"


@checks.public
def convert(code: str, /, *, back: bool = False, **values: Value) -> Conversion:
    """Turns the contact parameters of another code into ours, as the command `impactsweep convert` does.

    Args:
        code: lammps, yade, kratos, chrono, mujoco, ode, bullet, ...; `impactsweep convert --inputs` lists all and their
            parameters, the page `configs/conversions.md` has their formulas.
        back: the values are those of `compliant` or `rigid` (and `wall` for yade, `step` for ode_soft), the result those of the code.
        values: parameters by name: numbers in SI units, texts with a unit such as "10 g", None for NULL, True or False for a
            switch, a pair for `solref`.

    Raises:
        InputError: names or values are wrong, or the code has no such contact.

    >>> found = convert("yade", tc="1 ms", en=0.9, et=0.9, mass="5 g", mu=0.4, velocity_ratio=0.5)
    >>> round(found["normal_damping_ratio"], 6), found.asked, round(found.restitution, 6)
    (0.033518, 0.9, 0.902026)
    >>> import impactsweep
    >>> cell = impactsweep.solve("compliant", **found, outputs="kinematic_restitution")
    >>> round(float(cell.kinematic_restitution), 6)
    0.902026
    >>> round(convert("lammps", back=True, normal_damping_ratio=0.2, contact_end="elongation")["gn"], 6)
    0.4
    """
    words = [word_of(name, value).encode() for name, value in values.items()]
    found = c.Conversion()
    encoded = (ctypes.c_char_p * max(1, len(words)))(*words)
    check(library().imp_convert(checks.text("code", code).encode(), checks.switch("back", back), len(words), encoded,
                                ctypes.byref(found)))
    return Conversion(found, back)
