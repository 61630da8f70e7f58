"""Ways to spoil the bytes of a map: cuts, flips, overwritten places. Each is a name and a function that changes the
file at a path, as a failing disk or an attacker might."""
import os
import re

from hypothesis import strategies as st


def _truncate(length):
    return lambda path: os.truncate(path, length)


def _bytes(offset, replacement):
    def change(path):
        with open(path, "r+b") as file:
            file.seek(offset)
            file.write(replacement)
    return change


def _flip(offset, bit):
    def change(path):
        with open(path, "r+b") as file:
            file.seek(offset)
            byte = file.read(1)[0]
            file.seek(offset)
            file.write(bytes([byte ^ 1 << bit]))
    return change


def _whole(content):
    def change(path):
        with open(path, "rb") as file:
            old = file.read()
        with open(path, "wb") as file:
            file.write(content(old))
    return change


FILES = {
    "user block": _whole(lambda old: b"\0" * 512 + old),
    "user block of text": _whole(lambda old: b"#!" + b"x" * 2046 + old),
    "twice": _whole(lambda old: old + old),
    "garbage behind": _whole(lambda old: old + b"\xff" * 5000),
    "empty": _whole(lambda old: b""),
    "text": _whole(lambda old: b"model: compliant\n"),
    "signature only": _whole(lambda old: old[:8]),
    "zeros": _whole(lambda old: old[:8] + b"\0" * (len(old) - 8)),
    "ones": _whole(lambda old: old[:8] + b"\xff" * (len(old) - 8)),
}


def of_bytes(path):
    """A strategy of Hypothesis: (name, change) of a file's bytes. Half of the places are in metadata, near the
    signatures of HDF5's structures, where most flips do harm."""
    signatures = (b"OHDR", b"OCHK", b"FRHP", b"FHDB", b"FHIB", b"BTHD", b"BTLF", b"BTIN", b"GCOL",
                  b"TREE", b"SNOD", b"HEAP", b"SMTB", b"SMLI")
    with open(path, "rb") as file:
        content = file.read()
    places = [0, *(found.start() for found in re.finditer(b"|".join(signatures), content))]
    last = len(content) - 1
    place = st.integers(0, last) | st.builds(lambda near, offset: min(near + offset, last),
                                             st.sampled_from(places), st.integers(0, 399))
    words = st.lists(st.sampled_from([0, 1, 0x7F, 0x80, 0xFF]), min_size=1, max_size=8).map(bytes)
    return st.sampled_from(sorted(FILES.items())) | st.one_of(
        place.map(lambda at: (f"cut at {at}", _truncate(at))),
        st.builds(lambda at, bit: (f"flip {at} {bit}", _flip(at, bit)), place, st.integers(0, 7)),
        st.builds(lambda at, word: (f"bytes {at} {word.hex()}", _bytes(at, word)), place, words),
        st.builds(lambda at, size: (f"zeros {at} {size}", _bytes(at, bytes(size))), place,
                  st.sampled_from([16, 64, 512])))
