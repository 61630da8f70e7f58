"""Sequences of contact phases as text."""
NAMES = ("", "stick", "slip-", "slip+", "partial-", "partial+", "", "")
# IMP_SEQUENCE_PHASES, IMP_SEQUENCE_WIDE and IMP_SEQUENCE_WIDE_PHASES of impact.h
MOST_PHASES, WIDE, MOST_WIDE_PHASES = 26, 1 << 52, 17
OF_POINTS, MOST_POINTS = WIDE | 1 << 51, 16  # IMP_SEQUENCE_OF_POINTS and IMP_SEQUENCE_POINTS


def sequence_text(code: int) -> str:
    """The phases of a sequence's code: 2 bits each from the lowest, 3 in a wide code. A full code ends in
    "...", because further phases may have followed.

    >>> sequence_text(0b110110)
    'slip- stick slip+'
    >>> sequence_text(WIDE | 0b010_100_001)
    'stick partial- slip-'

    Of a body that bounces they are the points that strike, numbers less 1 in 3 bits each, behind them a bit 1:

    >>> sequence_text(OF_POINTS | 0b1_000_001)
    '2 1'
    """
    if code & OF_POINTS == OF_POINTS:
        rest = code & ~OF_POINTS
        points = [str((rest >> 3 * k & 7) + 1) for k in range((rest.bit_length() - 1) // 3)]
        return " ".join(points + ["..."] * (len(points) == MOST_POINTS))
    bits, most = (3, MOST_WIDE_PHASES) if code & WIDE else (2, MOST_PHASES)
    rest = code & ~WIDE
    phases: list[str] = []
    while rest & ((1 << bits) - 1) and len(phases) < most:
        phases.append(NAMES[rest & ((1 << bits) - 1)])
        rest >>= bits
    return " ".join(phases + ["..."] * (len(phases) == most))
