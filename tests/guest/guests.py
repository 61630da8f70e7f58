"""Guests for tests: scripts that speak the protocol by themselves, and what tests say about maps."""
import os
import sys

import h5py
import numpy as np

from support import BUILD, ROOT

KERNEL = os.path.join(BUILD, "tests", "kernel_guest")
# A guest without NumPy, which starts at once. Cells with the value BAD of `x` have the fault that the first word names;
# every other cell has y = 2 x. With a word `share` it takes columns from the memory that the program shares.
SCRIPT = r'''
import array, mmap, os, random, sys, time
fault, version = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else "1"
shares, memory = "share" in sys.argv, None
BAD = 7.0
source, sink = os.fdopen(0, "rb"), os.fdopen(1, "wb")
about = ('{"impactsweep_guest": 1, "name": "script", "version": "%s", "parameters": [{"name": "x"}, '
         '{"name": "z", "default": 0}], "outputs": [{"name": "y"}, {"name": "mode", "categories": '
         '[{"name": "low"}, {"name": "high"}]}]}\n' % version)
if shares: os.write(3, b"1")
sink.write(about.encode()); sink.flush()
if fault == "deaf":
    time.sleep(3600)
while True:
    head = array.array("d", source.read(16))
    if not head: break
    n = int(head[1])
    if shares: memory = memory or mmap.mmap(3, 0)
    x = array.array("d", memory[:16 * n] if shares else source.read(16 * n))[:n]
    y, mode, outcome = [2 * one for one in x], [1.0 + (one > 3) for one in x], [1.0] * n
    if fault == "random": y = [random.random() for one in x]
    extra = []
    if BAD in x:
        all_bad = [i for i, one in enumerate(x) if one == BAD]
        if fault == "exit": sys.stderr.write("a last word\n"); sys.stderr.flush(); os._exit(3)
        if fault == "signal": os.kill(os.getpid(), 11)
        if fault == "hang": time.sleep(3600)
        if fault == "rubbish": sink.write(b"All is well, a text of more than 24 bytes.\n"); sink.flush(); continue
        if fault == "short": extra = None
        if fault == "long": extra = [1.0]
        if fault == "half": sink.write(array.array("d", [head[0], n, 3 * n]).tobytes()); sink.flush(); os._exit(0)
        for at in all_bad if fault == "outcome" else []: outcome[at] = 17.0
        for at in all_bad if fault == "code" else []: mode[at] = 9.0
        for at in all_bad if fault == "nan" else []: y[at] = float("nan")
        for at in all_bad if fault == "refuses" else []: outcome[at] = 3.0
        if fault == "memory": big = bytearray(10 ** 9)
    if fault == "errors": sys.stderr.write("x" * 1000000); sys.stderr.flush()
    values = outcome + y + mode
    values = values[:-1] if extra is None else values + extra
    if shares: memory[16 * n:16 * n + 8 * len(values)] = array.array("d", values).tobytes()
    sink.write(array.array("d", [head[0], n, len(values)] + values * (not shares)).tobytes()); sink.flush()
'''
CONFIG = """model: guest
command: [{python}, script.py, {fault}]
{more}
axes:
  - {{param: x, from: 0, to: 199, points: 200}}
  - {{param: z, from: 0, to: 1, points: 4}}
"""


def config(fault, more=""):
    return CONFIG.format(python=sys.executable, fault=fault, more=more)


def example(name):
    return os.path.join(ROOT, "configs", "guests", name)


def arrays(path):
    """{name: values} of the datasets of a map that hold results."""
    with h5py.File(path) as file:
        return {name: one[...] for name, one in file.items()
                if isinstance(one, h5py.Dataset) and not name.startswith("run_") and one.dtype.kind in "fiu"}


def check_same(one, other, least=1):
    """Every result that both maps have is the same bit for bit; there are at least so many."""
    a, b = arrays(one), arrays(other)
    common = [name for name in a if name in b]
    assert len(common) >= least, (sorted(a), sorted(b))
    for name in common:
        assert a[name].dtype == b[name].dtype and a[name].tobytes() == b[name].tobytes(), name
    return {name: np.asarray(a[name]) for name in common}
