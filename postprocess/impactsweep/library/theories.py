"""The theories as the tables of the library describe them: names, units, ranges, defaults, meanings."""
from __future__ import annotations

import functools
import math
from ctypes import POINTER, byref
from dataclasses import dataclass, field, replace

from .. import checks
from ..display.notebook import escape, folded, table
from ..errors import InputError
from . import binding as c
from .binding import library, text

ALONE = {"solver": "collocation"}  # options with which the library needs no other one
GUEST = "guest:"  # and the command of a guest: the name of its theory


@dataclass(frozen=True)
class Parameter:
    """One input: a number, an array, or a text with its unit such as "30 deg"."""
    name: str
    unit: str  # SI; "1": none
    meaning: str
    low: float
    high: float
    low_open: bool
    high_open: bool
    default: float | None  # None: the parameter must be given
    example: float
    stands_for: str | None  # the parameter that this one may replace
    whole: bool
    applies_to: tuple[str, ...] = ()  # options, such as "body=rod"; empty: always
    variants: tuple[Parameter, ...] = field(default=(), repr=False)  # one for each range or meaning

    @property
    def range(self) -> str:
        scale, unit = (180 / math.pi, " deg") if self.unit == "rad" else (1, "")
        return (f"{'(' if self.low_open else '['}{self.low * scale:.7g}, {self.high * scale:.7g}"
                f"{')' if self.high_open else ']'}{unit}{' whole' if self.whole else ''}")


@dataclass(frozen=True)
class Choice:
    """One choice, such as the body; {option: meaning}."""
    name: str
    meaning: str
    options: dict[str, str]
    default: str | None


@dataclass(frozen=True)
class Output:
    """One output; `categories` are {code: (name, meaning)} of a mode or another category."""
    name: str
    unit: str  # SI, if every parameter of Theory.units_need is given; otherwise values have the unit 1
    meaning: str
    kind: str  # real, category, sequence
    label: str
    dimension: str | None  # of an output of several values
    length: int
    undefined: str  # where a solved cell has NaN
    categories: dict[int, tuple[str, str]]
    own_unit: bool


@dataclass(frozen=True, repr=False)
class Theory:
    """A theory, as `describe` returns it; prints as a page."""
    name: str
    title: str
    source: str
    residual: str
    symbols: str
    choices: dict[str, Choice]
    inputs: dict[str, Parameter]
    outputs: dict[str, Output]
    modes: dict[int, tuple[str, str]]
    common_names: dict[str, str]  # of modes that other theories have by other names
    columns: dict[str, Output]  # of a history
    units_need: tuple[str, ...]

    @property
    def bodies(self) -> dict[str, str]:
        return self.choices["body"].options if "body" in self.choices else {}

    def __repr__(self) -> str:
        return page(self)

    def _repr_html_(self) -> str:
        """What a notebook shows: the tables of the page, folded."""
        return html_page(self)


def modes_of(pointer: c.Modes, count: int) -> dict[int, tuple[str, str]]:
    return {pointer[place].code: (text(pointer[place].name), text(pointer[place].meaning))
            for place in range(count)}


def common_names(theory: c.Theory) -> dict[str, str]:
    """Of modes that other theories have by other names."""
    return {text(one.mode): text(one.common) for one in theory.agreements[:theory.n_agreements]}


def parameter_of(p: c.Parameter) -> Parameter:
    default = None if math.isnan(p.fallback) else p.fallback
    return Parameter(text(p.name), text(p.unit), text(p.meaning), p.low, p.high, p.low_open,
                     p.high_open, default, p.example, text(p.stands_for) or None, p.whole)


def output_of(theory: c.Theory, o: c.Output) -> Output:
    modes = modes_of(theory.modes, theory.n_modes)
    own = modes_of(o.categories, o.n_categories) if o.categories else modes
    undefined = [name for code, (name, _) in modes.items() if o.undefined_in >> code & 1]
    where = [f"in mode {', '.join(undefined)}"] if undefined else []
    where += [f"where {text(o.undefined_when)}"] if o.undefined_when else []
    name = text(o.name)
    return Output(name, text(o.unit), text(o.meaning), ("real", "category", "sequence")[o.kind],
                  text(o.label) or name.replace("_", " "), text(o.dimension) or None, o.length,
                  "; ".join(where), own if o.kind == c.CATEGORY else {},
                  o.own_unit or o.unit == b"rad")


def choice_of(choice: c.Choice) -> Choice:
    options = {text(choice.options[place].contents.name): text(choice.options[place].contents.meaning)
               for place in range(choice.n_options)}
    default = list(options)[choice.fallback] if choice.fallback >= 0 else None
    return Choice(text(choice.name), text(choice.meaning), options, default)


def gather(theory: c.Theory) -> dict[str, Parameter]:
    """Every parameter, with the options that it applies to, and its variants where options change it."""
    found: dict[str, dict[Parameter, list[str]]] = {}

    def add(parameter: c.Parameter, option: list[str]) -> None:
        one = parameter_of(parameter)
        found.setdefault(one.name, {}).setdefault(one, []).extend(option)
    for place in range(theory.n_parameters):
        add(theory.parameters[place].contents, [])
    for choice in (theory.choices[place] for place in range(theory.n_choices)):
        for option in (choice.options[place].contents for place in range(choice.n_options)):
            for place in range(option.n_parameters):
                add(option.parameters[place].contents,
                    [f"{text(choice.name)}={text(option.name)}"])
    return {name: merged(variants) for name, variants in found.items()}


def merged(variants: dict[Parameter, list[str]]) -> Parameter:
    several = [replace(one, applies_to=tuple(options)) for one, options in variants.items()]
    if len(several) == 1:
        return several[0]
    everywhere = tuple(option for one in several for option in one.applies_to)
    return replace(several[0], applies_to=everywhere, variants=tuple(several))


def theory_of(theory: c.Theory) -> Theory:
    outputs = [output_of(theory, theory.outputs[place]) for place in range(theory.n_outputs)]
    history = theory.history.contents if theory.history else None
    columns = [output_of(theory, history.columns[place])
               for place in range(history.n_columns)] if history else []
    choices = [choice_of(theory.choices[place]) for place in range(theory.n_choices)]
    return Theory(text(theory.name), text(theory.title), text(theory.source), text(theory.residual),
                  text(theory.symbols), {choice.name: choice for choice in choices}, gather(theory),
                  {output.name: output for output in outputs},
                  modes_of(theory.modes, theory.n_modes),
                  common_names(theory),
                  {column.name: column for column in columns},
                  tuple(text(theory.unit_parameters[place])
                        for place in range(theory.n_unit_parameters)))


@checks.public
def theories() -> dict[str, str]:
    """The theories of the library: {name: title}.

    >>> theories()["compliant"]
    'two springs at the contact, stick and slip in time'
    """
    found, place = {}, 0
    while library().imp_theory_at(place):
        theory = library().imp_theory_at(place).contents
        if not theory.hidden:
            found[text(theory.name)] = text(theory.title)
        place += 1
    return found


def is_known(theory: str) -> bool:
    return theory.startswith(GUEST) or theory in theories()


def of_guest(command: str) -> Theory:
    found = POINTER(c.Theory)()
    c.check(library().imp_guest_theory(command.encode(), byref(found)))
    return theory_of(found.contents)


@functools.cache
def of_library(name: str) -> Theory:
    found = library().imp_theory_find(name.encode())
    if not found:
        c.Solver(name, [])  # raises the message of the library
        raise InputError(f"there is no theory '{name}'")
    return theory_of(found.contents)


@checks.public
def describe(theory: str) -> Theory:
    """Inputs (units, ranges, defaults), outputs (meanings, units, categories), bodies and other choices of
    a theory, from the tables of the library. Prints as a page; its parts are attributes. A guest, a program of
    your own as a theory, has the name "guest:" and its command, such as "guest:python3 my_law.py", which starts it.

    >>> describe("compliant").inputs["friction"].range
    '[0, inf)'
    >>> describe("compliant").inputs["mass"].unit
    'kg'
    >>> sorted(describe("compliant").bodies)[:3]
    ['capsule', 'double_pendulum', 'general']
    >>> describe("compliant").outputs["mode"].categories[8]
    ('wedge', 'sticks for good: the body does not separate')
    """
    if checks.text("theory", theory).startswith(GUEST):
        return of_guest(theory.removeprefix(GUEST))
    found = of_library(theory)
    return replace(found, **{name: dict(value) for name, value in vars(found).items() if isinstance(value, dict)})


# ------------------------------------------------------------------------------------------ pages

def columns_of(rows: list[tuple[str, ...]]) -> list[str]:
    widths = [max(len(row[place]) for row in rows) for place in range(len(rows[0]) - 1)]
    return ["  " + "  ".join([cell.ljust(width) for cell, width in zip(row, widths)] + [row[-1]])
            for row in rows]


def input_row(one: Parameter) -> tuple[str, ...]:
    default = "" if one.default is None else f"{one.default:g}"
    where = f" ({' '.join(one.applies_to)})" if one.applies_to else ""
    place = f"; instead of {one.stands_for}" if one.stands_for else ""
    return one.name, one.unit, one.range, default, one.meaning + place + where


def output_row(one: Output) -> tuple[str, ...]:
    size = f" x {one.length} ({one.dimension})" if one.dimension else ""
    undefined = f"; NaN {one.undefined}" if one.undefined else ""
    names = f": {', '.join(name for name, _ in one.categories.values())}" if one.categories else ""
    return one.name, one.unit, one.kind + size, one.meaning + names + undefined


def page(theory: Theory) -> str:
    """The theory as text, which is the printed form of `describe` and the docstring of its function."""
    lines = [f"{theory.name}: {theory.title}", f"source: {theory.source}"]
    lines += [f"symbols: {theory.symbols}"] if theory.symbols else []
    lines += ["", f"for example: {example(theory)}"]
    for choice in theory.choices.values():
        default = f", default {choice.default}" if choice.default else ""
        lines += ["", f"{choice.name}: {choice.meaning}{default}",
                  *columns_of(list(choice.options.items()))]
    variants = [one for entry in theory.inputs.values() for one in entry.variants or (entry,)]
    header = ("name", "unit", "range", "default", "meaning")
    lines += ["", "inputs", *columns_of([header, *map(input_row, variants)])]
    lines += ["", "outputs" + (f" (in SI units if {', '.join(theory.units_need)} are given, "
                               "where they apply)" if theory.units_need else ""),
              *columns_of([("name", "unit", "kind", "meaning"),
                           *map(output_row, theory.outputs.values())])]
    return "\n".join(lines)


def example(theory: Theory) -> str:
    """A call that solves a cell: the first body, defaults, and the example of every input that must be given."""
    chosen = {one.name: ALONE.get(one.name) or one.default or list(one.options)[0] for one in theory.choices.values()}
    options = {f"{name}={option}" for name, option in chosen.items()}
    words = [f'"{theory.name}"', *(f'{name}="{option}"' for name, option in chosen.items() if option != theory.choices[name].default)]
    for entry in theory.inputs.values():
        one = next((one for one in entry.variants or (entry,) if not one.applies_to or options & {*one.applies_to}), None)
        if one and one.default is None and not one.stands_for:
            words.append(f"{one.name}=" + (f'"{math.degrees(one.example):.4g} deg"' if one.unit == "rad" else f"{one.example:.6g}"))
    return f"impactsweep.solve({', '.join(words)})"


def counted(title: str, head: tuple[str, ...], rows: list[tuple[str, ...]]) -> str:
    return folded(f"{title}: {len(rows)}", table(head, rows))


def html_page(theory: Theory) -> str:
    """The same as HTML, every table folded to its title."""
    parts = [f"<p><b>{escape(theory.name)}</b>: {escape(theory.title)}<br>{escape(theory.source)}</p>"
             f"<pre>{escape(example(theory))}</pre>"]
    parts += [counted(f"{one.name} ({one.meaning})", ("option", "meaning"),
                         [(f"{name} (default)" if name == one.default else name, meaning)
                          for name, meaning in one.options.items()]) for one in theory.choices.values()]
    variants = [one for entry in theory.inputs.values() for one in entry.variants or (entry,)]
    parts += [counted("modes", ("mode", "meaning"), list(theory.modes.values()))] if theory.modes else []
    parts.append(counted("inputs", ("name", "unit", "range", "default", "meaning"), [input_row(one) for one in variants]))
    parts.append(counted("outputs", ("name", "unit", "kind", "meaning"), [output_row(one) for one in theory.outputs.values()]))
    return "".join(parts)
