#!/usr/bin/python3
"""mpi4py.futures: a pool of ranks that call libimpact through ctypes, a thousand cells per task.

    IMPACTSWEEP_LIBRARY=libimpact.so mpirun -n 3 python3 -m mpi4py.futures futures.py CELLS"""
import ctypes
import os
import sys
import time

import numpy as np
from mpi4py.futures import MPIPoolExecutor

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../../postprocess"))
from impactsweep.library import binding as c

TASK = 1000
WORDS = ["body=pendulum", "law=linear", "angle", "friction", "stiffness_ratio"]


def solve(columns):
    """Modes and restitution of the cells of a task."""
    count = columns.shape[1]
    with c.Solver("compliant", WORDS) as solver:
        names = [one.name.decode() for one in solver.inputs]
        inputs, outputs = (ctypes.c_void_p * c.MAX_PARAMETERS)(), (ctypes.c_void_p * c.MAX_OUTPUTS)()
        found = np.empty((2, count))
        for name, values in zip(WORDS[2:], columns):
            inputs[names.index(name)] = values.ctypes.data
        for name, values in zip((b"mode", b"kinematic_restitution"), found):
            outputs[solver.output_place(name)] = values.ctypes.data
        outcome = np.empty(count, np.uint8)
        solver.solve(count, inputs, outputs, outcome.ctypes.data)
    return found


def main():
    cells = np.loadtxt(sys.argv[1], ndmin=2).T
    tasks = [np.ascontiguousarray(cells[:, first:first + TASK]) for first in range(0, cells.shape[1], TASK)]
    with MPIPoolExecutor() as pool:
        list(pool.map(solve, tasks[:1] * 8))  # the workers start, and load the library
        start = time.perf_counter()
        found = np.concatenate(list(pool.map(solve, tasks)), axis=1)
        print(time.perf_counter() - start)
    theory = c.library().imp_theory_find(b"compliant").contents
    modes = {theory.modes[k].code: theory.modes[k].name.decode() for k in range(theory.n_modes)}
    for mode, restitution in found.T:
        print(modes[int(mode)], repr(float(restitution)))


if __name__ == "__main__":
    main()
