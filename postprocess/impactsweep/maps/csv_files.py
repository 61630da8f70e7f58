"""Tables of users as CSV: the first line names the columns, NAME or NAME [UNIT]; lines from # on are comments."""

import csv
import re
from typing import Union

from ..errors import InputError
from ..values import PathLike
from . import dataset


def read(path: PathLike, what: str) -> tuple[dict[str, tuple[list[str], Union[str, None]]], list[int]]:
    """{name: (cells as text, unit or None)} and the number of the line of each row."""
    dataset.check_file(path, what)
    try:
        with open(path, encoding="utf-8-sig", newline="") as file:
            lines = [(number, line) for number, line in enumerate(file, 1)
                     if line.strip() and not line.startswith("#")]
    except (OSError, UnicodeDecodeError) as reason:
        raise InputError(f"{path}: cannot be read ({dataset.first_line(reason)})") from None
    rows = list(csv.reader(line for _, line in lines))
    if len(rows) < 2:
        raise InputError(f"{path}: no rows (the first line names the columns)")
    columns: dict[str, tuple[list[str], Union[str, None]]] = {}
    for place, head in enumerate(rows[0]):
        match = re.fullmatch(r"\s*(\w+)\s*(?:\[([^\]]*)\])?\s*", head)
        if not match:
            raise InputError(f"{path}: '{head}' is not the name of a column: write NAME or NAME [UNIT]")
        cells = [row[place].strip() if place < len(row) else "" for row in rows[1:]]
        columns[match[1]] = cells, match[2]
    return columns, [number for number, _ in lines[1:]]


def number(text: Union[str, float], where: str) -> float:
    """A number; `where` begins the message if the text is none."""
    try:
        return float(text)
    except ValueError:
        raise InputError(f"{where}: '{text}' is not a number") from None
