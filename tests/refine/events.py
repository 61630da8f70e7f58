"""Changes of the number of regions along an outer axis: what the table of events says beside a count in uniform maps."""
import h5py
import numpy as np
import scipy.ndimage

CONFIG = """model: compliant
choose: {{body: rod, law: linear}}
{refine}axes:
  - {{param: stiffness_ratio, from: 0.12, to: 0.34, points: {values}}}
  - {{param: angle, from: 0.5 deg, to: 85 deg{points}}}
  - {{param: velocity_ratio, from: 0.02, to: 4{points}}}
fixed: {{friction: 0.5}}
outputs: [mode]
"""
LEAST = 4  # nodes of a core
KINDS = ("born", "vanished", "merged", "split", "met", "parted", "exchanged")


def refined(depth, values, base=32):
    return CONFIG.format(refine=f"refine: {{base: {base}, depth: {depth}, audit: 0}}\n", values=values, points="")


def sharpened(depth, values, tolerance, base=32):
    return refined(depth, values, base).replace("audit: 0}", f"audit: 0, tolerance: {tolerance!r}}}")


def uniform_at(depth, values):
    """A uniform map at any values of the outer axis."""
    axis = "{param: stiffness_ratio, values: [" + ", ".join(repr(float(value)) for value in values) + "]}"
    head, _, rest = uniform(depth, 2).partition("  - {param: stiffness_ratio")
    return f"{head}  - {axis}\n" + rest.partition("\n")[2]


def uniform(depth, values):
    return CONFIG.format(refine="", values=values, points=f", points: {2**depth + 1}")


def cores_of(plane):
    """{code: number} of the connected nodes all of whose neighbours along the axes have their mode."""
    framed = np.pad(plane, 1, mode="edge")
    inner = np.ones(plane.shape, bool)
    for rows, columns in ((slice(2, None), slice(1, -1)), (slice(None, -2), slice(1, -1)),
                          (slice(1, -1), slice(2, None)), (slice(1, -1), slice(None, -2))):
        inner &= framed[rows, columns] == plane
    found = {}
    for code in np.unique(plane):
        parts, _ = scipy.ndimage.label(inner & (plane == code))
        found[int(code)] = int((np.bincount(parts.ravel())[1:] >= LEAST).sum())
    return found


def events_of(file):
    """The names of labels of a refined map, {name: code} of its modes, and the columns of its events."""
    codes = dict(zip(file["mode"].attrs["flag_meanings"].decode().split(), file["mode"].attrs["flag_values"]))
    table = {name.removeprefix("event_"): column[()] for name, column in file["events"].items()}
    return file.attrs["labels"].split(), codes, table


def changes_of(path):
    """{(step, code): change of the number of regions} that the events of a refined map add up to, and its events."""
    with h5py.File(path) as file:
        names, codes, table = events_of(file)
        assert file["events/event_kind"].attrs["flag_meanings"].decode().split() == list(KINDS)
        values = file["stiffness_ratio"][()]
    np.testing.assert_array_equal(table["stiffness_ratio_first"], values[table["refinement"] - 1])
    np.testing.assert_array_equal(table["stiffness_ratio_last"], values[table["refinement"]])
    sums = {}
    for step, label, change in zip(table["refinement"], table["label_1"], table["after"] - table["before"]):
        key = int(step), int(codes[names[label]])
        sums[key] = sums.get(key, 0) + int(change)
    return {key: change for key, change in sums.items() if change}, table


def brackets_of(path):
    """{(first, last): {code: change}} of the brackets of the events of a refined map."""
    with h5py.File(path) as file:
        names, codes, table = events_of(file)
    found = {}
    for first, last, label, change in zip(table["stiffness_ratio_first"], table["stiffness_ratio_last"], table["label_1"],
                                          table["after"] - table["before"]):
        changes = found.setdefault((float(first), float(last)), {})
        changes[int(codes[names[label]])] = changes.get(int(codes[names[label]]), 0) + int(change)
    return found


def counted(path):
    """The same from the planes of a uniform map."""
    with h5py.File(path) as file:
        planes = [cores_of(plane) for plane in file["mode"][()]]
    return {(step, code): change for step in range(1, len(planes)) for code in set(planes[step]) | set(planes[step - 1])
            if (change := planes[step].get(code, 0) - planes[step - 1].get(code, 0))}
