#!/usr/bin/python3
"""SciPy: solve_ivp (DOP853) with events. usage: scipy_events.py CELLS TOLERANCE

The phases and margins of pendulum.h, on floats: NumPy is slower for three numbers."""
import math
import sys
import time

from scipy.integrate import solve_ivp

BEYOND = 1e-9


def event(margin):
    margin.terminal, margin.direction = True, -1
    return margin


class Pendulum:
    def __init__(self, angle, friction, ratio):
        self.sine, self.cosine, self.friction, self.stiffness = math.sin(angle), math.cos(angle), friction, 1 / ratio
        self.reach = friction * ratio
        self.slip = 0 if self.cosine < self.reach * self.sine else -1
        self.left = 0
        self.state = (-1 / self.sine, 0.0, 0.0)
        self.events = [event(margin) for margin in
                       (lambda t, y: self.separation(y), lambda t, y: self.first(y), lambda t, y: self.second(y))]

    def rates(self, t, y):
        speed, normal, tangential = y
        force = -self.stiffness * tangential if not self.slip else self.friction * self.slip * normal
        v_n = self.sine * speed
        return (-self.sine * normal + self.cosine * force, v_n,
                -self.reach * self.slip * v_n if self.slip else self.cosine * speed)

    def separation(self, y):
        return -y[1] if y[0] > 0 else 1.0

    def first(self, y):
        if self.slip:
            sigma = (self.slip * self.cosine + self.reach * self.sine) * y[0]
            return sigma + (BEYOND if self.left else 0)
        return -self.reach * y[1] - y[2] + (0 if self.left else 1) + (BEYOND if self.left > 0 else 0)

    def second(self, y):
        if self.slip:
            return 1.0
        return -self.reach * y[1] + y[2] + (0 if self.left else 1) + (BEYOND if self.left < 0 else 0)

    def horizon(self):
        square = self.stiffness * self.cosine**2 + self.sine**2
        return 1000.0 if self.slip or not self.left else math.pi / math.sqrt(square)

    def phase(self, tolerance):
        """Integrates one phase; the margin that ended it, or None."""
        found = solve_ivp(self.rates, (0, self.horizon()), self.state, method="DOP853", events=self.events,
                          rtol=tolerance, atol=tolerance)
        self.state = found.y[:, -1]
        return next((k for k, times in enumerate(found.t_events) if len(times)), None)

    def turn(self, which):
        before, self.slip = self.slip, 0 if self.slip else 1 if which == 1 else -1
        self.left = before or 1
        if before:
            speed, normal, _ = self.state
            self.state = (speed, normal, -before * self.reach * normal)

    def solve(self, tolerance):
        for k in range(12):
            ended = self.phase(tolerance)
            if ended is None:
                return ("failed" if self.slip else "wedge"), math.nan
            if ended == 0:
                first = "gross_slip" if self.slip else "gross_stick"
                return {0: first, 2: "slip_stick_slip_reversed"}.get(k, "other"), self.sine * self.state[0]
            self.turn(ended)
        return "failed", math.nan


def main():
    with open(sys.argv[1]) as file:
        cells = [tuple(map(float, line.split())) for line in file]
    start = time.perf_counter()
    found = [Pendulum(*cell).solve(float(sys.argv[2])) for cell in cells]
    print(time.perf_counter() - start)
    for mode, restitution in found:
        print(mode, repr(float(restitution)))


main()
