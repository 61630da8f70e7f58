"""Draws histories of cells, as `impactsweep trace` writes them.

Panels over the first column, time or impulse: by default the forces (or impulses) with the limits of
friction, and the velocities; --panels asks for others, and for planes. Contact phases are shaded behind
one history; several are told apart by colours and dashes, and dots mark where their phases change.
"""
import numpy as np
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.ticker import MaxNLocator

from .. import command, frame, groups, histories, inertia, labels, looks, panels, psi, scales, settings
from ..labels import spaced
from ..wrapping import wrapped

# Lines that stand out on every shade, and differ in a grey print too.
LINES = ((looks.BLUE, "-"), (looks.RED, "--"), (looks.BLACK, "-."), (looks.GREEN, ":"),
         (looks.DARK, (0, (8, 2))), ("#661100", (0, (5, 1, 1, 1, 1, 1))), ("#CC6677", "-"),
         ("#E69F00", (0, (3, 1, 1, 1, 1, 1, 1, 1))))
COMPONENTS = {"tangential": LINES[0], "normal": LINES[1], "axis 1": LINES[2], "axis 2": LINES[3]}
ENVELOPE = "#8C8C8C"
# Shades of the phases, that of stick and then by their number in the theory's table; they differ in grey too.
SHADES = ("#D0D0D0", "#CFE3F7", "#FFF4E3", "#CFE0B8", "#F6DDEA", "#F8F5D0")
UNKNOWN_PHASE = "#FFFFFF"
EVENT_STYLES = (":", (0, (1, 1)), (0, (5, 2)), (0, (3, 1, 1, 1)))
EVENT_MARKERS = "Dsv^*P"
HEIGHTS = {"one": 1.6, "two": 2.0}  # inches, of a frame
USES = {"label", "limits", "over"}
LEGEND_WIDTH = 1.7  # inches
MOST_IN_ONE_COLUMN, MOST_WITH_LIMITS = 3, 2


# ------------------------------------------------------------------------------ what is drawn

def title_of(several):
    """What the histories share, with the parameters of the motion even where they have their defaults."""
    title, first = labels.readable(histories.common_title(several)), several[0]
    for name in (*labels.MOTION, psi.FIRST):
        value = first.inputs.get(name)
        shared = all(one.inputs.get(name) == value for one in several)
        if shared and isinstance(value, tuple) and np.isfinite(value[0]) and f", {spaced(name)} " not in title:
            title += f", {spaced(name)} {labels.number_text(*value)}"
    return labels.filled(title)


def limits_of(history, names):
    """Half the height of the friction cone along the history; None without friction or the forces."""
    tangential = [name for name in names if name.startswith("tangential_")
                  and (panels.is_force(name) or panels.is_impulse(name))]
    normal = tangential[0].replace("tangential", "normal") if tangential else ""
    if history.number("friction") is None or normal not in history.columns:
        return None
    return history.number("friction") * np.abs(panels.values_of(history, normal))


def runs_of(history):
    """[(phase, start, end)] along the history; a run ends where the next one begins."""
    along, runs = along_of(history), []
    for place, phase in enumerate(history.phases):
        if not runs or phase != runs[-1][0]:
            runs.append([phase, along[place], along[place]])
            if len(runs) > 1:
                runs[-2][2] = along[place]
        runs[-1][2] = along[place]
    return [tuple(run) for run in runs]


def along_name(history):
    name = f"{history.along}_si"
    return name if name in history.columns else history.along


def along_of(history):
    return panels.values_of(history, along_name(history))


def shade_of(history, phase):
    if phase not in history.phase_names:
        return UNKNOWN_PHASE
    order = sorted(history.phase_names, key=lambda name: name != "stick")
    return SHADES[order.index(phase) % len(SHADES)]


def marked_events(history):
    """{name: rows} of events that the shades do not show already."""
    along, found = along_of(history), {}
    edges = {edge for _, start, end in runs_of(history) for edge in (start, end)}
    for row, name in enumerate(history.events):
        if name and along[row] not in edges:
            found.setdefault(name, []).append(row)
    return found


def changes_of(history):
    """The rows at which a new phase begins."""
    return [row for row in range(1, len(history.phases)) if history.phases[row] != history.phases[row - 1]]


# ------------------------------------------------------------------------------------- drawing

@looks.styled
def draw(several, words=None):
    asked, parts = settings.now(), panels.panels_of(several, words)
    figure = frame.new_figure()
    grid = grid_of(figure, len(parts))
    names = histories.differences(several) if len(several) > 1 else [""]
    sheet = frame.Sheet(figure, grid, HEIGHTS[asked.size])
    lines, handles = looks_of(several, names, parts), {}
    for ax, panel in zip(grid.ravel(), parts):
        draw_part = draw_plane if panel.is_plane else draw_panel
        for entry in draw_part(ax, several, names, panel, lines):
            handles.setdefault(entry.get_label(), entry)
    for ax in grid.ravel()[len(parts):]:
        ax.axis("off")
    label_times(grid, several, parts)
    figure.suptitle(title_of(several))
    phases = phase_handles(several, parts)
    shown = {entry.get_label() for entry in phases}
    own = {wrapped(name, LEGEND_WIDTH) for name in names}
    entries = [*(entry for label, entry in sorted(handles.items(), key=lambda pair: pair[0] not in own)
                 if label not in shown), *phases]
    sheet.legends.append(frame.legend_under(grid[0, 0], entries, handleheight=1.1))
    frame.add_caption(sheet, meanings(several, parts))
    return frame.fit(sheet)


def grid_of(figure, number):
    """Panels one below the other; more than three of a wide figure in two columns."""
    wide = settings.now().size == "two" and number > MOST_IN_ONE_COLUMN
    columns = 2 if wide else 1
    return figure.subplots(-(-number // columns), columns, squeeze=False)


def label_times(grid, several, parts):
    """The names of time under the lowest panel over time of each column of panels; the same ends in all."""
    rows, columns = grid.shape
    over_time = {(place // columns, place % columns) for place, panel in enumerate(parts) if not panel.is_plane}
    factor, text = panels.scale_of(several, [along_name(several[0])])
    ends = [factor * part for one in several for part in along_of(one)[[0, -1]]]
    low, high = min(ends), max(ends)
    limits = labels.shown_limits(several[0].along, False)
    for row, column in sorted(over_time):
        ax = grid[row, column]
        ax.set_xlim(low, high if high > low else low + 1)
        if limits:
            ax.set_xlim(*(factor * end for end in limits))
        if (row + 1, column) in over_time:
            ax.tick_params(labelbottom=False)
        else:
            ax.set_xlabel(panels.name_of(several[0], along_name(several[0])) + text)
        if (row - 1, column) not in over_time:
            add_plain(ax, "x", several, [along_name(several[0])], several[0].along, factor)


def add_plain(ax, direction, several, names, called, factor):
    """The scale without unit on the far side of an axis in SI, where the histories have both."""
    ratio = panels.plain_ratio(several, names)
    if ratio is not None:
        scales.add(ax, direction, called, several[0].units[names[0]], ratio / factor,
                   ratio * panels.largest_of(several, names), None if direction == "x" else
                   HEIGHTS[settings.now().size])


def meanings(several, parts):
    """The symbols of the groups, of a beam's scales without unit, and of Maw's angle."""
    first = several[0]
    names = [name for panel in parts for name in panel.columns]
    used = [groups.group_of(first, name) for name in (*names, first.along)]
    found = [groups.caption([group for group in used if group])]
    ratios = {name: panels.plain_ratio(several, [name]) for name in (along_name(first), *names)}
    plain = [name for name, ratio in ratios.items() if ratio is not None]
    found.append(scales.caption([first.units[name] for name in plain], [ratios[name] for name in plain]))
    found.append(psi.PSI["velocity_ratio"].replace(" = ", ": ") if psi.FIRST in first.inputs else "")
    return "; ".join(text for text in found if text)


def looks_of(several, names, parts):
    """{name of a line: (colour, dash)}: of several histories one for each, else a component has its own in all
    panels and every other column one that no other has."""
    if len(several) > 1:
        return {name: LINES[number % len(LINES)] for number, name in enumerate(names)}
    called = dict.fromkeys(line_name(several, panel, name) for panel in parts if not panel.is_plane
                           for name in panel.columns)
    taken = [look for name, look in COMPONENTS.items() if name in called]
    free = [look for look in LINES if look not in taken]
    others = [name for name in called if name not in COMPONENTS]
    return {"": (looks.BLACK, "-"), **COMPONENTS,
            **{name: free[number % len(free)] for number, name in enumerate(others)}}


def line_name(several, panel, name):
    """The name of a column in the legend: its direction, where the label of the panel says the rest."""
    component = panels.component_of(several[0], name)
    return component if component and len(panel.columns) > 1 else panels.name_of(several[0], name)


def draw_panel(ax, several, names, panel, lines):
    """Returns the entries of the legend."""
    alone = len(several) == 1
    factor, text = panels.scale_of(several, panel.columns)
    if alone:
        draw_phases(ax, several[0])
    for history, called in zip(several, names):
        along = scaled_along(several, history)
        limits = limits_of(history, panel.columns)
        for name in panel.columns:
            line = line_name(several, panel, name) if alone else called
            colour, style = lines[line]
            values = factor * panels.values_of(history, name)
            ax.plot(along, values, color=colour, linestyle=style, linewidth=1.4, zorder=3,
                    label=wrapped(line, LEGEND_WIDTH))
            if not alone:
                mark_changes(ax, history, along, values)
        if limits is not None and alone:
            ax.fill_between(along, -factor * limits, factor * limits, facecolor=ENVELOPE + "4D",
                            edgecolor=ENVELOPE, linewidth=0.8, zorder=2, label="friction limit")
        elif limits is not None and len(several) <= MOST_WITH_LIMITS:
            for side, label in ((1, "friction limit"), (-1, "_")):
                ax.plot(along, side * factor * limits, color=ENVELOPE, linestyle=style, linewidth=0.8, zorder=2,
                        label=label)
    bottom, top = ax.get_ylim()
    if bottom <= 0 <= top:
        ax.axhline(0, color="#707070", linewidth=0.6, zorder=1)
    label = panels.name_of(several[0], panel.columns[0]) if len(panel.columns) == 1 else panel.label
    ax.set_ylabel(wrapped(label + text, HEIGHTS[settings.now().size]))
    ax.yaxis.set_major_locator(ticks())
    add_plain(ax, "y", several, panel.columns, label, factor)
    for name in panel.columns:
        limits = labels.shown_limits(name, False)
        if limits:
            ax.set_ylim(*(factor * end for end in limits))
    return entries_of(ax)


def scaled_along(several, history):
    return panels.scale_of(several, [along_name(several[0])])[0] * along_of(history)


def entries_of(ax):
    return [entry for entry in (*ax.lines, *ax.collections) if not entry.get_label().startswith("_")]


def draw_phases(ax, history):
    factor = panels.scale_of([history], [along_name(history)])[0]
    for phase, start, end in runs_of(history):
        ax.axvspan(factor * start, factor * end, facecolor=shade_of(history, phase), linewidth=0, zorder=0)
    along = along_of(history)
    for number, rows in enumerate(marked_events(history).values()):
        for row in rows:
            ax.axvline(factor * along[row], color="#404040", linewidth=0.8, zorder=2,
                       linestyle=EVENT_STYLES[number % len(EVENT_STYLES)])


def mark_changes(ax, history, x, y):
    """Dots where a new phase begins."""
    rows = changes_of(history)
    if rows:
        ax.plot(x[rows], y[rows], linestyle="none", marker="o", markersize=3.5, markerfacecolor="#FFFFFF",
                markeredgecolor="#202020", markeredgewidth=0.8, zorder=5, label="a new phase")


# -------------------------------------------------------------------------------------- planes

def draw_plane(ax, several, names, panel, lines):
    """One column over another, with the lines of the impulse plane."""
    across, upward = panel.columns
    alike = panel.word == "impulse-plane"  # one unit for both
    (factor_x, text_x), (factor_y, text_y) = (
        panels.scale_of(several, panel.columns if alike else [name]) for name in panel.columns)
    sign = -1 if across == "u3" else 1  # an indentation is a negative elongation
    paths = [(factor_x * sign * panels.values_of(one, across), factor_y * panels.values_of(one, upward))
             for one in several]
    for history, called, (x, y) in zip(several, names, paths):
        colour, style = lines[called]
        ax.plot(x, y, color=colour, linestyle=style, linewidth=1.4, zorder=4,
                label=wrapped(called or "path", LEGEND_WIDTH))
        mark_changes(ax, history, x, y)
        mark_events(ax, history, x, y)
    ax.axhline(0, color="#707070", linewidth=0.6, zorder=1)
    ax.axvline(0, color="#707070", linewidth=0.6, zorder=1)
    ax.margins(0.08)
    (low, high), (bottom, top) = ax.get_xlim(), ax.get_ylim()
    if alike:
        draw_construction(ax, several, factor_x, (low, high))
    ax.set(xlim=low_to_high(across, factor_x, (low, high)), ylim=low_to_high(upward, factor_y, (bottom, top)))
    name = "indentation" if sign < 0 else panels.name_of(several[0], across)
    ax.set_xlabel(name + text_x)
    ax.set_ylabel(wrapped(panels.name_of(several[0], upward) + text_y, HEIGHTS[settings.now().size]))
    add_plain(ax, "x", several, [across], name, factor_x)
    add_plain(ax, "y", several, [upward], panels.name_of(several[0], upward), factor_y)
    ax.yaxis.set_major_locator(ticks())
    return entries_of(ax)


def ticks():
    """The same ticks whenever they are asked for: those of matplotlib depend on the size of letters in the style, which
    is another one when the picture is written than when the frames are placed."""
    return MaxNLocator(6, steps=[1, 2, 2.5, 5, 10])


def low_to_high(name, factor, found):
    limits = labels.shown_limits(name, False)
    return [factor * end for end in limits] if limits else found


def mark_events(ax, history, x, y):
    for number, (name, rows) in enumerate(marked_events(history).items()):
        ax.plot(x[rows], y[rows], linestyle="none", marker=EVENT_MARKERS[number % len(EVENT_MARKERS)],
                markersize=4.5, color="#202020", zorder=5, label=wrapped(spaced(name), LEGEND_WIDTH))


def draw_construction(ax, several, factor, ends):
    """Routh's construction: the lines of friction, of sticking (v_t = 0) and of greatest compression (v_n = 0)
    in the plane of the impulses."""
    p_n = np.array([min(ends[0], 0), max(ends[1], 0)])
    for history in several:
        friction = history.number("friction")
        if friction is not None:
            for side, label in ((1, "line of friction"), (-1, "_")):
                ax.plot(np.maximum(p_n, 0), side * friction * np.maximum(p_n, 0), color=ENVELOPE, linewidth=0.9,
                        zorder=2, label=label)
        for label, style, along_t, along_n, start in lines_of(history):
            if along_t:
                ax.plot(p_n, -(factor * start + along_n * p_n) / along_t, color="#404040", linewidth=0.9,
                        linestyle=style, zorder=2, label=label)
            else:
                ax.axvline(-factor * start / along_n, color="#404040", linewidth=0.9, linestyle=style, zorder=2,
                           label=label)


def lines_of(history):
    """(name, dash, b_t, b_n, v): the lines b_t P_t + b_n P_n + v = 0, in the units of the drawn impulses."""
    group = groups.group_of(history, "normal_impulse")
    unit = 1 if group is None else group.factor
    names = ("line of sticking", "line of greatest compression")
    found = inertia.rows_of_b(history)
    if len(found) == 1:
        names = ("line of sticking and of greatest compression",)
    return [(name, dash, b_t, b_n, unit * start) for name, dash, (b_t, b_n, start) in zip(names, ("--", ":"), found)]


# ----------------------------------------------------------------------------------- the legend

def phase_handles(several, parts):
    if len(several) > 1 or all(panel.is_plane for panel in parts):
        return []
    history = several[0]
    present = [name for name in history.phase_names if name in history.phases]
    handles = [Patch(facecolor=shade_of(history, name), edgecolor="#707070", linewidth=0.5,
                     label=spaced(name)) for name in present]
    marks = EVENT_MARKERS if any(panel.is_plane for panel in parts) else " "
    return handles + [Line2D([], [], color="#404040", linewidth=0.8, label=spaced(name), markersize=4,
                             marker=marks[number % len(marks)], linestyle=EVENT_STYLES[number % len(EVENT_STYLES)])
                      for number, name in enumerate(marked_events(history))]


# ---------------------------------------------------------------------------------- the command

def add_options(parser):
    parser.add_argument("files", metavar="FILE", nargs="+",
                        help="file of impactsweep trace: csv, h5 or nc; several files are drawn in one picture")
    parser.add_argument("--panels", metavar="NAMES",
                        help=f"panels separated by commas: {', '.join(panels.WORDS)}, or all; default: forces "
                             "(or impulses) and velocities, of a beam displacements, velocities, forces and energies")
    parser.add_argument("--psi", action="store_true", help="name cells by Maw's angle of incidence in place of the "
                        "velocity ratio")


def default_output(options):
    return command.beside(options.files[0], ".png")


def make(options, notes):
    del notes  # same call as the other kinds
    asked = settings.now()
    several = [one for path in (*options.files, *asked.over) for one in histories.read(path)]
    check_alike(several)
    several = [psi.of_history(one) for one in several] if options.psi else several
    settings.check_known(list(several[0].columns), asked)
    return draw(several, options.panels)


def check_alike(several):
    """Histories in one picture have the same first column in the same unit."""
    first = several[0]
    for one in several[1:]:
        if one.along != first.along:
            raise panels.BadInput(f"{one.path}: its history is over {spaced(one.along)}, that of {first.path} over "
                                  f"{spaced(first.along)}")
        for name in set(one.columns) & set(first.columns):
            if one.units[name] != first.units[name] or group_text(one, name) != group_text(first, name):
                raise panels.BadInput(f"{one.path}: the unit of {spaced(name)} differs from that in {first.path}; give "
                                      "mass, stiffness and speed to both cells, and histories are in SI")


def group_text(history, name):
    group = groups.group_of(history, name)
    return group.text if group else ""
