"""Draws the history of one cell, as `impactsweep trace` writes it.

Two panels over the first column, as far as the history has their columns: above the forces (or impulses)
with the limits of friction, below the velocities. Contact phases are shaded behind both.
"""
import csv
from dataclasses import dataclass, field

import numpy as np
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from .. import command, files, frame, labels, looks, settings
from ..files import BadInput, flags_of
from ..labels import spaced
from ..wrapping import wrapped

# Lines that stand out on every shade, and differ in a grey print too.
LINES = ((looks.BLUE, "-"), (looks.RED, "--"), (looks.BLACK, "-."), (looks.GREEN, ":"),
         (looks.DARK, (0, (8, 2))), ("#661100", (0, (5, 1, 1, 1, 1, 1))), ("#CC6677", "-"), ("#E69F00", "--"))
ENVELOPE = "#8C8C8C"
# Shades of the phases by their number in the theory's table, the first is stick; they differ in grey too.
SHADES = ("#D0D0D0", "#CFE3F7", "#FFF4E3", "#CFE0B8", "#F6DDEA", "#F8F5D0")
UNKNOWN_PHASE = "#FFFFFF"
EVENT_STYLES = (":", (0, (1, 1)), (0, (5, 2)), (0, (3, 1, 1, 1)))
HEIGHTS = {"one": 1.6, "two": 2.0}  # inches, of a frame
USES = {"label", "limits"}
LEGEND_WIDTH = 1.7  # inches


@dataclass
class History:
    """Columns in their order; the first, time or impulse, grows along the history."""
    columns: dict
    units: dict
    phases: list  # name by row, "" for none
    events: list
    phase_names: list  # of the theory, in the order of its table
    fixed: dict = field(default_factory=dict)  # parameters: (value, unit)
    title: str = ""
    labels: dict = field(default_factory=dict)

    @property
    def along(self):
        return next(iter(self.columns))


# --------------------------------------------------------------------------------- reading

def read(path):
    files.check_file(path, "history")
    history = read_table(path) if path.lower().endswith(".csv") else read_file(path)
    if len(history.columns) < 2 or not history.phases:
        raise BadInput(f"{path}: not a history of impactsweep, or one without rows")
    return history


def read_table(path):
    try:
        with open(path, encoding="utf-8", newline="") as file:
            lines = file.read().splitlines()
    except (OSError, UnicodeDecodeError) as reason:
        raise BadInput(f"{path}: cannot be read ({files.first_line(reason)})") from None
    remarks = {}
    for line in (line[2:] for line in lines if line.startswith("# ")):
        name, equals, value = line.partition(" = ")
        if equals:
            remarks[name] = value
    rows = list(csv.reader(line for line in lines if line and not line.startswith("#")))
    if len(rows) < 2 or rows[0][-2:] != ["phase", "event"]:
        raise BadInput(f"{path}: not a history of impactsweep, or one without rows")
    return make_table(path, remarks, rows[0][:-2], rows[1:])


def make_table(path, remarks, names, rows):
    try:
        values = np.array([[float(text or "nan") for text in row[:-2]] for row in rows])
        columns = {name: values[:, place] for place, name in enumerate(names)}
        fixed = {name: quantity_of(remarks[name]) for name in ("friction", *labels.MOTION)
                 if name in remarks}
    except (ValueError, IndexError):
        raise BadInput(f"{path}: not a history of impactsweep: its table has a value that is not a "
                       "number") from None
    units = remarks.get("units", "").split(", ")
    units += ["1"] * (len(names) - len(units))
    seen = dict.fromkeys(row[-2] for row in rows if row[-2])
    listed = [name for name in remarks.get("phases", "").split(", ") if name]
    return History(columns, dict(zip(names, units)), [row[-2] for row in rows],
                   [row[-1] for row in rows], listed + [name for name in seen if name not in listed],
                   fixed, remarks.get("title", ""))


def quantity_of(remark):
    """Value and unit of a parameter."""
    value, _, unit = remark.partition(" ")
    return float(value), unit


def read_file(path):
    with files.open_file(path, "history") as data:
        if not {"phase", "event"} <= set(data.variables) or len(data["phase"].dims) != 1:
            raise BadInput(f"{path}: not a history of impactsweep")
        files.load(data)
    along = data["phase"].dims[0]
    names = [along] + [str(name) for name in data.data_vars
                       if data[name].dims == (along,) and name not in ("phase", "event")]
    fixed = {name: (float(data[name]), unit_of(data, name)) for name in
             ("friction", *labels.MOTION) if name in data.variables and not data[name].dims}
    return History({name: data[name].values.astype(float) for name in names},
                   {name: unit_of(data, name) for name in names},
                   flag_texts(data["phase"]), flag_texts(data["event"]),
                   [name for code, name in sorted(flags_of(data["phase"]).items()) if code != 0],
                   fixed, str(data.attrs.get("title", "")),
                   {name: str(data[name].attrs.get("long_name", "")) for name in names})


def unit_of(data, name):
    return str(data[name].attrs.get("units", "1"))


def flag_texts(variable):
    names = flags_of(variable)
    return ["" if code == 0 else names.get(code, f"code {code}") for code in
            variable.values.tolist()]


# ------------------------------------------------------------------------------ what is drawn

def is_force(name):
    return "force" in name or "impulse" in name


def is_velocity(name):
    return "velocity" in name or "speed" in name or name.startswith("v_")


def panels_of(history):
    """[(label, columns)]: forces, velocities; of a history without either, all columns."""
    rest = list(history.columns)[1:]
    groups = [(what, [name for name in rest if test(name)]) for what, test in
              (("force", is_force), ("velocity", is_velocity))]
    found = [(panel_label(history, what, names), names) for what, names in groups if names]
    return found or [(panel_label(history, "", rest), rest)]


def panel_label(history, what, names):
    if what == "force" and not any("force" in name for name in names):
        what = "impulse"
    what = what or (name_of(history, names[0]) if len(names) == 1 else "value")
    units = {labels.unit_of(history.units[name]) for name in names}
    unit = units.pop() if len(units) == 1 else ""
    return f"{what} ({unit})" if unit else what


def name_of(history, name):
    """The name of a column in the figure. A speed that becomes negative is called a velocity."""
    asked = settings.now()
    if name in asked.labels or (asked.names == "symbols" and name in settings.SYMBOLS):
        return asked.labels.get(name) or settings.SYMBOLS[name]
    text = history.labels.get(name) or spaced(name)
    return text.replace("speed", "velocity") if np.nanmin(history.columns[name]) < 0 else text


def label_of(history, name):
    unit = labels.unit_of(history.units[name])
    return f"{name_of(history, name)} ({unit})" if unit else name_of(history, name)


def title_of(history):
    """The title of the history, with the parameters of the motion even where they have their defaults."""
    title = labels.readable(history.title)
    for name, (value, unit) in history.fixed.items():
        if f", {spaced(name)} " not in title and name in labels.MOTION and np.isfinite(value):
            title += f", {spaced(name)} {labels.number_text(value, unit)}"
    return labels.filled(title)


def limits_of(history, names):
    """Half the height of the friction cone along the history; None without friction or the forces."""
    tangential = any(is_force(name) and "tangential" in name for name in names)
    normal = [name for name in history.columns if is_force(name) and "normal" in name]
    if "friction" not in history.fixed or not tangential or not normal:
        return None
    return history.fixed["friction"][0] * np.abs(history.columns[normal[0]])


def runs_of(history):
    """[(phase, start, end)] along the history; a run ends where the next one begins."""
    along, runs = history.columns[history.along], []
    for place, phase in enumerate(history.phases):
        if not runs or phase != runs[-1][0]:
            runs.append([phase, along[place], along[place]])
            if len(runs) > 1:
                runs[-2][2] = along[place]
        runs[-1][2] = along[place]
    return [tuple(run) for run in runs]


def shade_of(history, phase):
    if phase not in history.phase_names:
        return UNKNOWN_PHASE
    return SHADES[history.phase_names.index(phase) % len(SHADES)]


def marked_events(history):
    """{name: places} of events that the shades do not show already."""
    along, found = history.columns[history.along], {}
    edges = {edge for _, start, end in runs_of(history) for edge in (start, end)}
    for name, place in zip(history.events, along):
        if name and place not in edges:
            found.setdefault(name, []).append(place)
    return found


# ------------------------------------------------------------------------------------- drawing

@looks.styled
def draw(history):
    panels, asked = panels_of(history), settings.now()
    figure = frame.new_figure()
    axes = figure.subplots(len(panels), 1, sharex=True, squeeze=False)
    events = marked_events(history)
    handles, first = {}, 0
    for ax, (label, names) in zip(axes[:, 0], panels):
        for entry in draw_panel(ax, history, names, events, first):
            handles.setdefault(entry.get_label(), entry)
        first += len(names)
        ax.set_ylabel(wrapped(label, HEIGHTS[asked.size]))
        for name in names:
            ax.set_ylim(labels.shown_limits(name, False))
    along = history.columns[history.along]
    axes[-1, 0].set_xlim(*(along[[0, -1]] if along[-1] > along[0] else (along[0], along[0] + 1)))
    axes[-1, 0].set_xlim(labels.shown_limits(history.along, False))
    axes[-1, 0].set_xlabel(label_of(history, history.along))
    figure.suptitle(title_of(history))
    sheet = frame.Sheet(figure, axes, HEIGHTS[asked.size])
    entries = [*handles.values(), *phase_handles(history, events)]
    sheet.legends.append(frame.legend_under(axes[0, 0], entries, handleheight=1.1))
    return frame.fit(sheet)


def draw_panel(ax, history, names, events, first):
    """Returns the entries of the legend. first: number of the first line, so that panels differ."""
    along = history.columns[history.along]
    for phase, start, end in runs_of(history):
        ax.axvspan(start, end, facecolor=shade_of(history, phase), linewidth=0, zorder=0)
    ax.axhline(0, color="#707070", linewidth=0.6, zorder=1)
    limits = limits_of(history, names)
    if limits is not None:
        ax.fill_between(along, -limits, limits, facecolor=ENVELOPE + "4D", edgecolor=ENVELOPE,
                        linewidth=0.8, zorder=2, label="friction limit")
    for place, name in enumerate(names):
        colour, style = LINES[(first + place) % len(LINES)]
        ax.plot(along, history.columns[name], color=colour, linestyle=style, linewidth=1.4,
                zorder=3, label=wrapped(name_of(history, name), LEGEND_WIDTH))
    for number, places in enumerate(events.values()):
        for place in places:
            ax.axvline(place, color="#404040", linewidth=0.8, zorder=2,
                       linestyle=EVENT_STYLES[number % len(EVENT_STYLES)])
    return [entry for entry in (*ax.lines, *ax.collections)
            if not entry.get_label().startswith("_")]


def phase_handles(history, events):
    present = [name for name in history.phase_names if name in history.phases]
    handles = [Patch(facecolor=shade_of(history, name), edgecolor="#707070", linewidth=0.5,
                     label=spaced(name)) for name in present]
    return handles + [Line2D([], [], color="#404040", linewidth=0.8, label=spaced(name),
                             linestyle=EVENT_STYLES[number % len(EVENT_STYLES)])
                      for number, name in enumerate(events)]


# ---------------------------------------------------------------------------------- the command

def add_options(parser):
    parser.add_argument("file", metavar="FILE", help="file of impactsweep trace: csv, h5 or nc")


def default_output(options):
    return command.beside(options.file, ".png")


def make(options, notes):
    del notes  # same call as the other kinds
    history = read(options.file)
    settings.check_known(list(history.columns), settings.now())
    return draw(history)
