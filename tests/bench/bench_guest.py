#!/usr/bin/python3
"""What the protocol of guests costs a law in NumPy, in `impactsweep.solve` of two million cells.

    tests/bench/bench_guest.py [--library build/release/libimpact.so] [--cells N]

Prints for each law, as the median of three runs, the processor time of its function per cell, which the guest measures by
itself, that of everything else in the guest (after its start) and in the caller, and their ratio. Both are of the same run, so a
busy machine slows both."""
import argparse
import os
import statistics
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
LAWS["200 steps in the normal impulse"] = LAWS["50 steps in the normal impulse"].replace("range(50)", "range(200)").replace("0.04", "0.01")
GUEST = '''import os, sys, time
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
    os.pwrite(log, b"%.9f %.9f" % (spent, now - begun), 0)
    return found

def function(angle, friction, e):{law}
log = os.open("spent", os.O_CREAT | os.O_WRONLY)
begun = time.process_time()
guest.serve(law)
'''
# Solves cells by the guest, and prints the processor seconds of this side.
CALLER = """import sys, time
sys.path.insert(0, {package!r})
import numpy as np
import impactsweep
angle, friction = np.linspace(0.02, 1.55, {cells}), np.resize(np.linspace(0, 1, 1000), {cells})
impactsweep.solve("guest:{python} law.py", angle=0.5, friction=0.1, e=0.7)
start = time.process_time()
impactsweep.solve("guest:{python} law.py", angle=angle, friction=friction, e=0.7)
print(time.process_time() - start)
"""


def measure(library, law, cells):
    """Processor seconds of the law, and of everything else for its cells."""
    package = os.path.join(ROOT, "postprocess")
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "law.py"), "w", encoding="utf-8") as file:
            file.write(GUEST.format(package=package, law=law))
        caller = subprocess.run([sys.executable, "-c", CALLER.format(package=package, cells=cells, python=sys.executable)], cwd=folder,
                                check=True, stdout=subprocess.PIPE, text=True, env={**os.environ, "IMPACTSWEEP_LIBRARY": library}).stdout
        with open(os.path.join(folder, "spent"), encoding="utf-8") as file:
            own, guest = map(float, file.read().split())
        return own, guest - own + float(caller)


def main():
    options = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    options.add_argument("--library", default=os.path.join(ROOT, "build", "release", "libimpact.so"))
    options.add_argument("--cells", type=int, default=2_000_000)
    given = options.parse_args()
    print("| law | us a cell | protocol, us a cell | ratio |\n|---|---:|---:|---:|")
    for name, law in LAWS.items():
        rounds = [measure(os.path.abspath(given.library), law, given.cells) for _ in range(3)]
        own, rest = (statistics.median(column) / given.cells for column in zip(*rounds))
        ratio = statistics.median(rest / own for own, rest in rounds)
        print(f"| {name} | {1e6 * own:.3f} | {1e6 * rest:.3f} | {100 * ratio:.1f} % |", flush=True)


if __name__ == "__main__":
    main()
