"""Random rectangles of rigid and compliant: junctions that a search finds against those of uniform maps. Of a map of more than
1,025 x 1,025 nodes those between nodes of one mode are left out: it is the flat grid of a refined map whose first cells are those of
1,025 x 1,025 nodes.

The walk of modes around a box of nodes that cannot be taken back step by step needs a junction inside, unless a strip of a
mode is narrower than the nodes. So such a box without a junction is mapped anew, closer and closer, before it counts as missed.
Around each junction that was found three modes must be seen in a small window."""
import numpy as np
import xarray

FIRST = 1025
LAWS = {"rigid": ["newton", "poisson", "energetic", "compromise"], "compliant": ["linear", "coupled"]}
RANGES = {"friction": (0.02, 1.9), "velocity_ratio": (-4, 4), "angle": (-1.5, 1.5), "inertia_coupling": (0.05, 0.97),
          "stiffness_ratio": (0.05, 3)}


def draw(seed):
    """A config without its axes, and the two parameters of the rectangle with their ranges."""
    source = np.random.default_rng(seed)
    theory = source.choice(["rigid", "compliant"])
    body, law = source.choice(["sphere", "rod", "general", "pendulum"]), source.choice(LAWS[theory])
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
    words = ", ".join(f"{name}: {value!r}" for name, value in fixed.items())
    return f"model: {theory}\nchoose: {{body: {body}, law: {law}}}\nfixed: {{{words}}}\n", over


def found(case, head, over):
    """The places of the junctions, their brackets, and the cell."""
    rows = "".join(f"    - {{param: {name}, from: {low!r}, to: {high!r}}}\n" for name, (low, high) in over.items())
    case.write("search.yaml", f"{head}axes: []\nsearch:\n  over:\n{rows}  find: junction\n  of: mode\n  max_roots: 64\n")
    case.good("run", "search.yaml", "-o", "search.h5", "--force", timeout=3600)
    with xarray.open_dataset(case.path("search.h5")) as data:
        data.load()
    n = int(data.root_count)
    assert n <= 64
    return np.array([data[f"at_{name}"].values.ravel()[:n] for name in over]).T.reshape(n, 2), data


def modes(case, head, over, points):
    refine = f"refine: {{base: {FIRST - 1}, depth: {(points - 1).bit_length() - 1}, audit: 0}}\n" if points > FIRST else ""
    size = "" if refine else f", points: {points}"
    rows = "".join(f"  - {{param: {name}, from: {low!r}, to: {high!r}{size}}}\n" for name, (low, high) in over.items())
    case.write("map.yaml", f"{head}{refine}axes:\n{rows}outputs: [mode]\n")
    case.good("run", "map.yaml", "-o", "map.h5", "--force", timeout=3600)
    with xarray.open_dataset(case.path("map.h5")) as data:
        return data.mode.transpose(*over).values


def is_forced(word):
    stack = []
    for label in [*word, word[0]]:
        if len(stack) > 1 and stack[-2] == label:
            stack.pop()
        elif not stack or stack[-1] != label:
            stack.append(label)
    return len(stack) > 1


def boxes(mode):
    """Boxes of nodes that need a junction inside: around connected blocks of four nodes with three modes."""
    blocks = np.sort(np.stack([mode[:-1, :-1], mode[1:, :-1], mode[:-1, 1:], mode[1:, 1:]]), axis=0)
    left = set(zip(*np.nonzero(((np.diff(blocks, axis=0) != 0).sum(0) >= 2) & (blocks[0] > 0))))
    last = mode.shape[0] - 1
    while left:
        todo, block = [left.pop()], []
        while todo:
            at = todo.pop()
            block.append(at)
            near = {(at[0] + i, at[1] + j) for i in range(-3, 4) for j in range(-3, 4)} & left
            left -= near
            todo += near
        (i0, j0), (i1, j1) = np.maximum(np.min(block, 0) - 1, 0), np.minimum(np.max(block, 0) + 2, last)
        way = [*mode[i0, j0:j1 + 1], *mode[i0:i1 + 1, j1], *mode[i1, j0:j1 + 1][::-1], *mode[i0:i1 + 1, j0][::-1]]
        if is_forced(way):
            yield (i0, i1), (j0, j1)


def missed(case, head, over, places, points, depth=0):
    """The windows that need a junction but have none among the places."""
    span = {name: high - low for name, (low, high) in over.items()}
    for ends in boxes(modes(case, head, over, points)):
        window = {name: (low + (a - 2) * span[name] / (points - 1), low + (b + 2) * span[name] / (points - 1))
                  for (name, (low, _)), (a, b) in zip(over.items(), ends)}
        window = {name: (max(low, over[name][0]), min(high, over[name][1])) for name, (low, high) in window.items()}
        inside = [place for place in places
                  if all(low <= value <= high for value, (low, high) in zip(place, window.values()))]
        if not inside:
            if depth == 3:
                yield window
            else:
                yield from missed(case, head, window, places, 201, depth + 1)


def wrong(case, head, over, places, data):
    """The junctions around which no window shows three modes."""
    for k, place in enumerate(places):
        for size in (1e-10, 1e-9, 1e-7, 1e-5):
            window = {}
            for value, (name, (low, high)) in zip(place, over.items()):
                half = max(size * (high - low), 2 * float(data[f"at_{name}_bracket"].values.ravel()[k]))
                window[name] = (max(low, value - half), min(high, value + half))
            if len(set(modes(case, head, window, 101).ravel().tolist()) - {0}) >= 3:
                break
        else:
            yield place


def check(case, seed, points):
    """How many junctions there are, and what they cost."""
    head, over = draw(seed)
    places, data = found(case, head, over)
    lost = list(missed(case, head, over, places, points))
    assert not lost or data.hidden > 0, (seed, head, over, lost, places)
    odd = list(wrong(case, head, over, places, data))
    assert not odd, (seed, head, over, odd)
    assert data.search_cells <= 20000 * (len(places) or 1), (seed, float(data.search_cells), len(places))
    return len(places), float(data.search_cells), len(lost)
