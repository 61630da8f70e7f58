"""Figures of refined maps: their curves are those of the file, regions are painted up to the curves, slices of surfaces
agree with maps of the plane, junctions, points, caption; and figures while the map is refined."""
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from folder import SharedFolderTest
import h5py
import numpy as np
from impactsweep.errors import InputError
from impactsweep.figures import against, baseline, cells, choose, command
from impactsweep.maps import contents, refined
from impactsweep.figures.kinds import map as plane
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.collections import LineCollection, QuadMesh
from matplotlib.legend import Legend
import pytest

PROGRAM = os.path.abspath(os.environ["IMPACTSWEEP"])
ROD = """model: compliant
choose: {body: rod, law: linear}
refine: {base: 32, boundary: 5e-4, audit: 200}
axes:
  - {param: angle, from: -89 deg, to: 89 deg}
  - {param: velocity_ratio, from: -5, to: 5}
fixed: {stiffness_ratio: 0.5, friction: 0.5}
outputs: [mode, energy_loss]
"""
# Strips of a mode end within another one, far from any third.
TIPS = """model: compliant
choose: {body: rod, law: dashpot}
refine: {depth: 9, boundary: 1e-3}
axes:
  - {param: angle, from: -85 deg, to: 85 deg}
  - {param: velocity_ratio, from: -3, to: 3}
fixed: {friction: 0.3, stiffness_ratio: 1.2, normal_damping_ratio: 0.2, tangential_damping_ratio: 0.1}
outputs: [mode]
"""
# Axes that fall, that have equal ratios, and another one between them.
SPACE = """model: compliant
choose: {body: rod, law: linear}
refine: {base: 16, boundary: 0.004, audit: 0}
axes:
  - {param: friction, from: 1.5, to: 0.1, spacing: log}
  - {param: stiffness_ratio, values: [1.21, 0.5]}
  - {param: angle, from: 5 deg, to: 85 deg}
  - {param: velocity_ratio, from: -2, to: 2}
outputs: [mode]
"""
# The second refinement lasts ten seconds and more.
LIVE = """model: 'null'
refine: {base: 16, depth: 6}
axes:
  - {param: cost, values: [0, 0.03]}
  - {param: x, from: 0, to: 3}
  - {param: y, from: 0.02, to: 0.01, spacing: log}
outputs: [mode, value]
"""
FALLING = ROD.replace("from: -5, to: 5", "from: 5, to: -5")
RATIOS = ROD.replace("from: -89 deg, to: 89 deg", "from: 3 deg, to: 80 deg, spacing: log")
LAWS = ROD.replace(", law: linear", "").replace(
    "fixed", "  - {param: law, values: [linear, coupled]}\nfixed")


refined.FINE = 600  # for the sake of time


class Figures(SharedFolderTest):
    def compute(self, name, text, *options, code=0):
        with open(self.path(f"{name}.yaml"), "w", encoding="utf-8") as file:
            file.write(text)
        done = subprocess.run([PROGRAM, "run", f"{name}.yaml", "-o", f"{name}.h5", "--progress",
                               "none", *options], cwd=self.folder, stdout=subprocess.DEVNULL)
        assert done.returncode == code
        return self.path(f"{name}.h5")

    def draw(self, path, *words):
        """The figure of a file."""
        kind, options = self.options(path, words)
        return command.make(kind, options, [])

    def picture(self, path, *words):
        return plane.load(self.options(path, words)[1], [])

    def options(self, path, words):
        choice = choose.choose(path, words)
        kind = choose.KINDS[choice.kind]
        return kind, command.parser_of("plot.py", kind).parse_args([path, *choice.words, *words])

    def texts_of(self, figure):
        return " ".join(text.get_text() for text in figure.texts).replace("\n", " ")

    def wrong_part(self, picture, text, **fixed):
        """Of the cells of a picture whose mode a map of the same plane has otherwise."""
        names = [axis.name for axis in picture.axes]
        values = [np.radians(axis.values) if axis.degrees else axis.values for axis in picture.axes]
        lines = [line for line in text.split("\n") if not line.startswith(("refine", "axes", "  - "))]
        every = [value[::3] for value in values]
        axes = "".join(f"  - {{param: {name}, values: [{', '.join(map(repr, value.tolist()))}]}}\n"
                       for name, value in zip(names, every))
        held = ", ".join(f"{name}: {value!r}" for name, value in fixed.items())
        if held:
            lines.append(f"fixed: {{{held}}}")
        with h5py.File(self.compute("uniform", "\n".join(lines) + "\naxes:\n" + axes, "--force")) as file:
            return np.mean(file["mode"][()].T != picture.values[::3, ::3])

    def test_curves_are_those_of_the_file(self):
        path = self.compute("rod", ROD)
        figure = self.draw(path)
        with h5py.File(path) as file:
            table = file["boundaries"]
            places = np.stack([np.degrees(table["boundary_angle"][()]),
                               table["boundary_velocity_ratio"][()]], axis=1)
            number = table["boundary_number"][()]
            wanted = [places[number == one] for one in np.unique(number)]
            junctions = np.stack([np.degrees(file["junctions/junction_angle"][()]),
                                  file["junctions/junction_velocity_ratio"][()]], axis=1)
            junctions = junctions[file["junctions/junction_labels"][()] > 2]
            solved, filaments = len(file["points/point_outcome"]), len(file["filaments/filament"])
        drawn, strips = sorted((one.get_segments() for one in figure.axes[0].collections if isinstance(one, LineCollection)),
                               key=len, reverse=True)
        assert len(strips) == filaments
        assert len(drawn) == len(wanted)
        for one, other in zip(drawn, wanted):
            np.testing.assert_array_equal(one, other)
        dots = [line.get_xydata() for line in figure.axes[0].lines]
        np.testing.assert_array_equal(dots, [junctions])
        assert len(junctions) > 3
        figure = self.draw(path, "--solved-points")
        assert {len(line.get_xydata()) for line in figure.axes[0].lines} == {len(junctions), solved}

    def test_tips_of_strips_are_no_junctions(self):
        path = self.compute("tips", TIPS)
        with h5py.File(path) as file:
            labels = file["junctions/junction_labels"][()]
        assert (labels == 2).any()
        marks, = (line.get_xydata() for line in self.draw(path).axes[0].lines)
        assert len(marks) == (labels > 2).sum()

    @pytest.mark.parametrize("words", [(), ("--field", "energy_loss")], ids=["modes", "values"])
    @pytest.mark.parametrize("text, is_even", [(ROD, True), (FALLING, True), (RATIOS, False)],
                             ids=["linear", "falling", "logarithmic"])
    def test_an_image_looks_like_a_mesh(self, monkeypatch, text, is_even, words):
        path, seen = self.compute("both", text, "--force"), []
        for most, is_image in ((0, is_even), (refined.FINE ** 2, False)):
            monkeypatch.setattr(cells, "MOST_IN_A_MESH", most)
            figure = self.draw(path, *words)
            assert bool(figure.axes[0].images) == is_image
            assert any(isinstance(one, QuadMesh) for one in figure.axes[0].collections) != is_image
            canvas = FigureCanvasAgg(figure)
            canvas.draw()
            seen.append(np.asarray(canvas.buffer_rgba())[:, :, :3].astype(np.int16))
        height, width = seen[0].shape[:2]
        rows, columns = np.nonzero((abs(seen[0] - seen[1]) > 24).any(2))
        around = [seen[1][(rows + down) % height, (columns + aside) % width] for down in (-1, 0, 1) for aside in (-1, 0, 1)]
        different = (abs(seen[0][rows, columns] - np.stack(around)) > 24).any(2).all(0)  # from every pixel around
        assert different.sum() / (height * width) < 1e-4, different.sum()

    def test_numbers_of_regions(self):
        path = self.compute("numbers", ROD)
        with h5py.File(path) as file:
            numbers = file["regions/region_number"][()].tolist()
            places = np.stack([np.degrees(file["regions/region_angle"][()]),
                               file["regions/region_velocity_ratio"][()]], axis=1)
            area = file["regions/region_area"][()]
        written = {text.get_text(): text.get_position() for text in self.draw(path, "--region-numbers").axes[0].texts}
        assert len(written) > 3 and str(numbers[int(np.argmax(area))]) in written and set(written) <= set(map(str, numbers))
        for number, place in zip(numbers, places):
            if str(number) in written:
                np.testing.assert_array_equal(written[str(number)], place)
        assert not set(map(str, numbers)) & {text.get_text() for text in self.draw(path).axes[0].texts}

    @pytest.mark.parametrize("find", ["junction", "turning"])
    @pytest.mark.parametrize("names", [("angle", "friction"), ("friction", "angle")])
    def test_marks_of_a_search_are_at_its_places(self, find, names):
        """Turning points point to where the first parameter of the search is larger, or smaller, than beside them."""
        spans = {"angle": "from: 1 deg, to: 89 deg", "friction": "from: 0.02, to: 2"}
        rows = "".join(f"  - {{param: {name}, {spans[name]}}}\n" for name in ("angle", "friction"))
        over = "".join(f"    - {{param: {name}, {spans[name]}}}\n" for name in names)
        head = "model: compliant\nchoose: {body: rod}\nfixed: {velocity_ratio: 0.5, stiffness_ratio: 0.4}\n"
        path = self.compute("under", f"{head}refine: {{base: 32, boundary: 1e-3, audit: 0}}\naxes:\n{rows}outputs: [mode]\n", "--force")
        search = self.compute("search", f"{head}axes: []\nsearch:\n  over:\n{over}  find: {find}\n  of: mode\n", "--force")
        with h5py.File(search) as file:
            n = int(file["root_count"][()])
            places = np.stack([np.degrees(file["at_angle"][:n]), file["at_friction"][:n]], axis=1)
            kinds = file["turning_kind"][:n] if find == "turning" else np.zeros(n)
        axes = self.draw(path, "--over", search).axes[0]
        drawn = {line.get_marker(): line.get_xydata() for line in axes.lines if line.get_marker() in "D<>^v"}
        codes = {"D": 0} if find == "junction" else {">": 1, "<": 2} if names[0] == "angle" else {"^": 1, "v": 2}
        assert n > 0 and set(drawn) == {marker for marker, code in codes.items() if code in kinds}
        for marker, places_drawn in drawn.items():
            np.testing.assert_array_equal(places_drawn[~np.isnan(places_drawn[:, 0])], places[kinds == codes[marker]])
        assert (axes.get_xlim(), axes.get_ylim()) == ((1, 89), (0.02, 2))
        assert ("junctions" if find == "junction" else f"turning points: largest {names[0]}") in \
            [text.get_text().replace("\n", " ") for legend in axes.figure.findobj(Legend) for text in legend.get_texts()]

    def search_over(self, outer, values, fixed):
        """A search for the junctions of a rod over the plane of ROD, along one more axis."""
        over = "".join(f"    - {{param: {name}, {span}}}\n" for name, span in (
            ("angle", "from: -89 deg, to: 89 deg"), ("velocity_ratio", "from: -5, to: 5")))
        return self.compute("along", "model: compliant\nchoose: {body: rod, law: linear}\nsearch:\n  over:\n" + over + (
            f"  find: junction\n  of: mode\naxes:\n  - {{param: {outer}, values: {values}}}\nfixed: {{{fixed}}}\n"
            "outputs: [at_angle, at_velocity_ratio, root_count]\n"), "--force")

    def marks(self, figure):
        """[places] of the marks of a search, and the texts of the legend."""
        lines = [line.get_xydata() for line in figure.axes[0].lines if line.get_marker() == "D"]
        return [line[~np.isnan(line[:, 0])] for line in lines], [
            text.get_text().replace("\n", " ") for legend in figure.findobj(Legend) for text in legend.get_texts()]

    def stored(self, path, row):
        with h5py.File(path) as file:
            n = int(file["root_count"][row])
            return np.stack([np.degrees(file["at_angle"][row, :n]), file["at_velocity_ratio"][row, :n]], axis=1)

    def test_marks_of_a_search_are_those_at_the_value_of_the_map(self):
        """The search runs over the friction too, of which the map has one value."""
        path = self.compute("at", ROD.replace("boundary: 5e-4, audit: 200", "boundary: 1e-2, audit: 0"), "--force")
        search = self.search_over("friction", "[0.8, 0.5, 0.3]", "stiffness_ratio: 0.5")
        marks, texts = self.marks(self.draw(path, "--over", search))
        assert "junctions" in texts and len(marks) == 1 and len(marks[0]) > 3
        np.testing.assert_array_equal(marks[0], self.stored(search, 1))
        search = self.search_over("friction", "[0.4, 0.6]", "stiffness_ratio: 0.5")
        with pytest.raises(InputError, match=r"has nothing at friction 0\.5, where the map is; it has friction 0\.4, 0\.6"):
            self.draw(path, "--over", search)

    def test_marks_of_a_search_are_those_at_the_slice_of_the_map(self):
        path = self.compute("cut", ROD.replace("refine: {base: 32, boundary: 5e-4, audit: 200}\n", "").replace(
            "axes:\n", "axes:\n  - {param: friction, from: 0.1, to: 0.9, points: 9}\n").replace(", friction: 0.5", "").replace(
            "deg}", "deg, points: 30}").replace("to: 5}", "to: 5, points: 30}"), "--force")
        search = self.search_over("friction", "[0.3, 0.7]", "stiffness_ratio: 0.5")
        for row, friction in enumerate(("0.3", "0.7")):  # the map has 0.30000000000000004
            marks, _ = self.marks(self.draw(path, "--slice", f"friction={friction}", "--over", search))
            np.testing.assert_array_equal(np.concatenate(marks), self.stored(search, row))

    @pytest.mark.parametrize("values, texts", [
        ([0.3, 0.5], ["junctions, stiffness ratio 0.3", "junctions, stiffness ratio 0.5"]),
        ([0.5, 0.6, 0.7, 0.8, 0.4], ["junctions, stiffness ratio 0.4 to 0.8"])], ids=["few", "many"])
    def test_marks_along_a_parameter_that_the_map_lacks_are_named(self, values, texts):
        path = self.compute("rigid", ROD.replace("model: compliant", "model: rigid").replace("law: linear", "law: poisson").replace(
            "stiffness_ratio", "restitution").replace("boundary: 5e-4, audit: 200", "boundary: 1e-2, audit: 0"), "--force")
        search = self.search_over("stiffness_ratio", values, "friction: 0.5")
        figure = self.draw(path, "--over", search)
        marks, told = self.marks(figure)
        assert [text for text in told if text.startswith("junctions, ")] == texts
        assert len({line.get_color() for line in figure.axes[0].lines if line.get_marker() == "D"}) == len(texts)
        np.testing.assert_array_equal(np.concatenate(marks), np.concatenate([self.stored(search, row) for row in range(len(values))]))

    @pytest.mark.parametrize("words, text", [((), ROD), ((), LAWS)])
    def test_the_caption_says_bound_audit_and_base(self, words, text):
        figure = self.draw(self.compute("caption", text, "--force"), *words)
        caption = self.texts_of(figure)
        points = 400 if text is LAWS else 200
        assert re.search(rf"within 0\.0005 of each range.* 0 of {points} random points wrong; "
                         r"less than 1\.5 % .*95 %.*1/32 ", caption)

    def test_the_caption_says_that_the_budget_ended_it(self):
        figure = self.draw(self.compute("budget", ROD.replace("audit", "budget: 2000, audit")))
        assert "The budget of points ended the refinement" in self.texts_of(figure)
        lines, = (one for one in figure.axes[0].collections if isinstance(one, LineCollection))
        assert lines.get_segments()

    @pytest.mark.parametrize("text, words", [(ROD, ()), (ROD, ("--x", "velocity_ratio")), (FALLING, ()),
                                             (FALLING, ("--x", "velocity_ratio")), (RATIOS, ())])
    def test_regions_end_at_the_curves(self, text, words):
        picture = self.picture(self.compute("regions", text, "--force"), *words)
        assert len(picture.axes[0].values) == refined.FINE
        assert self.wrong_part(picture, text) < 1e-3

    def test_slices_of_surfaces_agree_with_maps_of_the_plane(self):
        path = self.compute("space", SPACE)
        with contents.open_map(path) as data:
            held = {"friction": data["friction"].values[5], "velocity_ratio": data["velocity_ratio"].values[9],
                    "angle": data["angle"].values[6]}
        for name, value in held.items():
            for ratio in (1.21, 0.5):
                picture = self.picture(path, f"--slice={name}={value!r}",
                                       f"--slice=stiffness_ratio={ratio}")
                assert len(picture.found.segments) > 20
                assert self.wrong_part(picture, SPACE, stiffness_ratio=ratio, **{name: float(value)}) < 1e-2

    @pytest.mark.parametrize("text, words", [(FALLING, ()), (FALLING, ("--x", "velocity_ratio")),
                                             (SPACE, ("--slice=angle=30deg", "--slice=stiffness_ratio=0.5"))])
    def test_maps_of_older_versions_are_painted_alike(self, text, words):
        """Their sides hold on the lattice: with a falling axis what is left there is right in values."""
        path = self.compute("new", text, "--force")
        wanted = self.picture(path, *words)
        with h5py.File(path, "r+") as file:
            del file.attrs["sides"]
            names = (("boundaries/boundary_left", "boundaries/boundary_right") if text is FALLING else
                     ("triangles/triangle_below", "triangles/triangle_above"))
            values = [file[name][()] for name in names]
            for name, value in zip(names, values[::-1]):
                file[name][...] = value
        picture = self.picture(path, *words)
        np.testing.assert_array_equal(picture.values, wanted.values)
        np.testing.assert_array_equal(picture.found.left, wanted.found.left)
        assert len(np.unique(picture.found.left)) > 1

    @pytest.mark.parametrize("on", ["mode", "[mode, {output: energy_loss, level: 0.2}]"], ids=["no level", "level"])
    def test_a_real_output_is_that_of_its_points(self, on):
        path = self.compute("field", ROD.replace("audit: 200", f"audit: 200, depth: 7, on: {on}"), "--force")
        with contents.open_map(path) as data, h5py.File(path) as file:
            grid = data["energy_loss"].values
            lattice, known = file["points/point_lattice"][()] / 2**24, file["points/point_energy_loss"][()]
            here = np.all(lattice == np.floor(lattice), axis=1)
            place = tuple(lattice[here].astype(int).T)
            np.testing.assert_array_equal(grid[place], known[here])
            assert np.isfinite(grid).all()
            assert len(np.setdiff1d(grid, known)) > 1000  # values between those of neighbours
        assert self.picture(path, "--field", "energy_loss").found.lines

    def test_every_field_can_be_read(self):
        """Also where an output has a dimension of its own, whose numbers stand beside the points."""
        with contents.open_map(self.compute("fields", ROD.replace("energy_loss]", "energy_loss, slip_loss]"))) as data:
            for name in contents.fields_of(data):
                assert data[name].load().size > 1

    @pytest.mark.parametrize("words", [(), ("--slice", "friction=0.6"), ("--as", "multiples")], ids=["panels", "slice", "multiples"])
    def test_an_output_that_is_a_list_beside_another_axis(self, words):
        """The numbers of the list stand in the group of the points, which have a refinement each."""
        path = self.compute("list", ROD.replace("mode, energy_loss", "mode, slip_loss").replace("friction: 0.5", "mass: 1").replace(
            "axes:\n", "axes:\n  - {param: friction, values: [0.3, 0.6]}\n").replace("5e-4, audit: 200", "1e-2, audit: 0"), "--force")
        with h5py.File(path) as file:
            rows = [np.count_nonzero(file["points/point_refinement"][()] == cell) for cell in (0, 1)]
            assert "slip" in file["points"] and len(file["points/slip"]) < min(rows)
        done = subprocess.run([sys.executable, os.path.join(ROOT, "postprocess", "plot.py"), path, *words, "-o", self.path("list.png")],
                              stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        assert (done.returncode, os.path.exists(self.path("list.png"))) == (0, True), done.stderr
        if "--slice" in words:
            assert len(self.picture(path, *words).found.points) == rows[1]

    def test_differences_from_a_uniform_map(self):
        with contents.open_map(self.compute("beside", ROD)) as data:
            text = re.sub("refine: .*\n", "", ROD)
            for axis in ("angle", "velocity_ratio"):
                text = re.sub(rf"({axis}, .*)}}", rf"\1, points: {data.sizes[axis]}}}", text)
            found = against.taken(data, baseline.Against(self.compute("even", text)), ["mode"])
            assert found["mode"].shape == data["mode"].shape
            assert contents.flags_of(found["mode"])[1] == "the_same" and (found["mode"].values == 1).mean() > 0.999

    def test_while_it_is_refined(self):
        path = self.compute("live", LIVE, "--time-limit", "3s", code=75)
        for words in ((), ("--slice", "cost=0.03"), ("--field", "value", "--slice", "cost=0")):
            figure = self.draw(path, *words)
            assert "not at its end" in self.texts_of(figure)
        whole = self.compute("whole", LIVE.replace("0.03", "1e-9"))
        with contents.open_map(path) as live, contents.open_map(whole) as wanted:
            assert live["mode"].dims == ("cost", "x", "y")
            np.testing.assert_allclose(live["y"], wanted["y"], rtol=1e-14)
            np.testing.assert_array_equal(live["mode"][0], wanted["mode"][0])
            pending = live["outcome"].values[1] == 0
            assert 0 < np.mean(pending) < 1
