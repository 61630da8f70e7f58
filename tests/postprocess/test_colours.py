"""The colours of modes and other categories: of every theory, and of theories with modes that nobody has chosen
a colour for."""
import itertools
import json
import os
import subprocess

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

import matplotlib
import numpy as np
from impactsweep.display import vision
from impactsweep.display.colours import NO_MODE
from impactsweep.figures import looks
from matplotlib.colors import to_hex, to_rgb

PROGRAM = os.path.abspath(os.environ["IMPACTSWEEP"])
APART, APART_IN_GREY = 10, 3


def colours_of(modes):
    """{mode: colour} of a theory with these modes, whose codes begin with 1."""
    colours = looks.category_colours({0: "none", **dict(enumerate(modes, 1))})
    return {mode: colours[code] for code, mode in enumerate(modes, 1)}


def invented(number):
    return [f"invented_{k}" for k in range(number)]


class Eyes:
    """The instrument of the other tests."""

    def test_lab_of_the_primaries(self):
        """As tables of CIE L*a*b* for sRGB and D65 have them."""
        for colour, expected in (("#FF0000", (53.24, 80.09, 67.20)), ("#00FF00", (87.73, -86.18, 83.18)),
                                 ("#0000FF", (32.30, 79.19, -107.86)), ("#FFFFFF", (100, 0, 0))):
            np.testing.assert_allclose(vision.lab(to_rgb(colour)), expected, atol=0.02)

    def test_each_blind_eye_takes_other_colours_for_one(self):
        """Greys look the same to every eye. Red and green look nearly alike without one of their cones, blue and
        green without that of blue."""
        for eye in vision.EYES:
            np.testing.assert_allclose(vision.lab((0.5, 0.5, 0.5), eye), vision.lab((0.5, 0.5, 0.5)), atol=0.01)
        for number, (one, other) in {1: ("#DA4900", "#808000"), 2: ("#B05A00", "#6A7200"),
                                     3: ("#0080A0", "#008870")}.items():
            far, near = (np.linalg.norm(np.subtract(*(vision.lab(to_rgb(colour), vision.EYES[eye])
                                                      for colour in (one, other)))) for eye in (0, number))
            assert far > 2 * near, number


class Diverging:
    def test_the_halves_differ_in_a_grey_print_and_for_every_eye(self):
        """At the same distance from the centre, from a tenth of the way on, the lower half is darker."""
        colours = np.array([to_rgb(to_hex(colour)) for colour in matplotlib.colormaps[looks.DIVERGING](np.arange(256))])
        for eye in vision.EYES:
            seen = vision.lab(colours, eye)
            below, above = seen[127::-1], seen[128:]
            assert np.linalg.norm(below - above, axis=1)[13:].min() > APART
        lightness = vision.lab(colours)[:, 0]
        assert (lightness[128:] - lightness[127::-1])[13:].min() > APART_IN_GREY
        assert np.diff(lightness[:128]).min() > -0.3, "eight bits a colour"
        assert np.diff(lightness[128:]).max() < 0.3
        assert lightness[127:129].min() > 95


class Colours:
    @classmethod
    def setup_class(cls):
        done = subprocess.run([PROGRAM, "models", "--json"], capture_output=True, check=True)
        cls.modes = {theory["name"]: [mode["name"] for mode in theory["modes"]]
                     for theory in json.loads(done.stdout)}

    def check_apart(self, colours, grey=APART_IN_GREY):
        for (one, first), (other, second) in itertools.combinations(colours.items(), 2):
            apart, lightness = vision.distances(first, second)
            assert apart > APART, (one, other)
            assert lightness > grey, (one, other)

    def test_the_modes_of_a_theory_differ_for_every_eye_and_in_grey(self):
        for theory, modes in self.modes.items():
            self.check_apart(colours_of(modes))

    def test_a_mode_with_a_colour_keeps_it_whatever_its_code_and_its_neighbours(self):
        for theory, modes in self.modes.items():
            for others in ([], invented(8)):
                for mode, colour in colours_of([*others, *modes]).items():
                    assert colour == looks.MODE_COLOURS.get(mode, colour), theory

    def test_a_new_mode_of_any_theory_needs_no_row(self):
        for theory, modes in {"new": [], **self.modes}.items():
            self.check_apart({**colours_of([*modes, *invented(8)]), "paper": NO_MODE,
                              "undefined": looks.UNDEFINED} if theory == "new" else
                             colours_of([*modes, *invented(8)]))

    def test_names_that_share_a_colour_do_not_share_it_in_one_theory(self):
        modes = ["slip", "gross_slip", "slide", "wedge", "gross_stick", "stick"]
        colours = colours_of(modes)
        self.check_apart(colours)
        assert colours["slip"] == looks.MODE_COLOURS["slip"]

    def test_a_mode_that_is_appended_changes_no_other_colour(self):
        for modes in ([], ["slip", "wedge"]):
            longest = colours_of([*modes, *invented(30)])
            for number in (1, 2, 10, 29):
                shorter = colours_of([*modes, *invented(number)])
                assert shorter == {mode: longest[mode] for mode in shorter}

    def test_many_categories_still_differ_for_every_eye(self):
        self.check_apart(colours_of(invented(38)), grey=-1)
