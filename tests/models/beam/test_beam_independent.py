"""The beam by another method: an assembly of its own, SciPy's eigenproblem with the pin in two forms (its
displacement left out, or held by a stiff spring as in the paper), and DOP853 with tight tolerances for contact and
flight up to a late time, without events or proofs."""
import json
import os
import statistics
import subprocess

import numpy as np
from scipy.integrate import solve_ivp
from scipy.linalg import eigh

PROGRAM = os.path.abspath(os.environ["IMPACTSWEEP"])
ELEMENTS, MODES, PIN_NODE = 80, 25, 3
PIN = PIN_NODE / ELEMENTS
# The paper's bar: length, mass per length, second moment, modulus, Poisson's ratio, radius, rad/s.
LENGTH, MASS, MOMENT, MODULUS, POISSON, RADIUS, TURNING = (
    0.508, 0.3433, 1.277e-9, 68.3e9, 0.34, 6.35e-3, -6)
RATE = np.sqrt(MODULUS * MOMENT / MASS) / LENGTH**2
STIFFNESS = (4 / 3 * MODULUS / (2 * (1 - POISSON**2)) * LENGTH**4 / (MODULUS * MOMENT)
             * np.sqrt(RADIUS / LENGTH))


def matrices():
    """Stiffness and mass over displacement and slope of every node."""
    h, size = 1 / ELEMENTS, 2 * (ELEMENTS + 1)
    k = np.array([[12, 6 * h, -12, 6 * h], [6 * h, 4 * h**2, -6 * h, 2 * h**2],
                  [-12, -6 * h, 12, -6 * h], [6 * h, 2 * h**2, -6 * h, 4 * h**2]]) / h**3
    m = np.array([[156, 22 * h, 54, -13 * h], [22 * h, 4 * h**2, 13 * h, -3 * h**2],
                  [54, 13 * h, 156, -22 * h], [-13 * h, -3 * h**2, -22 * h, 4 * h**2]]) * h / 420
    stiffness, mass = np.zeros((size, size)), np.zeros((size, size))
    for e in range(ELEMENTS):
        part = slice(2 * e, 2 * e + 4)
        stiffness[part, part] += k
        mass[part, part] += m
    return stiffness, mass


def modes_left_out():
    stiffness, mass = matrices()
    free = np.delete(np.arange(len(mass)), 2 * PIN_NODE)
    squares, vectors = eigh(stiffness[np.ix_(free, free)], mass[np.ix_(free, free)])
    shapes = np.zeros((len(mass), MODES))
    shapes[free] = vectors[:, :MODES]
    return squares[:MODES], shapes


def modes_by_spring():
    stiffness, mass = matrices()
    stiffness[2 * PIN_NODE, 2 * PIN_NODE] += 1e5 * np.trace(stiffness)
    squares, vectors = eigh(stiffness, mass)
    return squares[:MODES], vectors[:, :MODES]


def restitution(position, modes, damping=0.0):
    squares, shapes = modes
    squares = squares.copy()
    squares[0] = 0
    e = min(int(position * ELEMENTS), ELEMENTS - 1)
    x, h = position * ELEMENTS - e, 1 / ELEMENTS
    weights = [1 - 3 * x**2 + 2 * x**3, h * (x - 2 * x**2 + x**3), 3 * x**2 - 2 * x**3,
               h * (x**3 - x**2)]
    at = weights @ shapes[2 * e:2 * e + 4]
    inertia = ((1 - PIN)**3 + PIN**3) / 3
    at[0] = (position - PIN) / np.sqrt(inertia)
    damping = damping / MODULUS * RATE * squares
    speed = np.zeros(MODES)
    speed[0] = TURNING / RATE * np.sqrt(inertia)

    def rates(_, y):
        q, v = y[:MODES], y[MODES:]
        depth = -at @ q
        force = STIFFNESS * depth * np.sqrt(depth) if depth > 0 else 0
        return np.concatenate((v, at * force - damping * v - squares * q))

    result = solve_ivp(rates, (0, 0.45 if position >= 0.5 else 0.8), np.concatenate((np.zeros(MODES), speed)), "DOP853",
                       rtol=1e-11, atol=1e-14, max_step=4e-4)
    return -result.y[MODES, -1] / speed[0]


def of_program(position, *words):
    output = subprocess.run([PROGRAM, "cell", "beam", f"position={position}", "tolerance=1e-10",
                             "--json", *words], capture_output=True, text=True, check=True).stdout
    return json.loads(output)["kinematic_restitution"]


class Independent:
    """A few positions; test_beam_independent_long.py has more."""
    LEFT_OUT, BY_SPRING, DAMPED = [0.639098, 0.68, 1.0], [0.68], [0.68]

    def compare(self, positions, modes, damping=0.0):
        """The differences. All of these collisions end before the integration does."""
        return [abs(restitution(x, modes, damping)
                    - of_program(x, f"internal_damping={damping}")) for x in positions]

    def test_displacement_left_out(self):
        found = self.compare(self.LEFT_OUT, modes_left_out())
        assert statistics.median(found) < 1e-7, found
        assert max(found) < 5e-5, found

    def test_displacement_held_by_a_spring(self):
        # The spring is not rigid: it changes the frequencies by 1e-5 of their size.
        found = self.compare(self.BY_SPRING, modes_by_spring())
        assert max(found) < 5e-5, found

    def test_damping(self):
        found = self.compare(self.DAMPED, modes_left_out(), 2e5)
        assert max(found) < 2e-6, found
