"""The body inertia3d against NumPy: its inverse mass, its motion, ellipsoids and rods in any frame, numbers of no body."""
import package
import impactsweep
import numpy as np
import pytest

ELEMENTS = [(i, j) for i in range(3) for j in range(i, 3)]
N = 60


def turn_about(axis, angle):
    """Rotation matrices, one for each angle."""
    c, s = np.cos(angle), np.sin(angle)
    turn = np.zeros((len(angle), 3, 3))
    i, j = (axis + 1) % 3, (axis + 2) % 3
    turn[:, axis, axis] = 1
    turn[:, i, i], turn[:, j, j], turn[:, i, j], turn[:, j, i] = c, c, -s, s
    return turn


def any_turn(source):
    """Random rotations."""
    q, r = np.linalg.qr(source.normal(size=(N, 3, 3)))
    q *= np.sign(np.diagonal(r, axis1=1, axis2=2))[:, None, :]
    return q * np.linalg.det(q)[:, None, None]


def inverse_mass(mass, inertia, arm):
    """I / m - [r] J^-1 [r], the matrix from an impulse at the contact point to the change of its velocity."""
    cross = np.zeros((len(mass), 3, 3))
    for i in range(3):
        j, k = (i + 1) % 3, (i + 2) % 3
        cross[:, j, k], cross[:, k, j] = -arm[:, i], arm[:, i]
    return np.eye(3) / mass[:, None, None] - cross @ np.linalg.solve(inertia, cross)


def words(mass, inertia, arm):
    """Parameters of the body."""
    named = {f"inertia_{i + 1}{j + 1}": inertia[:, i, j] for i, j in ELEMENTS}
    return {**named, **{f"offset_{i + 1}": arm[:, i] for i in range(3)}, "mass": mass}


def solve(theory="swerve", **inputs):
    """Cells, one for each row of the inputs."""
    more = {"restitution": 0.6} if theory == "swerve" else {"stiffness_ratio": 1.2}
    source = np.random.default_rng(7)
    start = {"heading": source.uniform(-3, 3, N), "velocity_ratio": source.uniform(0, 2, N), "friction": 0.4}
    return impactsweep.solve(theory, **{**start, **more, **inputs})


def elements(cells):
    """The matrices of the outputs inverse_mass_11 to inverse_mass_33."""
    b = np.empty((N, 3, 3))
    for i, j in ELEMENTS:
        b[:, i, j] = b[:, j, i] = cells[f"inverse_mass_{i + 1}{j + 1}"]
    return b


def some_body(source):
    """Masses, inertia matrices and contact points of bodies of eight mass points each."""
    points, weight = source.normal(size=(N, 8, 3)), source.uniform(0.1, 1, (N, 8))
    mass = weight.sum(axis=1)
    points -= (weight[:, :, None] * points).sum(axis=1, keepdims=True) / mass[:, None, None]
    second = np.einsum("np,npi,npj->nij", weight, points, points)
    inertia = np.trace(second, axis1=1, axis2=2)[:, None, None] * np.eye(3) - second
    return mass, inertia, source.normal(size=(N, 3))


class AnyBody:
    def test_inverse_mass(self):
        mass, inertia, arm = some_body(np.random.default_rng(1))
        wanted = inverse_mass(mass, inertia, arm)
        for theory in ("swerve", "compliant3d"):
            cells = solve(theory, body="inertia3d", **words(mass, inertia, arm))
            assert (cells.outcome == "solved").all()
            size = np.abs(wanted).max(axis=(1, 2))[:, None, None]
            assert np.max(np.abs(elements(cells) - wanted) / size) < 1e-13

    def test_azimuth(self):
        mass, inertia, arm = some_body(np.random.default_rng(2))
        azimuth = np.random.default_rng(3).uniform(-3, 3, N)
        turn = turn_about(2, azimuth)
        turned = solve(body="inertia3d", azimuth=azimuth, **words(mass, inertia, arm))
        told = solve(body="inertia3d", **words(mass, turn @ inertia @ turn.transpose(0, 2, 1),
                                              np.einsum("nij,nj->ni", turn, arm)))
        assert np.abs(elements(turned) - elements(told)).max() < 1e-12
        for name in ("angular_velocity", "kinematic_restitution", "body_energy_loss"):
            assert float(np.abs(turned[name] - told[name]).max()) < 1e-9, name

    def test_motion(self):
        """Momentum, angular momentum and energy of the whole body, which turns before the impact."""
        source = np.random.default_rng(4)
        mass, inertia, arm = some_body(source)
        spin = source.normal(size=(N, 3))
        cells = solve(body="inertia3d", **words(mass, inertia, arm), normal_speed=1.0,
                      **{f"initial_spin_{k + 1}": spin[:, k] for k in range(3)})
        impulse = np.column_stack([cells.tangential_impulse.values, cells.normal_impulse.values])
        ratio, heading = cells.velocity_ratio.values, cells.heading.values
        start = np.column_stack([ratio * np.cos(heading), ratio * np.sin(heading), np.full(N, -1)])
        before = start - np.cross(spin, arm)
        after = before + impulse / mass[:, None]
        spins = spin + np.linalg.solve(inertia, np.cross(arm, impulse)[:, :, None])[:, :, 0]
        assert np.abs(cells.angular_velocity.values - spins).max() < 1e-11
        assert np.abs(cells.body_velocity_n.values - after[:, 2]).max() < 1e-11
        assert np.abs(cells.body_velocity_t.values - after[:, :2]).max() < 1e-11
        left = (after + np.cross(spins, arm))[:, 2]
        assert np.abs(cells.kinematic_restitution.values - left).max() < 1e-11

        def energy(v, w):
            return mass * (v ** 2).sum(axis=1) + np.einsum("ni,nij,nj->n", w, inertia, w)
        lost = 1 - energy(after, spins) / energy(before, spin)
        assert np.abs(cells.body_energy_loss.values - lost).max() < 1e-11


class KnownBodies:
    def compare(self, one, other):
        assert (one.outcome == "solved").all()
        size = np.abs(elements(other)).max()
        assert np.abs(elements(one) - elements(other)).max() < 1e-13 * size
        for name in ("kinematic_restitution", "normal_impulse", "energy_loss", "angular_velocity"):
            assert float(np.abs(one[name] - other[name]).max()) < 1e-8, name
        assert (one.mode == other.mode).all()

    def test_ellipsoids(self):
        source = np.random.default_rng(5)
        a, turns = source.uniform(0.3, 2, (N, 3)), source.uniform(-3, 3, (N, 3))
        mass = source.uniform(0.5, 3, N)
        frame = turn_about(2, turns[:, 0]) @ turn_about(0, turns[:, 1]) @ turn_about(2, turns[:, 2])
        square = np.einsum("nik,nk,njk->nij", frame, a ** 2, frame)
        arm = -square[:, :, 2] / np.sqrt(square[:, 2, 2])[:, None]
        inertia = mass[:, None, None] / 5 * (np.trace(square, axis1=1, axis2=2)[:, None, None] * np.eye(3) - square)
        self.compare(solve(body="inertia3d", **words(mass, inertia, arm)),
                     solve(body="ellipsoid3d", mass=mass, azimuth=turns[:, 0], angle=turns[:, 1], spin=turns[:, 2],
                           semi_axis_a=a[:, 0], semi_axis_b=a[:, 1], semi_axis_c=a[:, 2]))

    def test_rods(self):
        """Slender: no moment about itself, and the contact point on that axis."""
        source = np.random.default_rng(6)
        angle, azimuth = source.uniform(-1.5, 1.5, N), source.uniform(-3, 3, N)
        mass, length = source.uniform(0.5, 3, N), source.uniform(0.5, 2, N)
        along = np.column_stack([-np.sin(angle) * np.cos(azimuth), -np.sin(angle) * np.sin(azimuth), np.cos(angle)])
        inertia = (mass * length ** 2 / 12)[:, None, None] * (np.eye(3) - np.einsum("ni,nj->nij", along, along))
        self.compare(solve(body="inertia3d", **words(mass, inertia, -along * length[:, None] / 2)),
                     solve(body="rod3d", mass=mass, length=length, angle=angle, azimuth=azimuth))


class NoBody:
    FINE = {"body": "inertia3d", "mass": 1, "offset_1": 0.1, "offset_2": 0, "offset_3": -1, "heading": 0,
            "velocity_ratio": 0.5, "friction": 0.3, "restitution": 0.5,
            "inertia_11": 1, "inertia_22": 1, "inertia_33": 1}

    def test_flat_bodies_and_their_rounding(self):
        for third in (2, 2 * (1 + 1e-10), 1, 0.01):
            assert impactsweep.solve("swerve", **{**self.FINE, "inertia_33": third}).outcome == "solved"

    def test_what_no_body_has(self):
        bad = ({"inertia_33": 2.001}, {"inertia_12": 1.2}, {"inertia_13": 0.9, "inertia_23": 0.9},
               {"inertia_11": 0, "inertia_22": 0}, {"inertia_11": 0, "inertia_22": 0, "inertia_33": 0})
        for change in bad:
            with pytest.raises(impactsweep.errors.InputError, match="no body has this inertia matrix; allowed: "):
                impactsweep.solve("swerve", **{**self.FINE, **change})
            swept = {**self.FINE, **{name: [value, value] for name, value in change.items()}}
            assert set(np.ravel(impactsweep.solve("compliant3d",
                                                  **{**{k: v for k, v in swept.items() if k != "restitution"},
                                                     "stiffness_ratio": 1}).outcome)) == {"outside"}

    def test_a_rod_touched_beside_its_axis(self):
        with pytest.raises(impactsweep.errors.InputError, match="'offset_1': .*slender rod"):
            impactsweep.solve("swerve", **{**self.FINE, "inertia_33": 0})
        assert impactsweep.solve("swerve", **{**self.FINE, "inertia_33": 0, "offset_1": 0}).outcome == "solved"
