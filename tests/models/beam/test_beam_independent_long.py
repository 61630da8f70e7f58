"""test_beam_independent.py at more positions."""
import test_beam_independent as few


class More(few.Independent):
    LEFT_OUT = [0.2 + 0.8 * i / 29 for i in range(30)]
    BY_SPRING = [0.3, 0.6, 0.68, 0.75, 0.8]
    DAMPED = [0.25, 0.4, 0.55, 0.68, 0.8, 0.9, 1.0]
