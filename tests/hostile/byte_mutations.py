"""Ways to spoil the bytes of a map: cuts, flips, overwritten places. Each is a name and a function that changes the
file at a path, as a failing disk or an attacker might."""
import os
import random


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


def _checksummed(content, random_):
    """Places in metadata, near the signatures of HDF5's structures, where most flips do harm."""
    signatures = (b"OHDR", b"OCHK", b"FRHP", b"FHDB", b"FHIB", b"BTHD", b"BTLF", b"BTIN", b"GCOL",
                  b"TREE", b"SNOD", b"HEAP", b"SMTB", b"SMLI")
    places = [0]
    for signature in signatures:
        at = content.find(signature)
        while at >= 0:
            places.append(at)
            at = content.find(signature, at + 1)
    return min(random_.choice(places) + random_.randrange(400), len(content) - 1)


def of_bytes(path, n, seed):
    """n mutations of the bytes: a third truncations, the others flips and overwritten places."""
    with open(path, "rb") as file:
        content = file.read()
    random_ = random.Random(seed)
    for name, change in FILES.items():
        yield name, change
    for i in range(n):
        anywhere, near = random_.randrange(len(content)), _checksummed(content, random_)
        value = bytes(random_.choice((0, 1, 0x7F, 0x80, 0xFF)) for _ in range(8))
        yield f"cut at {anywhere}", _truncate(anywhere)
        yield f"cut at {near}", _truncate(near)
        yield f"flip {near}", _flip(near, random_.randrange(8))
        yield f"flip {anywhere}", _flip(anywhere, random_.randrange(8))
        size = random_.choice((1, 2, 4, 8))
        yield f"bytes {near} {value[:size].hex()}", _bytes(near, value[:size])
        yield f"zeros {near}", _bytes(near, bytes(random_.choice((16, 64, 512))))
