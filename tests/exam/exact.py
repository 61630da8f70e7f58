"""What our theories answer to the scenes: `rigid` in the plane, `swerve` in space, under every law of restitution; and two laws
of time-stepping engines, whose friction knows the final slip alone."""
import numpy as np

import algebraic
import impactsweep
from scenes import SHAPES, SPEED, contacts, inverse_masses

LAWS = ("newton", "poisson", "energetic")  # of the theories
FINAL = {"newton, final slip": algebraic.newton, "poisson, final slip": algebraic.poisson}


def planar(of, law):
    """Final velocity of the contact point over SPEED: [normal, along x, along z][scene]."""
    x, y = contacts(of)
    gyration = np.sqrt([SHAPES[body]["inertia"][2] for body in of["body"]])
    found = impactsweep.solve("rigid", body="lamina", law=law, offset_t=x, offset_n=y, gyration_radius=gyration,
                              velocity_ratio=of["velocity_ratio"], friction=of["friction"], restitution=of["restitution"],
                              outputs=["kinematic_restitution", "velocity_ratio_out"])
    return np.array([found.kinematic_restitution, found.velocity_ratio_out, np.zeros(len(x))])


def spatial(of, law):
    """Axes 1, 2, 3 of `swerve` are x, -z, y."""
    x, y = contacts(of)
    c, s = np.cos(of["angle"]), np.sin(of["angle"])
    a, b, third = np.transpose([SHAPES[body]["inertia"] for body in of["body"]])
    along, aside = of["velocity_ratio"], -of["side_ratio"]
    found = impactsweep.solve(
        "swerve", body="inertia3d", law=law, mass=1.0, offset_1=x, offset_2=np.zeros_like(x), offset_3=y,
        inertia_11=c**2 * a + s**2 * b, inertia_13=c * s * (a - b), inertia_22=third, inertia_33=s**2 * a + c**2 * b,
        velocity_ratio=np.hypot(along, aside), heading=np.arctan2(aside, along), friction=of["friction"],
        restitution=of["restitution"], outputs=["kinematic_restitution", "velocity_ratio_out", "heading_out"])
    heading = np.nan_to_num(found.heading_out.values)
    return np.array([found.kinematic_restitution, found.velocity_ratio_out * np.cos(heading),
                     -found.velocity_ratio_out * np.sin(heading)])


def along_the_path(of, law):
    space = of["body"] == "capsule"
    velocity = np.zeros((3, len(space)))
    for solve, chosen in ((planar, ~space), (spatial, space)):
        if chosen.any():
            velocity[:, chosen] = solve({name: values[chosen] for name, values in of.items()}, law)
    return velocity


def every(of):
    """{law: what it answers}, of the theories and with friction by the final slip."""
    return {law: after(of, law) for law in (*LAWS, *FINAL)}


def after(of, law):
    """{output: values}, as adapters answer them."""
    velocity = algebraic.after(of, FINAL[law]) if law in FINAL else along_the_path(of, law)
    spin, energy = motions(of, velocity)
    return {"normal_velocity": velocity[0], "velocity_t": velocity[1], "velocity_s": velocity[2], "spin_out": spin,
            "energy_kept": energy}


def impulses(of, velocity):
    """The impulses on the contact point whose final velocity is given over SPEED as [normal, x, z]: [x, y, z][scene]."""
    change = np.array([velocity[1] - of["velocity_ratio"], velocity[0] + 1, velocity[2] - of["side_ratio"]]) * SPEED
    return np.linalg.solve(inverse_masses(of), change.T[:, :, None])[:, :, 0].T


def motions(of, velocity):
    """The spin about z, and the kinetic energy over that before."""
    impulse, (x, y) = impulses(of, velocity), contacts(of)
    spin, energy = np.zeros(len(x)), np.zeros(len(x))
    for k, body in enumerate(of["body"]):
        c, s = np.cos(of["angle"][k]), np.sin(of["angle"][k])
        turn, inertia = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]]), np.array(SHAPES[body]["inertia"])
        arm, w = np.array([x[k], y[k], 0]), np.array([0, 0, of["spin"][k]])
        v = np.array([of["velocity_ratio"][k], -1, of["side_ratio"][k]]) * SPEED - np.cross(w, arm)
        later = w + turn @ ((turn.T @ np.cross(arm, impulse[:, k])) / inertia)

        def kinetic(speed, rate):
            return np.sum(speed**2) + np.sum(inertia * (turn.T @ rate)**2)
        energy[k] = kinetic(v + impulse[:, k], later) / kinetic(v, w)
        spin[k] = later[2]
    return spin, energy
