#!/usr/bin/python3
"""What the protocol of guests costs a law in NumPy, in `impactsweep.solve` of two million cells.

    tests/bench/bench_guest.py [--library build/release/libimpact.so] [--cells N] [--rounds N] [--pipes]

Prints for each law, the least of some rounds each, the processor time per cell of its function in the guest, which measures it by itself;
that of the protocol, which is everything else in the guest and libimpact's part of the caller, with their ratio; and that of the
same function called once on whole arrays of all cells. --pipes: with columns over the pipes, as for guests that share no
memory."""
import argparse
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
# A sphere in closed form; an equation that needs 60 bisections; a rod by 50 steps in its normal impulse.
LAWS = {"closed form, mode as a text": '''
    slip = np.tan(angle) - 3.5 * friction * (1 + e)
    return {"mode": np.where(slip > 0, "slip", "roll"), "slip_ratio": np.maximum(slip, 0)}
''', "closed form, mode as a code": '''
    slip = np.tan(angle) - 3.5 * friction * (1 + e)
    return {"mode": np.where(slip > 0, 1, 2), "slip_ratio": np.maximum(slip, 0)}
''', "60 bisections": '''
    low, high = np.zeros_like(angle), np.full_like(angle, 10.0)
    for _ in range(60):
        middle = (low + high) / 2
        above = middle + friction * np.sin(middle) > np.tan(angle) * e
        low, high = np.where(above, low, middle), np.where(above, middle, high)
    return {"mode": np.where(high > 1, 1, 2), "slip_ratio": high}
''', "50 steps in the normal impulse": '''
    s, c = np.sin(angle), np.cos(angle)
    along, normal, work = np.tan(angle), -np.ones_like(angle), np.zeros_like(angle)
    for _ in range(50):
        push = -friction * np.sign(along)
        along = along + 0.04 * ((1 + 3 * c * c) * push + 3 * s * c)
        normal = normal + 0.04 * (1 + 3 * s * s + 3 * s * c * push)
        work = work + 0.04 * normal
    return {"mode": np.where(along > 0, 1, 2), "slip_ratio": along + e * work}
'''}
STEPS = LAWS.pop("50 steps in the normal impulse")
LAWS |= {f"{n} steps in the normal impulse": STEPS.replace("range(50)", f"range({n})").replace("0.04", repr(2 / n))
         for n in (35, 60, 120, 210)}
GUEST = '''import sys, time
sys.path.insert(0, {package!r})
import numpy as np
import impactsweep.guest as guest

spent = 0.0

@guest.theory(parameters={{"angle": guest.number("rad", 0, 1.57), "friction": guest.number("1", 0, 10), "e": guest.number("1", 0, 1)}},
              outputs={{"mode": guest.modes("slip", "roll"), "slip_ratio": "1"}})
def law(angle, friction, e):
    global spent
    start = time.process_time()
    found = function(angle, friction, e)
    now = time.process_time()
    spent += now - start
    log[:] = spent, now
    return found

def function(angle, friction, e):{law}
log = np.memmap("spent", float, "w+", shape=2)
guest.serve(law)
'''
# Solves cells by the guest, after some others, and prints processor seconds: of the law, of everything else in the guest, of
# libimpact here, and of the law on whole arrays.
CALLER = """import sys, time
sys.path.insert(0, {package!r})
import numpy as np
import impactsweep
from impactsweep.library import binding

solve, spent = binding.Solver.solve, 0.0

def measured(*arguments):
    global spent
    start = time.process_time()
    solve(*arguments)
    spent += time.process_time() - start

def function(angle, friction, e):{law}

def run(cells):
    angle, friction = np.linspace(0.02, 1.55, cells), np.resize(np.linspace(0, 1, 1000), cells)
    impactsweep.solve({command!r}, angle=angle, friction=friction, e=0.7)
    return np.array([*np.fromfile("spent"), spent])

binding.Solver.solve = measured
before = run(400_000)
law, guest, library = run({cells}) - before
arrays = np.linspace(0.02, 1.55, {cells}), np.resize(np.linspace(0, 1, 1000), {cells}), np.full({cells}, 0.7)
start = time.process_time()
function(*arrays)
print(law, guest - law, library, time.process_time() - start)
"""


def measure(given, law):
    """Processor microseconds per cell: of the law, of the protocol, of the law on whole arrays."""
    package = os.path.join(ROOT, "postprocess")
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "law.py"), "w", encoding="utf-8") as file:
            file.write(GUEST.format(package=package, law=law))
        command = f"guest:sh -c 'exec {sys.executable} law.py{' 3<&-' * given.pipes}'"
        caller = CALLER.format(package=package, cells=given.cells, law=law, command=command)
        printed = subprocess.run([sys.executable, "-c", caller], cwd=folder, check=True, stdout=subprocess.PIPE, text=True,
                                 env={**os.environ, "IMPACTSWEEP_LIBRARY": os.path.abspath(given.library)}).stdout
        own, guest, library, whole = (1e6 * float(word) / given.cells for word in printed.split())
        return own, guest + library, whole


def main():
    options = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    options.add_argument("--library", default=os.path.join(ROOT, "build", "release", "libimpact.so"))
    options.add_argument("--cells", type=int, default=2_000_000)
    options.add_argument("--rounds", type=int, default=5)
    options.add_argument("--pipes", action="store_true")
    given = options.parse_args()
    print("| law | us a cell | protocol, us a cell | ratio | law on whole arrays, us a cell |\n|---|---:|---:|---:|---:|")
    for name, law in LAWS.items():
        rounds = [measure(given, law) for _ in range(given.rounds)]
        own, rest, whole = map(min, zip(*rounds))
        print(f"| {name} | {own:.3f} | {rest:.3f} | {100 * rest / own:.1f} % | {whole:.3f} |", flush=True)


if __name__ == "__main__":
    main()
