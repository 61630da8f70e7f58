"""Random rectangles of rigid and compliant: junctions that a search finds against those of uniform maps. Of a map of more than
1,025 x 1,025 nodes those between nodes of one mode are left out: its nodes are solved in cells of the 1,025 x 1,025 nodes whose corners
differ, in halves of such cells, and beyond the sides of halves whose ends differ.

The walk of modes around a box of nodes that cannot be taken back step by step needs a junction inside, unless a strip of a
mode is narrower than the nodes. So such a box without a junction is mapped anew, closer and closer, before it counts as missed.
Around each junction that was found three modes must be seen in a small window."""
from dataclasses import dataclass

import impactsweep
import numpy as np

FIRST = 1025
SIDES = ((0, 0), (0, 1), (1, 0), (1, 1))  # of a cell along the two axes
LAWS = {"rigid": ["newton", "poisson", "energetic", "compromise"], "compliant": ["linear", "coupled"]}
RANGES = {"friction": (0.02, 1.9), "velocity_ratio": (-4, 4), "angle": (-1.5, 1.5), "inertia_coupling": (0.05, 0.97),
          "stiffness_ratio": (0.05, 3)}


def search(find, head, one, other, of="mode", more=""):
    """A config that searches a rectangle; the head says all that is not of the search, one and other the parameters and ranges."""
    return f"{head}search:\n  over:\n    - {{param: {one}}}\n    - {{param: {other}}}\n  find: {find}\n  of: {of}\n{more}"


@dataclass
class Rectangle:
    """Two parameters with their ranges, in order; what else the cells have."""
    theory: str
    choices: dict
    fixed: dict
    over: dict

    def config(self):
        """The text of a search for its junctions."""
        def flow(values):
            return "{" + ", ".join(f"{name}: {value}" for name, value in values.items()) + "}"

        over = (f"{name}, from: {low!r}, to: {high!r}" for name, (low, high) in self.over.items())
        return search("junction", f"model: {self.theory}\nchoose: {flow(self.choices)}\nfixed: {flow(self.fixed)}\naxes: []\n", *over,
                      more="  max_roots: 64\n")

    def modes(self, *values):
        """The codes of the modes of cells with these values of the two parameters, 0 where there is none."""
        return impactsweep.solve(self.theory, **self.choices, **self.fixed, **dict(zip(self.over, values)),
                                 outputs=["mode"]).mode_code.values


def draw(seed):
    source = np.random.default_rng(seed)
    theory = str(source.choice(["rigid", "compliant"]))
    body, law = str(source.choice(["sphere", "rod", "general", "pendulum"])), str(source.choice(LAWS[theory]))
    fixed = {"restitution": round(source.uniform(0.1, 1), 3)} if law != "coupled" else {}
    if law == "compromise":
        fixed |= {"weight_poisson": 0.4, "weight_energetic": 0.6}
    absent = {"sphere": {"angle", "inertia_coupling"}, "rod": {"inertia_coupling"}, "general": set(),
              "pendulum": {"velocity_ratio", "inertia_coupling"}}[body]
    absent |= {"stiffness_ratio"} if theory == "rigid" else set()
    ranges = {name: span for name, span in RANGES.items() if name not in absent}
    if body == "pendulum":
        ranges["angle"] = (0.02, 1.5)
    names = list(ranges)
    source.shuffle(names)
    over = {}
    for name in names[:2]:
        low, high = np.sort(source.uniform(*ranges[name], 2))
        over[name] = (float(low), float(high)) if high - low > 0.1 * (ranges[name][1] - ranges[name][0]) else ranges[name]
    fixed |= {name: float(source.uniform(*ranges[name])) for name in names[2:]}
    return Rectangle(theory, {"body": body, "law": law}, fixed, over)


def found(case, rectangle):
    """The places of the junctions, and the cell."""
    data = case.made(rectangle.config(), timeout=3600)
    n = int(data.root_count)
    assert n <= 64
    return np.array([data[f"at_{name}"].values.ravel()[:n] for name in rectangle.over]).T.reshape(n, 2), data


class Map:
    """The modes of the nodes of a window, two ranges: all of the first ones, and of nodes between them, halved so often, those in
    or beside cells whose corners differ. `cells`: the smallest of these, by their lower corners."""
    UNKNOWN = -1

    def __init__(self, rectangle, window, first, halvings=0):
        self.rectangle, self.window, self.halvings, self.last = rectangle, window, halvings, (first - 1) << halvings
        self.mode = np.full((self.last + 1, self.last + 1), self.UNKNOWN, np.int8)
        nodes = np.stack(np.meshgrid(*[np.arange(first) << halvings] * 2, indexing="ij"), -1).reshape(-1, 2)
        self.solve(nodes)
        corners = self.corners(np.stack(np.meshgrid(*[np.arange(first - 1)] * 2, indexing="ij"), -1).reshape(-1, 2), halvings)
        self.cells = np.argwhere((corners != corners[:, :1]).any(1).reshape(first - 1, first - 1))
        for level in range(halvings - 1, -1, -1):
            self.cells = self.halve(level)

    def solve(self, nodes):
        values = [low + (high - low) * k / self.last for (low, high), k in zip(self.window, nodes.T)]
        self.mode[tuple(nodes.T)] = self.rectangle.modes(*values)

    def corners(self, cells, level):
        return np.stack([self.mode[(cells[:, 0] + i) << level, (cells[:, 1] + j) << level] for i, j in SIDES], 1)

    def halve(self, level):
        """The halves of the cells whose corners differ, and their neighbours beyond sides whose ends differ."""
        todo, mixed = (2 * self.cells[:, None] + np.array(SIDES)).reshape(-1, 2), [self.cells[:0]]
        seen = np.zeros((self.last >> level, self.last >> level), bool)
        while len(todo):
            seen[tuple(todo.T)] = True
            nodes = ((todo[:, None] + np.array(SIDES)).reshape(-1, 2)) << level
            nodes = nodes[self.mode[tuple(nodes.T)] == self.UNKNOWN]
            if len(nodes):
                self.solve(np.unique(nodes, axis=0))
            corners = self.corners(todo, level)
            mixed.append(todo[(corners != corners[:, :1]).any(1)])
            beyond = [todo[corners[:, a] != corners[:, b]] + way
                      for a, b, way in ((0, 1, (-1, 0)), (2, 3, (1, 0)), (0, 2, (0, -1)), (1, 3, (0, 1)))]
            todo = np.unique(np.concatenate(beyond), axis=0)
            todo = todo[((todo >= 0) & (todo < len(seen))).all(1)]
            todo = todo[~seen[tuple(todo.T)]]
        return np.concatenate(mixed)

    def at(self, i, j):
        """The modes of nodes; of one that was not solved that of the next coarser node below it, as its cell has one mode."""
        mode = self.mode[i, j]
        for level in range(1, self.halvings + 1):
            mode = np.where(mode == self.UNKNOWN, self.mode[i >> level << level, j >> level << level], mode)
        return mode.tolist()

    def way(self, low, high):
        """The modes on the way around a box."""
        i, j = np.arange(low[0], high[0] + 1), np.arange(low[1], high[1] + 1)
        return [*self.at(low[0], j), *self.at(i, high[1]), *self.at(high[0], j)[::-1], *self.at(i, low[1])[::-1]]

    def boxes(self):
        """Boxes of nodes that need a junction inside: around connected cells with three modes."""
        corners = np.sort(self.corners(self.cells, 0), 1)
        three = ((np.diff(corners, axis=1) != 0).sum(1) >= 2) & (corners[:, 0] > 0)
        left = set(map(tuple, self.cells[three].tolist()))
        while left:
            todo, block = [left.pop()], []
            while todo:
                at = todo.pop()
                block.append(at)
                near = {(at[0] + i, at[1] + j) for i in range(-3, 4) for j in range(-3, 4)} & left
                left -= near
                todo += near
            low, high = np.maximum(np.min(block, 0) - 1, 0), np.minimum(np.max(block, 0) + 2, self.last)
            if is_forced(self.way(low, high)):
                yield low, high

    def around(self, low, high):
        """The window of a box and two nodes more."""
        return [(max(first, first + (a - 2) * (last - first) / self.last), min(last, first + (b + 2) * (last - first) / self.last))
                for (first, last), a, b in zip(self.window, low, high)]


def is_forced(word):
    stack = []
    for label in [*word, word[0]]:
        if len(stack) > 1 and stack[-2] == label:
            stack.pop()
        elif not stack or stack[-1] != label:
            stack.append(label)
    return len(stack) > 1


def missed(of, places, depth=0):
    """The windows that need a junction but have none among the places."""
    for box in of.boxes():
        window = of.around(*box)
        if not any(all(low <= value <= high for value, (low, high) in zip(place, window)) for place in places):
            if depth == 3:
                yield window
            else:
                yield from missed(Map(of.rectangle, window, 201), places, depth + 1)


def wrong(rectangle, places, data):
    """The junctions around which no window shows three modes; a wedge of 1 % of a turn falls between few nodes."""
    for k, place in enumerate(places):
        for size in (1e-10, 1e-9, 1e-7, 1e-5):
            window = []
            for value, (name, (low, high)) in zip(place, rectangle.over.items()):
                half = max(size * (high - low), 2 * float(data[f"at_{name}_bracket"].values.ravel()[k]))
                window.append((max(low, value - half), min(high, value + half)))
            if any(len(set(Map(rectangle, window, nodes).mode.ravel().tolist()) - {0}) >= 3 for nodes in (21, 101, 201)):
                break
        else:
            yield place


@dataclass
class Verdict:
    """What a search has found in a rectangle; lost: windows in which a junction is missing."""
    places: np.ndarray
    data: object  # the cell
    lost: list
    declared: bool  # the search says that it may have missed some

    @property
    def junctions(self):
        return len(self.places)

    @property
    def cells(self):
        return float(self.data.search_cells)

    def is_dear(self):
        return self.cells > 20000 * max(self.junctions, 1)


def check(case, seed, points):
    """Nothing but junctions is found."""
    rectangle = draw(seed)
    places, data = found(case, rectangle)
    first = min(points, FIRST)
    of = Map(rectangle, list(rectangle.over.values()), first, ((points - 1) // (first - 1)).bit_length() - 1)
    lost = list(missed(of, places))
    odd = list(wrong(rectangle, places, data))
    assert not odd, (seed, rectangle, odd)
    return Verdict(places, data, lost, bool(data.hidden > 0))
