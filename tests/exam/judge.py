"""The judge of the exam: which law of restitution an engine follows, and what else its answers are."""
from dataclasses import dataclass

import numpy as np

import exact

CLOSE, NEAR, APART = 1e-3, 1e-2, 5e-2  # distances between velocities, over the initial speed of the contact point
SEEN = 0.02  # changes of spin below this part of the initial speed over a metre are not judged


@dataclass
class Verdict:
    """What the answers of an engine are, at one time step."""
    answered: int        # scenes with an answer
    scenes: int
    law: str             # the law that the answers follow best
    close: float         # share of the answers within CLOSE of that law
    near: float          # within NEAR
    distance: float      # median
    decisive: float      # share within NEAR among the scenes in which two laws are APART
    shares: dict         # {law: share within NEAR}
    energy_gained: float  # the most, of one impact, over the energy before
    beyond_cone: float   # the most of |tangential| / normal impulse above the friction
    reversed_spins: float  # share of the scenes whose spin changes the other way than by every law
    missing_spins: float   # share whose spin does not change although it does by every law


def velocity_of(answers):
    return np.array([answers["normal_velocity"], answers["velocity_t"], answers["velocity_s"]])


def distances(of, one, other):
    """Between two sets of answers."""
    speed = np.sqrt(1 + of["velocity_ratio"]**2 + of["side_ratio"]**2)
    return np.sqrt(np.sum((velocity_of(one) - velocity_of(other))**2, axis=0)) / speed


def take(of, chosen):
    return {name: values[chosen] for name, values in of.items()}


def spins(of, answers, laws):
    """Shares of reversed and of missing changes of the spin, among the scenes in which all laws agree about its sign."""
    speed = exact.SPEED * np.sqrt(1 + of["velocity_ratio"]**2 + of["side_ratio"]**2)
    change = (answers["spin_out"] - of["spin"]) / speed
    theirs = np.array([(law["spin_out"] - of["spin"]) / speed for law in laws])
    judged = (np.sign(theirs) == np.sign(theirs[0])).all(axis=0) & (np.abs(theirs) > SEEN).all(axis=0)
    least = np.abs(theirs).min(axis=0)
    missing = np.abs(change) < 0.05 * least
    backward = ~missing & (np.sign(change) != np.sign(theirs[0]))
    count = max(1, judged.sum())
    return (backward & judged).sum() / count, (missing & judged).sum() / count


def judge(of, answers, laws=None):
    """of: the scenes as columns; answers: {output: values}, NaN without an answer; laws: {name: exact answers}."""
    laws = laws or exact.every(of)
    good = np.isfinite(answers["normal_velocity"])
    for law in laws.values():
        good &= np.isfinite(law["normal_velocity"])
    if not good.any():
        return Verdict(0, len(good), "none", 0.0, 0.0, float("nan"), 0.0, dict.fromkeys(laws, 0.0), 0.0, 0.0, 0.0, 0.0)
    of, found = take(of, good), take(answers, good)
    laws = {name: take(law, good) for name, law in laws.items()}
    away = {name: distances(of, found, law) for name, law in laws.items()}
    best = max(away, key=lambda name: ((away[name] < NEAR).mean(), (away[name] < CLOSE).mean(), -np.median(away[name])))
    backward, missing = spins(of, found, list(laws.values()))
    return Verdict(int(good.sum()), len(good), best, float((away[best] < CLOSE).mean()), float((away[best] < NEAR).mean()),
                   float(np.median(away[best])), decisive(of, laws, away[best]),
                   {name: float((one < NEAR).mean()) for name, one in away.items()},
                   max(0.0, float((found["energy_kept"] - 1).max())), beyond_cone(of, found), float(backward), float(missing))


def decisive(of, laws, away):
    """The share of distances within NEAR among the scenes in which two laws are APART."""
    apart = np.max([distances(of, one, other) for one in laws.values() for other in laws.values()], axis=0) > APART
    return float((away[apart] < NEAR).mean()) if apart.any() else 1.0


def beyond_cone(of, found):
    impulse = exact.impulses(of, velocity_of(found))
    pressed = impulse[1] > 1e-6
    ratio = np.hypot(impulse[0], impulse[2])[pressed] / impulse[1][pressed]
    return max(0.0, float((ratio - of["friction"][pressed]).max(initial=0)))


def step_influence(of, by_step):
    """{time step: the distance that all but a tenth of the answers have at most from those of the finest step}."""
    finest = by_step[min(by_step)]
    found = {}
    for step, answers in by_step.items():
        away = distances(of, answers, finest)
        away = away[np.isfinite(away)]
        found[step] = float(np.quantile(away, 0.9)) if away.size else float("nan")
    return found
