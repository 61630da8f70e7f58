#!/usr/bin/python3
"""Draws rooms.svg, the picture of the rooms, from the table in README.md beside it: `src/rooms.py` writes it anew."""
import os
import re

HERE = os.path.dirname(os.path.abspath(__file__))
WIDTH, STEP, BOX, HEIGHT, COLUMNS = 760, 84, 150, 42, (120, 380, 640)
TEXT, LINE, WAY, ASIDE = "#1a1a1a", "#5c5c5c", "#b9d8f2", "#f4f4f4"


def read(text):
    """{room: the rooms of its column `may use`} in the order of the table, and the rooms on the way of the data."""
    table = re.findall(r"^\| `(\w+)` \|.*\| ([^|]+) \|$", text, re.M)
    uses = {room: [one for one in re.findall(r"\w+", words) if one != "libc"] for room, words in table}
    way = re.search(r"way for the data: ([\w >-]+)", text)[1].split(" -> ")
    return uses, way


def levels(uses):
    """{room: its height}: one above the highest room that it uses."""
    height = {}
    for room, used in uses.items():
        height[room] = max(height.values()) + 1 if used == ["all"] else 1 + max(map(height.get, used), default=-1)
    return height


def places(uses):
    """{room: the middle of its box}. One room of a level is in the middle; of two, the one that uses more is left."""
    height = levels(uses)
    top, found = max(height.values()), {}
    for level in range(top + 1):
        rooms = sorted((room for room in uses if height[room] == level), key=lambda room: (-len(uses[room]), room))
        columns = {1: COLUMNS[1:2], 2: COLUMNS[::2]}.get(len(rooms), COLUMNS)
        for room, x in zip(rooms, columns, strict=True):
            found[room] = (x, 44 + STEP * (top - level))
    return found


def reach(uses, room):
    """The rooms that a room may use, by whatever way."""
    return set(uses[room]).union(*(reach(uses, one) for one in uses[room]))


def arrows(uses):
    """The pairs of rooms to join: those that no way over a third room joins already."""
    return [(room, used) for room, names in uses.items() for used in names if names != ["all"] and
            not any(used in reach(uses, other) for other in names)]


def arrow(room, used, at):
    (x1, y1), (x2, y2) = at[room], at[used]
    return (f'<path class="uses" data-from="{room}" data-to="{used}" d="M{x1:g},{y1 + HEIGHT / 2:g} '
            f'L{x2:g},{y2 - HEIGHT / 2 - 3:g}" fill="none" stroke="{LINE}" stroke-width="1.4" marker-end="url(#head)"/>')


def box(room, at, width, way, note=""):
    x, y = at
    number = f"{way.index(room) + 1} " if room in way else ""
    return (f'<g class="room" data-room="{room}"><rect x="{x - width / 2:g}" y="{y - HEIGHT / 2:g}" width="{width}" '
            f'height="{HEIGHT}" rx="5" fill="{WAY if number else ASIDE}" stroke="{LINE}"/><text x="{x:g}" y="{y + 6:g}" '
            f'font-size="18" text-anchor="middle">{number}<tspan font-weight="bold">{room}</tspan>{note}</text></g>')


def draw(text):
    uses, way = read(text)
    at = places(uses)
    bottom = max(y for _, y in at.values()) + 62
    lines = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {bottom}" width="{WIDTH}" height="{bottom}" '
             f'font-family="DejaVu Sans, Verdana, sans-serif" fill="{TEXT}">',
             "<title>The rooms of src, and which may use which</title>",
             '<defs><marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto">'
             f'<path d="M0,0 L8,4 L0,8 z" fill="{LINE}"/></marker></defs>',
             f'<rect width="{WIDTH}" height="{bottom}" fill="#ffffff"/>']
    lines += [arrow(room, used, at) for room, used in arrows(uses)]
    for room, place in at.items():
        everything = uses[room] == ["all"]
        lines.append(box(room, place, WIDTH - 90 if everything else BOX, way, ": may use all rooms below" * everything))
    lines.append(f'<text x="{WIDTH / 2:g}" y="{bottom - 14}" font-size="14" text-anchor="middle">A room may use all that '
                 f'arrows from it lead to. 1 to {len(way)}, blue: the way of the data.</text>')
    return "\n".join(lines + ["</svg>"]) + "\n"


def main():
    with open(os.path.join(HERE, "README.md"), encoding="utf-8") as file:
        picture = draw(file.read())
    with open(os.path.join(HERE, "rooms.svg"), "w", encoding="utf-8") as file:
        file.write(picture)


if __name__ == "__main__":
    main()
