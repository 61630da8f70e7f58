"""Sequences of contact phases as text."""
NAMES = ("", "stick", "slip-", "slip+")
MOST_PHASES = 26  # IMP_SEQUENCE_PHASES of impact.h


def sequence_text(code: int) -> str:
    """The phases of a sequence's code, 2 bits each from the lowest; a full one may have gone on.

    >>> sequence_text(0b110110)
    'slip- stick slip+'
    """
    phases = []
    while code & 3 and len(phases) < MOST_PHASES:
        phases.append(NAMES[code & 3])
        code >>= 2
    return " ".join(phases + ["..."] * (len(phases) == MOST_PHASES))
