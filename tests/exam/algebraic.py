"""Laws of restitution whose friction knows the final slip alone, as time-stepping engines have them (J. J. Moreau, Unilateral
contact and dry friction in finite freedom dynamics, 1988): the impulse lies in the cone of friction, and opposite to the
slip at the end. The theories of impactsweep follow the slip along the whole impact instead. Both agree where it keeps its
direction."""
import numpy as np
from scipy.optimize import brentq

from scenes import SPEED, inverse_masses

TANGENTIAL = [0, 2]
ANGLES = np.linspace(-np.pi, np.pi, 361) + 1e-4  # directions of slip in which a sign changes; no special one


def normal_part(b, u, along, speed, impulse):
    """The normal impulse with tangential parts `along` of it, by the final normal speed or as it is given."""
    return impulse if speed is None else (speed - u[1]) / (b[1, 1] + b[1, TANGENTIAL] @ along)


def sliding(b, u, friction, speed, impulse, direction):
    """The impulse for a slip in a direction or in many, and the slip across and along it."""
    ahead = np.array([np.cos(direction), np.sin(direction)])
    along = -friction * ahead
    n = normal_part(b, u, along, speed, impulse)
    p = np.array(np.broadcast_arrays(along[0] * n, n, along[1] * n))
    slip = (u + (b @ p).T).T[TANGENTIAL]
    return p, slip[1] * ahead[0] - slip[0] * ahead[1], slip[0] * ahead[0] + slip[1] * ahead[1]


def sticking(b, u, speed, impulse):
    if speed is not None:
        return np.linalg.solve(b, np.array([0, speed, 0]) - u)
    along = np.linalg.solve(b[np.ix_(TANGENTIAL, TANGENTIAL)], -(u[TANGENTIAL] + b[TANGENTIAL, 1] * impulse))
    return np.array([along[0], impulse, along[1]])


def phase(b, u, friction, speed=None, impulse=None):
    """The impulse that ends at a normal speed, or whose normal part is given. b: inverse masses, u: velocity before."""
    p = sticking(b, u, speed, impulse)
    if p[1] >= 0 and np.hypot(*p[TANGENTIAL]) <= friction * p[1]:
        return p

    def across(direction):
        return sliding(b, u, friction, speed, impulse, direction)[1]

    signs = np.sign(across(ANGLES))
    for k in np.flatnonzero(signs[:-1] != signs[1:]):
        p, _, along = sliding(b, u, friction, speed, impulse, brentq(across, ANGLES[k], ANGLES[k + 1], xtol=1e-14))
        if p[1] >= 0 and along >= 0:
            return p
    return np.full(3, np.nan)


def newton(b, u, friction, e):
    return phase(b, u, friction, speed=-e * u[1])


def poisson(b, u, friction, e):
    """Two phases, as Glocker and Pfeiffer have them: the second has e times the normal impulse of the first."""
    first = phase(b, u, friction, speed=0)
    return first + phase(b, u + b @ first, friction, impulse=e * first[1])


def after(of, law):
    """Final velocity of the contact point over SPEED: [normal, along x, along z][scene]."""
    before = SPEED * np.array([of["velocity_ratio"], np.full(len(of["body"]), -1), of["side_ratio"]]).T
    final = [u + b @ law(b, u, friction, e)
             for b, u, friction, e in zip(inverse_masses(of), before, of["friction"], of["restitution"])]
    return np.array(final).T[[1, 0, 2]] / SPEED
