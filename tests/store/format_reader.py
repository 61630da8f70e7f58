"""A second reader of maps and histories, written from src/store/format.md with h5py and NumPy alone: nothing of the
program or of its Python package is used. `open(path)` returns a Map, refined maps and histories included."""
import hashlib

import h5py
import numpy as np

GROUPS = ("points", "refinements", "labels", "shares", "boundaries", "triangles", "junctions", "filaments", "regions",
          "borders", "events", "run")
PHASES = {1: "stick", 2: "slip-", 3: "slip+", 4: "partial-", 5: "partial+"}
WIDE = 1 << 52


class Refused(Exception):
    """The file is not of this format."""


def text(owner, name):
    value = owner.attrs.get(name)
    value = value.decode() if isinstance(value, bytes) else value
    return None if value is None else str(value).rstrip("\0")


def phases(code):
    bits, most = (3, 17) if code & WIDE else (2, 26)
    rest, found = code & ~WIDE, []
    while rest & ((1 << bits) - 1) and len(found) < most:
        found.append(PHASES[rest & ((1 << bits) - 1)])
        rest >>= bits
    return " ".join(found + ["..."] * (len(found) == most))


class Dataset:
    """One dataset: its name with that of its group, role, dimensions and values."""

    def __init__(self, name, stored):
        self.name, self.role = name, text(stored, "impactsweep_role")
        written = stored.id.get_storage_size()
        self.usable = stored.dtype.kind in "iuf" and written >= stored.size // 2048
        self.values = stored[()] if written else np.zeros(stored.shape, stored.dtype)
        self.unit, self.spacing = text(stored, "units"), text(stored, "spacing")
        self.distribution, self.formula = text(stored, "distribution"), text(stored, "formula")
        words = (text(stored, "flag_meanings") or "").split()
        self.flags = dict(zip(np.atleast_1d(stored.attrs.get("flag_values", [])).tolist(), words))
        self.dimensions = tuple(scales[0].name.lstrip("/") if len(scales) else name for scales in stored.dims)
        self.type_class = {"i": 0, "u": 0, "f": 1}.get(stored.dtype.kind)

    def word(self, value):
        """A value as the program prints it: a name, phases, or a number; None: undefined, or no label."""
        if self.flags:
            return self.flags.get(int(value))
        if self.name.split("/")[-1] in ("sequence", "point_sequence"):
            return phases(int(value))
        return float(value) if np.isfinite(value) else None


class Map:
    def __init__(self, file):
        self.format, self.history = (file.attrs.get(f"impactsweep_{word}") for word in ("format", "history"))
        if not (self.history == 1 if self.format is None else self.format in (1, 2)):
            raise Refused("neither a map of format 1 or 2 nor a history of format 1")
        self.attributes = {name: text(file, name) for name in file.attrs}
        self.datasets = {}
        self.collect(file, "")
        for group in GROUPS:
            if isinstance(file.get(group, getlink=True), h5py.HardLink) and isinstance(file[group], h5py.Group):
                self.collect(file[group], group + "/")
        self.is_refined = "points/point_outcome" in self.datasets
        self.marks = None if self.history else (self.of("outcome") or [self.datasets["points/point_outcome"]])[0]
        self.check_shapes()

    def collect(self, group, prefix):
        for link in group:
            if isinstance(group.get(link, getlink=True), h5py.HardLink) and isinstance(group[link], h5py.Dataset):
                dataset = Dataset(prefix + link, group[link])
                if dataset.usable:
                    self.datasets[dataset.name] = dataset

    def check_shapes(self):
        shape = (self.marks or self.of("axis")[0]).values.shape
        for one in self.of("output"):
            if one.values.shape[:len(shape)] != shape:
                raise Refused(f"{one.name} has not the shape of the grid")
        for one in self.of("axis") + self.of("column"):
            if one.values.shape != (self.sizes()[one.dimensions[0]],):
                raise Refused(f"{one.name} is not along a dimension of the grid")

    def of(self, *roles):
        return [one for one in self.datasets.values() if one.role in roles]

    def sizes(self):
        """{dimension: extent} of the grid."""
        grid = self.marks or self.of("axis")[0]
        return dict(zip(grid.dimensions, grid.values.shape))

    def run(self, name):
        return self.datasets[("run_" if self.format == 1 else "run/") + name].values

    def is_complete(self):
        return bool(self.run("complete") == 1)

    def sessions(self):
        """The sessions as dicts; a place without a start is free."""
        names = ("start", "end", "seconds", "ranks", "job")
        return [{name: self.run(name)[i].item() for name in names} for i in np.flatnonzero(self.run("start") > 0)]

    def census(self, name):
        """{word: number of cells} of a category; for all but the outcome, of marked cells."""
        dataset = self.datasets[name]
        marked = np.ones(dataset.values.shape, bool) if dataset is self.marks or self.history else self.marks.values > 0
        codes, counts = np.unique(dataset.values[marked], return_counts=True)
        return {dataset.flags[int(code)]: int(count) for code, count in zip(codes, counts)}

    def rows(self):
        """The table of all cells, in C order: {column: word}."""
        sizes = self.sizes()
        for cell in np.ndindex(*sizes.values()):
            at = dict(zip(sizes, cell))
            row = {one.name: one.word(one.values[at[one.dimensions[0]]]) for one in self.of("axis", "column")}
            for one in self.of("output", "outcome"):
                several = one.values.ndim > len(cell)
                for k, value in enumerate(np.atleast_1d(one.values[cell])):
                    row[one.name + (f"_{k + 1}" if several else "")] = one.word(value)
            yield row

    def table(self, group):
        """The rows of a group of findings, or of the marked points, by the names of their columns."""
        columns = [one for one in self.datasets.values()
                   if one.name.startswith(group + "/") and one.role in ("finding", "point")]
        taken = self.datasets["points/point_outcome"].values > 0 if group == "points" else slice(None)
        return {one.name.split("/")[1]: [one.word(value) if one.values.ndim == 1 else value.tolist()
                                         for value in one.values[taken]] for one in columns}

    def digest(self):
        hashed = hashlib.sha256()
        for name in sorted(self.datasets, key=str.encode):
            one = self.datasets[name]
            if one.role != "session":
                shape = one.values.shape
                head = [name, one.type_class, one.values.dtype.itemsize, len(shape), *shape]
                hashed.update(" ".join(map(str, head)).encode() + b"\0" + one.values.tobytes())
        return hashed.hexdigest()


def open(path):
    with h5py.File(path, "r", locking=False) as file:
        return Map(file)
