"""Where the regions of a map begin along the first parameter: an independent way to the turning points of the boundaries of its
values. Column by column connected nodes of one value are followed; those that begin within the map must begin at an extreme of
their boundary."""
from dataclasses import dataclass

import junctions
import numpy as np

REACH = 16  # columns that a region must go on by itself; and the tip of a narrow one may be so many before the first that shows it
WIDE = 8  # nodes: where more begin at once and hardly more follow, the boundary is straight along the column
NARROW = 4  # nodes: the grid takes a narrower strip to pieces


@dataclass
class Region:
    """Connected nodes of one value, up to the column at hand."""
    column: int  # where it begins
    low: int  # the nodes of its first column, from low on and below high
    high: int
    widest: int
    last: int = 0  # column in which it ends, meets an older one or the edge
    heir: object = None  # the older region that it has met

    def now(self):
        return self if self.heir is None else self.heir.now()


def runs_of(column):
    """(value, first node, node after the last) of a column's stretches of one value."""
    starts = np.concatenate([[0], np.flatnonzero(np.diff(column)) + 1])
    return list(zip(column[starts].tolist(), starts.tolist(), [*starts[1:].tolist(), len(column)]))


def join(regions, column):
    """The oldest of some regions, which the others end in."""
    oldest, *others = sorted({id(one): one for one in regions}.values(), key=lambda one: one.column)
    for other in others:
        other.heir, other.last = oldest, other.last or column
    return oldest


def regions_of(mode):
    """All regions of a map, nodes in rows of one value of the first parameter."""
    before, every = [], []
    for number, column in enumerate(mode):
        now = []
        for value, low, high in runs_of(column):
            touched = [region.now() for region, other, start, end in before if other == value and start <= high and end >= low]
            if not touched:
                every.append(Region(number, low, high, 0))
                touched = every[-1:]
            region = join(touched, number)
            region.widest = max(region.widest, high - low if number < region.column + REACH else 0)
            if (low == 0 or high == len(column)) and not region.last:
                region.last = number
            now.append((region, value, low, high))
        going_on = {id(region.now()) for region, *_ in now}
        for region in (region.now() for region, *_ in before):
            if id(region) not in going_on:
                region.last = region.last or number
        before = [(region.now(), *place) for region, *place in now]
    for region in every:
        region.last = region.last or len(mode)
    return every


def is_straight(region):
    width = region.high - region.low
    return width > WIDE and 2 * width > region.widest


def beginnings(mode):
    """(column, low, high) of the regions that begin within a map at one place, and go on by themselves."""
    return [(one.column, one.low, one.high) for one in regions_of(mode)
            if one.column > 0 and one.last - one.column >= REACH and one.widest >= NARROW and not is_straight(one)]


def lost(mode, places):
    """The beginnings, from either side of the first parameter, close to which there is none of some places, parts of the ranges; and
    how many beginnings there are."""
    without, count, last = [], 0, len(mode) - 1
    for way in (1, -1):
        for column, low, high in beginnings(mode[::way]):
            at = column if way == 1 else last - column
            ahead, beside = (places[:, 0] * last - at) * way, places[:, 1] * (mode.shape[1] - 1)
            near = (ahead <= 2) & (ahead >= -REACH) & (beside >= low - REACH / 2) & (beside <= high + REACH / 2)
            count += 1
            if not near.any():
                without.append((way, at / last, low / mode.shape[1], high / mode.shape[1]))
    return without, count


@dataclass
class Verdict:
    """What a search for turning points has found in a rectangle; lost: beginnings of regions without one."""
    points: int
    cells: float
    ends: int
    lost: list
    declared: bool  # the search says that it may have missed some


def check(case, rectangle, points):
    """Against a map of so many nodes along each parameter."""
    data = case.made(rectangle.config().replace("find: junction", "find: turning"), timeout=3600)
    n = min(int(data.root_count), data.sizes["root_number"])
    places = np.array([(data[f"at_{name}"].values.ravel()[:n] - low) / (high - low)
                       for name, (low, high) in rectangle.over.items()]).T.reshape(n, 2)
    mode = junctions.Map(rectangle, list(rectangle.over.values()), points).mode
    without, count = lost(mode, places)
    return Verdict(n, float(data.search_cells), count, without, bool(data.hidden > 0))
