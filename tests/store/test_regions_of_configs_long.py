"""Regions and borders of all refined configs are those of their flat grids: connected nodes of one label, by scipy."""
import glob
import os

import h5py
import numpy as np
import pytest
import scipy.ndimage
from support import Case

CONFIGS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "configs")
REFINED = [path for path in sorted(glob.glob(os.path.join(CONFIGS, "*.yaml")))
           if "\nrefine:" in open(path, encoding="utf-8").read()]


def labels_of(file):
    """The label of every node, refinements first, then the refined axes in their order."""
    words = file.attrs["fingerprint"]
    words = words.decode() if isinstance(words, bytes) else words
    dims = [dim[0].name.split("/")[-1] for dim in file["outcome"].dims]
    refined = [name for name in dims if f"\n{name}\trefined, " in words]
    outer = [k for k, dim in enumerate(dims) if dim not in refined]
    grid = [k for k, dim in enumerate(dims) if dim in refined]
    table = {name.removeprefix("label_"): column[()] for name, column in file["labels"].items() if name.startswith("label_")}
    values = [file[name][()] for name in table]
    label = np.full(file["outcome"].shape, -1, np.int32)
    for row in range(len(table["outcome"])):
        same = np.ones(label.shape, bool)
        for name, grid_values in zip(table, values):
            wanted = table[name][row]
            if name != "outcome" and table["outcome"][row] != 1:
                continue
            same &= np.isnan(grid_values) if wanted != wanted else grid_values == wanted
        label[same] = row
    assert (label >= 0).all()
    label = label.transpose(outer + grid)
    return label.reshape((-1,) + label.shape[len(outer):])


def parts_of(plane):
    """Number of the region of every node, in the order of their first nodes."""
    found, n = np.zeros(plane.shape, np.int64), 0
    for value in np.unique(plane):
        parts, more = scipy.ndimage.label(plane == value)
        found[parts > 0] = parts[parts > 0] + n
        n += more
    _, first, at = np.unique(found, return_index=True, return_inverse=True)
    place = np.empty(n, np.int64)
    place[np.argsort(first)] = np.arange(n)
    return place[at].reshape(plane.shape), n


def pairs_of(parts, n):
    """{(one, other): pairs of neighbouring nodes}"""
    found = {}
    for axis in range(parts.ndim):
        one, other = (np.moveaxis(parts, axis, 0)[ends] for ends in (slice(1, None), slice(None, -1)))
        differ = one != other
        code = np.minimum(one, other)[differ] * n + np.maximum(one, other)[differ]
        for key, count in zip(*np.unique(code, return_counts=True)):
            key = divmod(int(key), n)
            found[key] = found.get(key, 0) + int(count)
    return found


class Regions(Case):
    @pytest.mark.parametrize("config", REFINED, ids=lambda path: os.path.basename(path)[:-5])
    def test_regions_are_those_of_the_flat_grid(self, config):
        self.good("run", config, "-o", "x.h5", "--progress", "none", timeout=3000)
        check(self.path("x.h5"))


def check(path):
    with h5py.File(path) as file:
        regions = {name: column[()] for name, column in file["regions"].items() if name.startswith("region_")}
        borders = {name: column[()] for name, column in file["borders"].items()} if "borders" in file else {}
        for cell, plane in enumerate(labels_of(file)):
            parts, n = parts_of(plane)
            here = regions["region_refinement"] == cell if "region_refinement" in regions else slice(None)
            np.testing.assert_array_equal(regions["region_number"][here], np.arange(n))
            np.testing.assert_array_equal(regions["region_nodes"][here], np.bincount(parts.ravel()))
            _, first = np.unique(parts, return_index=True)
            np.testing.assert_array_equal(regions["region_label"][here], plane.ravel()[first])
            there = borders["border_refinement"] == cell if "border_refinement" in borders else slice(None)
            table = {} if not borders else {(int(one), int(other)): int(pairs) for one, other, pairs in zip(
                *(borders[f"border_{name}"][there] for name in ("one", "other", "pairs")))}
            assert table == pairs_of(parts, n)
