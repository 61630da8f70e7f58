#!/usr/bin/python3
"""impactsweep.solve on a million cells, in turn with the bare call of libimpact on the same arrays.

    IMPACTSWEEP_LIBRARY=build/release/libimpact.so.1 tests/bench/bench_package.py [RUNS]

Prints for each the median and the least in processor seconds, the median of the ratios of neighbouring runs, and the
ratio of the least. The bare call gets new arrays for its outputs, like solve, because both need the memory."""
import ctypes
import os
import statistics
import sys
import time

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../postprocess"))
import impactsweep
from impactsweep.library import binding as c

SIDE = 1000
CASES = (
    ("compliant pendulum, every output", "compliant", "body=pendulum", None),
    ("compliant pendulum, mode and restitution", "compliant", "body=pendulum",
     ["mode", "kinematic_restitution"]),
)
FIXED = {"stiffness_ratio": 1.21}


def bare(theory, choices, outputs, arrays):
    """Processor seconds for imp_solve and the arrays that it needs."""
    words = [choices, *arrays, *(f"{name}={value}" for name, value in FIXED.items())]
    with c.Solver(theory, words) as solver:
        start = time.process_time()
        count = next(iter(arrays.values())).size
        inputs = (ctypes.c_void_p * c.MAX_PARAMETERS)()
        kept = []
        for place, one in enumerate(solver.inputs):
            name = one.name.decode()
            kept.append(arrays.get(name, np.full(count, FIXED[name]) if name in FIXED else None))
            inputs[place] = kept[-1].ctypes.data if kept[-1] is not None else None
        results = (ctypes.c_void_p * c.MAX_OUTPUTS)()
        for place in range(solver.theory.n_outputs):
            output = solver.theory.outputs[place]
            if solver.output_place(output.name) >= 0 and (
                    outputs is None or output.name.decode() in outputs):
                kept.append(np.empty(count * max(1, output.length)))
                results[place] = kept[-1].ctypes.data
        outcome = np.empty(count, np.uint8)
        solver.solve(count, inputs, results, outcome.ctypes.data)
        return time.process_time() - start


def package(theory, choices, outputs, arrays):
    body = dict([choices.split("=")])
    start = time.process_time()
    impactsweep.solve(theory, outputs=outputs, **body, **FIXED, **arrays)
    return time.process_time() - start


def own(theory, choices, outputs, arrays, runs):
    """The least seconds of the processor that solve takes where the library does nothing."""
    call, c.Solver.solve = c.Solver.solve, lambda *arguments: None
    try:
        return min(package(theory, choices, outputs, arrays) for _ in range(runs))
    finally:
        c.Solver.solve = call


def main(runs):
    axes = np.meshgrid(np.linspace(0.01, 1.5, SIDE), np.linspace(0.01, 1.5, SIDE), indexing="ij")
    flat = {"angle": axes[0].ravel(), "friction": axes[1].ravel()}
    open_ = {"angle": axes[0][:, :1], "friction": axes[1][:1, :]}
    for title, theory, choices, outputs in CASES:
        for form, arrays in (("arrays of a million", flat), ("two axes that broadcast", open_)):
            bares, ours = [], []
            for _ in range(runs):
                bares.append(bare(theory, choices, outputs, flat))
                ours.append(package(theory, choices, outputs, arrays))
            ratio = statistics.median(one / other for one, other in zip(ours, bares))
            print(f"{title}; {form}: C {statistics.median(bares):.3f} s (least {min(bares):.3f}), "
                  f"package {statistics.median(ours):.3f} s (least {min(ours):.3f}), "
                  f"ratio {ratio:.4f}, of the least {min(ours) / min(bares):.4f}, without the library "
                  f"{1e3 * own(theory, choices, outputs, arrays, 5 * runs):.2f} ms")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 5)
