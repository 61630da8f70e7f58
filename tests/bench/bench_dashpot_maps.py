#!/usr/bin/python3
"""Whole maps of the law `dashpot` of `compliant` beside `linear`: random bodies, ratios and axes, six common outputs.

    tests/bench/bench_dashpot_maps.py [--program build/release/impactsweep] [--maps N] [--seed S] [--side POINTS]

Each map goes over friction and either the velocity ratio or the shape of the body. Prints processor seconds of both laws, the least
of two runs each in turn, and the second over the first; at the end the median and the largest of these ratios. A seed and a
number of maps say which maps they are."""
import argparse
import math
import os
import random
import resource
import subprocess
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
ANGLES = (-1.55, 1.55)
# Of each body the parameter that a map may go over, with its ends, and draws of the others. log(a, b): between a and b, equally
# often in each factor.
BODIES = {
    "sphere": (("stiffness_ratio", 0.2, 5), lambda uniform, log: {}),
    "rod": (("angle", *ANGLES), lambda uniform, log: {"angle": uniform(*ANGLES)}),
    "general": (("angle", *ANGLES), lambda uniform, log: {"angle": uniform(*ANGLES), "inertia_coupling": 1 - log(1e-3, 1)}),
    "matrix": (("b12", -0.22, 0.22), lambda uniform, log: {"b11": log(0.05, 5), "b12": uniform(-0.22, 0.22), "b22": 1}),
    "capsule": (("angle", *ANGLES), lambda uniform, log: {"angle": uniform(*ANGLES), "slenderness": log(0.1, 10)}),
    "lamina": (("offset_t", -2, 2), lambda uniform, log: {"offset_t": uniform(-2, 2), "offset_n": uniform(-2, 2)}),
    "two_laminae": (("offset_t", -2, 2), lambda uniform, log: {
        **{name: uniform(-2, 2) for name in ("offset_t", "offset_n", "offset_t_2", "offset_n_2")},
        "mass": 1, "mass_2": log(0.2, 5), "gyration_radius_2": log(0.5, 2)}),
    "pendulum": (("angle", 0.002, 1.569), lambda uniform, log: {}),
    "double_pendulum": (("q1", -1.5, 1.5), lambda uniform, log: {
        "l1": 1, "m1": 1, "l2": log(0.3, 3), "m2": log(0.3, 3), "q2": uniform(-1.5, 1.5), "w1": uniform(-3, 3), "w2": uniform(-3, 3)}),
}
OUTPUTS = "mode, kinematic_restitution, kinetic_restitution, energetic_restitution, velocity_ratio_out, energy_loss"


def random_map(chance):
    """(body, axis, values of the other parameters, both damping ratios)"""
    def log(low, high):
        return math.exp(chance.uniform(math.log(low), math.log(high)))
    body = chance.choice(sorted(BODIES))
    axis, draws = BODIES[body]
    fixed = {"stiffness_ratio": log(0.2, 5), **draws(chance.uniform, log)}
    if "pendulum" not in body:
        fixed["velocity_ratio"] = chance.uniform(-3, 3)
        axis = chance.choice([axis, ("velocity_ratio", -4, 4)])
    fixed.pop(axis[0], None)
    return body, axis, fixed, {"normal_damping_ratio": log(0.005, 3), "tangential_damping_ratio": log(0.005, 3)}


def seconds(program, folder, law, body, axis, fixed, side):
    name, low, high = axis
    config = os.path.join(folder, "x.yaml")
    with open(config, "w", encoding="utf-8") as file:
        file.write(f"model: compliant\nchoose: {{body: {body}, law: {law}}}\naxes:\n"
                   f"  - {{param: {name}, from: {low}, to: {high}, points: {side}}}\n"
                   f"  - {{param: friction, from: 0.005, to: 1.505, points: {side}}}\n"
                   f"fixed: {{{', '.join(f'{key}: {value!r}' for key, value in fixed.items())}}}\noutputs: [{OUTPUTS}]\n")
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([program, "run", config, "-o", os.path.join(folder, "x.h5"), "--force", "--progress", "none"],
                   check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def measured(program, folder, side, body, axis, fixed, damping):
    """The time of `dashpot` over that of `linear`, and a line about the map."""
    rounds = [[seconds(program, folder, law, body, axis, {**fixed, **more}, side)
               for law, more in (("linear", {}), ("dashpot", damping))] for _ in range(2)]
    linear, dashpot = (min(times) for times in zip(*rounds))
    values = "".join(f" {name}={value:.4g}" for name, value in {**fixed, **damping}.items())
    return dashpot / linear, f"{dashpot / linear:5.2f}  {linear:.3f} s  {dashpot:.3f} s  {body} over {axis[0]}{values}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=os.path.join(ROOT, "build", "release", "impactsweep"))
    parser.add_argument("--maps", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--side", type=int, default=1500)
    asked = parser.parse_args()
    chance, ratios = random.Random(asked.seed), []
    with tempfile.TemporaryDirectory(dir="/dev/shm" if os.path.isdir("/dev/shm") else None) as folder:
        for _ in range(asked.maps):
            ratio, line = measured(asked.program, folder, asked.side, *random_map(chance))
            ratios.append(ratio)
            print(line, flush=True)
    ratios.sort()
    print(f"{len(ratios)} maps: median {ratios[len(ratios) // 2]:.2f}, largest", *(f"{ratio:.2f}" for ratio in ratios[-5:]),
          f"; {sum(ratio > 3 for ratio in ratios)} above 3")


if __name__ == "__main__":
    main()
