"""The bounds of src/models/SAFE_STEPS.md, on random motions of two modes, by dense sampling: no safe step passes a zero,
steps lead to the first one, and the constants of the last steps are those of the page."""
import math

import numpy as np

MOTIONS, SAMPLES = 1000, 2000


class Motion:
    """f = sum weight_k y_k, its derivatives and their bounds."""

    def __init__(self, random, ratio, rest=False):
        self.w = np.array([1.0, 1 / ratio])
        self.weight, self.cosine, self.sine = random.normal(size=(3, 2))
        self.cosine *= not rest
        self.size = np.hypot(self.cosine, self.sine)

    def at(self, time, derivative=0):
        angle = np.multiply.outer(np.asarray(time), self.w) + derivative * np.pi / 2
        return (self.weight * self.w ** derivative * (self.cosine * np.cos(angle) + self.sine * np.sin(angle))).sum(axis=-1)

    def bound(self, derivative):
        return (np.abs(self.weight) * self.w ** derivative * self.size).sum()

    def positive_on(self, start, length):
        """Whether f is positive within, but for rounding; the start itself may be a zero."""
        times = start + length * np.linspace(0, 1, SAMPLES + 2)[1:-1]
        return self.at(times).min() > -1e-13 * self.bound(0)

    def step(self, time):
        return safe_root(float(self.at(time)), float(self.at(time, 1)), self.bound(2) / 2)

    def step_of_alike(self, time, share=1.0):
        """share: of H that is counted."""
        lead = share * (self.w[0] ** 2 / self.w[1] ** 2 - 1) * abs(self.weight[0]) * self.size[0]
        value, slope = float(self.at(time)), float(self.at(time, 1)) / self.w[1]
        return 2 * math.atan(safe_root(value, 2 * slope, value + 2 * lead)) / self.w[1]

    def slow_step(self, time):
        """The step of the slower mode alone, while the faster one is at its worst."""
        slow = Motion.__new__(Motion)
        slow.__dict__.update(vars(self), weight=self.weight * [0, 1])
        value = float(slow.at(time)) - abs(self.weight[0]) * self.size[0]
        return safe_root(value, float(slow.at(time, 1)), slow.bound(2) / 2) if value > 0 else 0.0


def safe_root(a, b, c):
    root = math.sqrt(max(b * b + 4 * a * c, 0))
    return max(2 * a / (root - b) if b < 0 else (root + b) / (2 * c), 0.0)


def motions(seed, rest=False):
    random = np.random.default_rng(seed)
    for _ in range(MOTIONS):
        motion = Motion(random, 10 ** random.uniform(0, 2), rest)
        yield motion, random


def along_a_face(random, starts=False):
    """A motion of modes that are almost equally fast, whose parts almost cancel; starts: with f = f' = 0."""
    apart = 10 ** random.uniform(-7, -3.3)
    motion = Motion(random, 1 + apart)
    ratio = motion.weight[0] / motion.weight[1]
    slip = np.zeros(2) if starts else apart * random.normal(size=2)
    motion.cosine[1] = slip[0] - ratio * motion.cosine[0]
    motion.sine[1] = slip[1] - ratio * motion.w[0] / motion.w[1] * motion.sine[0]
    motion.size = np.hypot(motion.cosine, motion.sine)
    return motion


class Steps:
    def test_derivatives_keep_their_bounds(self):
        for motion, random in motions(1):
            times = random.uniform(0, 1e3, 50)
            for derivative in range(6):
                assert np.abs(motion.at(times, derivative)).max() <= motion.bound(derivative) * (1 + 1e-12)

    def test_no_step_passes_a_zero(self):
        taken = 0
        for motion, random in motions(2):
            time = random.uniform(0, 100)
            if motion.at(time) > 0:
                taken += 1
                assert motion.positive_on(time, motion.step(time))
                assert motion.positive_on(time, motion.slow_step(time))
        assert taken > MOTIONS / 3

    def test_a_wrong_bound_is_noticed(self):
        """Half of M_2 is not enough."""
        passed = 0
        for motion, random in motions(2):
            time = random.uniform(0, 100)
            if motion.at(time) > 0:
                step = safe_root(float(motion.at(time)), float(motion.at(time, 1)), motion.bound(2) / 4)
                passed += not motion.positive_on(time, step)
        assert passed > 3

    def test_first_steps_where_f_is_0(self):
        for motion, _ in motions(3, rest=True):  # f is odd in time
            if motion.at(0, 1) > 0:
                square = safe_root(float(motion.at(0, 1)), float(motion.at(0, 3)) / 6, motion.bound(5) / 120)
                assert motion.positive_on(0, math.sqrt(square))
        for motion, _ in motions(4):  # f = f' = 0: the parts of the second mode follow from the first
            motion.cosine[1] = -motion.weight[0] * motion.cosine[0] / motion.weight[1]
            motion.sine[1] = -motion.weight[0] * motion.w[0] * motion.sine[0] / (motion.weight[1] * motion.w[1])
            motion.size = np.hypot(motion.cosine, motion.sine)
            second = float(motion.at(0, 2))
            if second > 0:
                step = safe_root(second / 2, float(motion.at(0, 3)) / 6, motion.bound(4) / 24)
                assert motion.positive_on(0, step)

    def test_modes_in_step(self):
        """A motion along a face, whose usual steps are tiny: those of modes that are alike are long, and pass no zero."""
        random, longer = np.random.default_rng(8), []
        for _ in range(MOTIONS):
            motion = along_a_face(random)
            if motion.at(0) > 0:
                step = motion.step_of_alike(0)
                longer.append(step / motion.step(0))
                assert motion.positive_on(0, step)
        assert len(longer) > MOTIONS / 3 and np.median(longer) > 64

    def test_a_wrong_lead_is_noticed(self):
        """Half of H is not enough."""
        random, passed = np.random.default_rng(8), 0
        for _ in range(MOTIONS):
            motion = along_a_face(random)
            passed += motion.at(0) > 0 and not motion.positive_on(0, motion.step_of_alike(0, share=0.5))
        assert passed > 3

    def test_first_steps_of_modes_in_step(self):
        random, taken = np.random.default_rng(9), 0
        for _ in range(MOTIONS):
            motion = along_a_face(random, starts=True)
            pull = -motion.weight[0] * motion.cosine[0], -motion.weight[0] * motion.sine[0]
            if pull[0] >= 0:
                taken += 1
                assert motion.positive_on(0, math.atan2(pull[0], -pull[1]) / motion.w[0])
        assert taken > MOTIONS / 3

    def test_v_n_from_rest_is_even(self):
        for motion, _ in motions(5, rest=True):
            motion.cosine, motion.sine = motion.w * motion.sine, 0 * motion.sine  # the velocities of the modes
            motion.size = np.abs(motion.cosine)
            if motion.at(0) > 0:
                square = safe_root(float(motion.at(0)), float(motion.at(0, 2)) / 2, motion.bound(4) / 24)
                assert motion.positive_on(0, math.sqrt(square))

    def test_steps_lead_to_the_first_zero(self):
        """And the number of steps is small, though the fast mode trembles up to a hundred times as fast."""
        most = 0
        for motion, random in motions(6):
            time = start = random.uniform(0, 100)
            steps = 0
            while motion.at(time) > 1e-9 * motion.bound(0) and time < start + 300 and steps < 10000:
                time += max(motion.step(time), motion.slow_step(time))
                steps += 1
            most = max(most, steps)
            if time > start:
                assert motion.positive_on(start, time - start)
        assert most < 2000

    def test_a_zero_that_is_near_is_certain(self):
        near = 0
        for motion, random in motions(7):
            for time in random.uniform(0, 100, 20):
                value, slope = float(motion.at(time)), float(motion.at(time, 1))
                if value > 0 > slope and motion.bound(2) * value <= 0.3 * slope ** 2 and value <= -0.3 * slope:
                    near += 1
                    newton = -value / slope
                    assert motion.at(time + 1.2252 * newton) < 1e-14 * motion.bound(0)
                    assert motion.at(time + newton * np.linspace(0, 1.25, 100), 1).max() < 0
        assert near > 50
        assert (1 - math.sqrt(1 - 2 * 0.3)) / 0.3 < 1.2252

    def test_terms_left_out_of_the_series(self):
        """Of sine / phase, after the power 10 of the phase."""
        for phase, most in ((0.4, 2.8e-15), (0.375, 1.3e-15), (0.3, 1e-16)):
            assert phase ** 12 / math.factorial(13) < most
        assert 0.4 ** 12 / math.factorial(14) < 5e-16
