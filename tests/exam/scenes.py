"""The scenes of the exam: one impact each, without the words of any engine. `scenes.py > scenes.json` writes them anew."""
import json
import os
import sys

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
PATH = os.path.join(HERE, "scenes.json")
SPEED = 10.0  # m/s, of the contact point toward the plane
# Bodies of 1 kg: half sizes or radii, and moments of inertia about their own axes; adapters/engine.js has the same.
SHAPES = {"disc": {"radius": 0.5, "inertia": [0.1, 0.1, 0.1]},
          "rod": {"half": [0.5, 0.01], "inertia": [1 / 12, 1 / 12, 1 / 12]},
          "box": {"half": [0.5, 0.25], "inertia": [0.12, 0.12, 5 / 48]},
          "capsule": {"radius": 0.1, "half_length": 0.4, "inertia": [0.006, 0.08, 0.08]}}
NAMES = ("angle", "velocity_ratio", "side_ratio", "spin", "friction", "restitution")
EACH = 60


def make(seed=20):
    """Bodies, poses, velocities and coefficients; no pose in which two points would touch almost at once."""
    rng, scenes = np.random.default_rng(seed), []
    for body in SHAPES:
        for _ in range(EACH):
            angle = 0.0 if body == "disc" else rng.choice([-1, 1]) * rng.uniform(0.15, 1.35)
            scenes.append({"body": body, "angle": round(float(angle), 4),
                           "velocity_ratio": round(float(rng.uniform(-2, 2)), 4),
                           "side_ratio": round(float(rng.uniform(-1.5, 1.5)), 4) if body == "capsule" else 0.0,
                           "spin": round(float(rng.uniform(-5, 5)), 4),
                           "friction": float(rng.choice([0.0, 0.1, 0.3, 0.6, 1.0])),
                           "restitution": float(rng.choice([0.0, 0.3, 0.5, 0.8, 1.0]))})
    return scenes


def read():
    with open(PATH, encoding="utf-8") as file:
        return json.load(file)


def columns(scenes):
    """{name: array}, with the names of the bodies."""
    return {"body": np.array([one["body"] for one in scenes]),
            **{name: np.array([one[name] for one in scenes]) for name in NAMES}}


def contacts(of):
    """The contact point relative to the mass centre, [x, y][scene]."""
    found = np.zeros((2, len(of["body"])))
    for k, (body, angle) in enumerate(zip(of["body"], of["angle"])):
        shape, c, s = SHAPES[body], np.cos(angle), np.sin(angle)
        if body == "disc":
            found[:, k] = 0, -shape["radius"]
            continue
        reach = ([(x, 0) for x in (-shape["half_length"], shape["half_length"])] if body == "capsule" else
                 [(x * shape["half"][0], y * shape["half"][1]) for x in (-1, 1) for y in (-1, 1)])
        lowest = min(((c * x - s * y, s * x + c * y) for x, y in reach), key=lambda at: at[1])
        found[:, k] = lowest[0], lowest[1] - shape.get("radius", 0)
    return found


def inverse_masses(of):
    """The matrix that turns an impulse at the contact point into the change of its velocity: [scene][3][3]."""
    x, y = contacts(of)
    found = np.zeros((len(x), 3, 3))
    for k, body in enumerate(of["body"]):
        c, s = np.cos(of["angle"][k]), np.sin(of["angle"][k])
        turn = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])
        inverse = turn @ np.diag(1 / np.array(SHAPES[body]["inertia"])) @ turn.T
        lever = np.array([[0, 0, y[k]], [0, 0, -x[k]], [-y[k], x[k], 0]])  # lever @ a = (x, y, 0) x a
        found[k] = np.eye(3) - lever @ inverse @ lever
    return found


if __name__ == "__main__":
    json.dump(make(), sys.stdout, indent=0)
