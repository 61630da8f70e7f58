"""Theories as functions of numbers, arrays and DataArrays, by libimpact."""
from __future__ import annotations

import ctypes
import difflib
import math
import warnings
from typing import Callable, Iterable, Iterator, Mapping, Union

import numpy as np
import xarray as xr

from .. import checks
from ..errors import InputError, TooManyCells, Undefined
from ..library import binding as c
from ..library.binding import library, text
from ..library.theories import common_names, describe, is_known, output_of
from ..maps.dataset import decode
from ..maps.typed import make_variable
from ..values import Array, Attributes, Names, Value
from .arrays import arrange, Cells, check_dims
from .choices import check_outputs, coded, names_taken, solve_each, Stored
from .inputs import Given, in_si, is_array, parameter_name, prepared, read_texts, take_all, units_of, words_of

Block = tuple[Union[int, slice], ...]  # an index of cells that follow one another in memory
OUTCOMES = 9  # their codes are 0, 1, ...
BLOCK = 16384  # most cells in one call of the library, so that copies of their values stay in the cache
SHOWN = 10000  # most cells of a result that is decoded at once; larger ones are decoded when they are read
TYPES = {c.REAL: np.float64, c.CATEGORY: np.int8, c.SEQUENCE: np.uint64}


@checks.public
def solve(theory: str, /, *, outputs: Names = None, cell_budget: int = 0,
          degrees: bool = False, labels: bool = True, variables: Mapping[str, str] | None = None,
          uncertain: Mapping[str, object] | None = None, **inputs: Value) -> xr.Dataset:
    """Solves a theory for numbers, arrays and DataArrays.

    Args:
        theory: one of `theories()`; `describe(theory)` lists its inputs and outputs.
        inputs: choices (`body="pendulum"`) and parameters by name, as in a config: a number in the unit
            of the parameter (SI, radians for angles), a text with a unit such as "30 deg" or "19.4 mm", or an
            array of either; a formula of other parameters (`q2="= q1 + 0.1"`), as in configs; a choice may be
            an array of options (`law=["linear", "hertz"]`). Arrays broadcast as in NumPy, DataArrays by the
            names of their dimensions; the result keeps these and their coordinates. A DataArray with units such
            as "deg" or "mm" is converted.
        outputs: names of the outputs to return; None: all of them.
        cell_budget: the most steps, events or evaluations of a cell; 0: the theory's own limit.
        degrees, labels: of the result, as in `open`.
        variables: {name: unit} of inputs that the theory does not know and only formulas read, as in configs:
            `variables={"tilt": "rad"}, tilt=np.linspace(0, 1, 50), offset_t="= 0.5 * sin(tilt)"`.

        uncertain: parameters that each cell draws, as the key `uncertain` of a config:
            `uncertain={"points": 256, "params": [{"param": "friction", "distribution": "normal", "mean": 0.3,
            "sd": 0.05}], "of": ["mode"]}`. The result then has the statistics of the draws, such as
            `share_of_wedge`. The program computes it, which must be installed.

    A dimension of plain arrays is named after the only input that varies along it, or else dim_0, dim_1, ...
    Outputs are NaN where the theory cannot solve the cell; `outcome` says why. Where an input of an array is NaN,
    missing or masked, the outcome is not_finite, and a warning of the category `Undefined` counts these cells.

    Raises:
        InputError: names, values, units or shapes are wrong; the message is that of the program. TooManyCells (an
            InputError): the result would not fit into the memory.

    >>> import numpy as np
    >>> cells = solve("compliant", body="pendulum", angle=["30 deg", "80 deg"], friction=0.3,
    ...               stiffness_ratio=1.21, outputs=["mode", "kinematic_restitution"])
    >>> cells.mode.values.tolist()
    ['slip_stick_slip_reversed', 'gross_stick']
    >>> round(float(cells.kinematic_restitution[0]), 6)
    0.743712
    >>> solve("compliant", body="pendulum", angle=0.5, friction=-1, stiffness_ratio=1.21)
    Traceback (most recent call last):
    impactsweep.errors.InputError: 'friction' is -1, outside its range [0, inf)
    """
    theory = checks.text("theory", theory)
    variables = checks.table("variables", variables)
    refuse_options(theory, [name for name in inputs if name not in variables],
                   ("outputs", "cell_budget", "degrees", "labels", "variables", "uncertain"))
    given: Given = {**declared(variables), **take_all(inputs)}
    names = checks.names("outputs", outputs)
    cell_budget = checks.count("cell_budget", cell_budget, 0)
    degrees, labels = checks.switch("degrees", degrees), checks.switch("labels", labels)
    if uncertain is not None:
        from .uncertain import solve_uncertain
        return solve_uncertain(theory, given, uncertain, names, cell_budget, degrees, labels)
    found = stored_of_all(theory, given, names, cell_budget)
    for note in dict.fromkeys(found.notes):
        warnings.warn(note, Undefined, stacklevel=3)
    found.attributes["title"] = title_of(theory, given)
    result = decode(found.outputs, found.coordinates, found.attributes, degrees, labels, masked=True)
    return in_memory(result) if found.outputs["outcome"].size <= SHOWN else result


def in_memory(result: xr.Dataset) -> xr.Dataset:
    """`result.load()`, which would look for dask once for every variable."""
    for variable in result.variables.values():
        if not isinstance(variable, xr.IndexVariable):
            variable.data = variable.values
    return result


def declared(variables: Mapping[str, str]) -> dict[str, str]:
    """The word that declares variables to the library; none without variables."""
    for name, unit in variables.items():
        parameter_name(name)
        if not isinstance(unit, str) or not unit or set(unit) & set(",="):
            raise InputError(f"variables: the unit of {name} is {checks.shown(unit)}; give a unit in SI such as 'rad', '1' for a number")
    return {"variables": ",".join(f"{name}:{unit}" for name, unit in variables.items())} if variables else {}


def refuse_options(theory: str, given: Iterable[str], options: tuple[str, ...]) -> None:
    """Misspelt options are no inputs of the theory, whose message would not know them."""
    if not is_known(theory):
        return
    table = describe(theory)
    known = [*table.inputs, *table.choices]
    near = {name: difflib.get_close_matches(name, [*known, *options], 1, 0.6) for name in given if name not in known}
    wrong = [f"unknown keyword '{checks.brief(name)}' (did you mean '{close[0]}'?)" for name, close in near.items()
             if close and close[0] in options]
    if wrong:
        raise InputError("\n".join(wrong))


def stored_of_all(theory: str, given: Given, outputs: list[str] | None, cell_budget: int) -> Stored:
    """Every combination of the choices that are arrays is solved by itself."""
    def solve_cells(theory: str, given: Given, some: bool = True) -> Stored:
        return stored(theory, given, outputs, cell_budget, some)
    codes = coded(theory, given)
    found = solve_each(theory, given, codes, prepared, solve_cells) if codes else solve_cells(
        theory, given, False)
    check_outputs(found, outputs)
    return found


def stored(theory: str, given: Given, outputs: list[str] | None, cell_budget: int,
           some: bool) -> Stored:
    """some: outputs that do not exist are left out."""
    given = {**given, **read_texts(theory, given)}
    with c.Solver(theory, words_of(given)) as solver:
        cells = arrange({name: in_si(solver, name, value) for name, value in given.items() if is_array(value)})
        wanted = choose_outputs(solver, outputs, some)
        check_dims(cells, names_taken(describe(theory)), {*describe(theory).inputs, *given})
        library().imp_set_budget(solver.handle, cell_budget)
        values, outcome = room_for(solver, cells, wanted)
        compute(solver, cells, given, values, outcome)
        notes = []
        if (outcome == c.OUTSIDE).any():
            refuse_values(theory, solver, cells, given)
            notes = mark_undefined(cells, outcome)
        return Stored(outputs_of(solver, cells, given, wanted, values, outcome),
                      coordinates(solver, cells, given, wanted), attributes(solver, given), notes)


# ------------------------------------------------------------------------------------- the call

def choose_outputs(solver: c.Solver, names: list[str] | None, some: bool) -> list[int]:
    """Places of the requested outputs; by default, of all that exist. some: those that do not exist are
    left out, not refused."""
    theory = solver.theory
    known = [text(theory.outputs[place].name) for place in range(theory.n_outputs)]
    places = [solver.output_place(name.encode()) for name in known]
    if names is None:
        return [place for place in places if place >= 0]
    wrong = [f"unknown output '{checks.brief(name)}'{checks.hint(name, known)}" for name in names if name not in known]
    wrong += [f"no cell of this sweep has the output '{checks.brief(name)}'" for name in names
              if name in known and places[known.index(name)] < 0 and not some]
    if wrong:
        raise InputError("\n".join(wrong))
    return sorted({known.index(name) for name in names if places[known.index(name)] >= 0})


def bytes_needed(solver: c.Solver, cells: Cells, wanted: list[int]) -> int:
    outputs = [solver.theory.outputs[place] for place in wanted]
    each = sum(np.dtype(TYPES[one.kind]).itemsize * int(max(1, one.length)) for one in outputs)
    return (each + 1) * math.prod(cells.shape)


def free_memory() -> float:
    """Bytes. The system promises more than it has, and would end the process later."""
    try:
        with open("/proc/meminfo", encoding="ascii") as file:
            return 1024 * next(int(line.split()[1]) for line in file if line.startswith("MemAvailable"))
    except (OSError, ValueError, StopIteration):
        return math.inf


def room_for(solver: c.Solver, cells: Cells, wanted: list[int]) -> tuple[dict[int, Array], Array]:
    """({place: values of an output}, outcomes), in the shape of the cells, plus the output's own dimension."""
    outputs = solver.theory.outputs
    if bytes_needed(solver, cells, wanted) > free_memory():
        raise too_many(solver, cells, wanted)
    try:
        return {place: np.empty(cells.shape + ((outputs[place].length,) if outputs[place].dimension else ()),
                                TYPES[outputs[place].kind]) for place in wanted}, np.empty(cells.shape, np.uint8)
    except MemoryError:
        raise too_many(solver, cells, wanted) from None


def too_many(solver: c.Solver, cells: Cells, wanted: list[int]) -> TooManyCells:
    shape = " x ".join(f"{size:,}" for size in cells.shape)
    return TooManyCells(
        f"{shape} = {math.prod(cells.shape):,} cells with {len(wanted)} outputs need "
        f"{bytes_needed(solver, cells, wanted) / 1e9:,.1f} GB, more than the free memory: choose fewer outputs "
        "(outputs=[\"mode\"]), solve a part of the cells at a time, or let the program write a map, which may be larger "
        "than the memory (impactsweep.run(config, out=\"map.h5\")). Arrays that should vary together need one shape: "
        "shapes (n, 1) and (n,) make n x n cells")


def refuse_values(theory: str, solver: c.Solver, cells: Cells, given: Given) -> None:
    """Raises the program's message if values of an array lie outside the range of their input. NaN, and a
    combination outside the domain, are no errors: the outcome of the cell says so."""
    ranges = {text(one.name): one for one in solver.inputs}
    bad = {}
    for name, values in cells.inputs.items():
        one, flat = ranges[name], values[~np.isnan(values)]
        low = flat <= one.low if one.low_open else flat < one.low
        high = flat >= one.high if one.high_open else flat > one.high
        outside = flat[low | high | ((flat != np.floor(flat)) if one.whole else False)]
        if outside.size:
            bad[name] = float(outside[0])
    if bad:
        with c.Solver(theory, words_of({**given, **bad})):  # raises the message of the library
            pass


def mark_undefined(cells: Cells, outcome: Array) -> list[str]:
    """Cells with an input that is NaN have the outcome not_finite. Returns a note for each input of this kind."""
    notes = []
    for name, values in cells.inputs.items():
        nan = np.broadcast_to(np.isnan(values), cells.shape)
        if nan.any():
            outcome[nan] = c.NOT_FINITE
            notes.append(f"{name} is NaN, missing or masked in {np.count_nonzero(nan):,} of {nan.size:,} cells: "
                         "their outcome is not_finite")
    return notes


# ------------------------------------------------------------------------------------------ cells

def compute(solver: c.Solver, cells: Cells, given: Given, values: dict[int, Array],
            outcome: Array) -> None:
    """Fills the values of the outputs and the outcomes."""
    inputs, fill, _constants = input_columns(solver, cells, given)  # kept while their addresses are in use
    results, keep = output_columns(solver, values)
    for block, first, count in blocks(cells.shape, BLOCK):
        fill(block, first, count)
        keep(first, count, None)
        solver.solve(count, inputs, results, outcome.ctypes.data + first)
        keep(first, count, block)


def blocks(shape: tuple[int, ...], most: int) -> Iterator[tuple[Block, int, int]]:
    """(index, first cell, number of cells) of parts that follow one another in memory."""
    def parts(shape: tuple[int, ...], index: Block, first: int) -> Iterator[tuple[Block, int, int]]:
        inner = math.prod(shape[1:])
        if len(shape) > 1 and inner > most:
            for place in range(shape[0]):
                yield from parts(shape[1:], index + (place,), first + place * inner)
            return
        step = max(1, most // max(1, inner))
        for start in range(0, shape[0], step):
            stop = min(start + step, shape[0])
            yield index + (slice(start, stop),), first + start * inner, (stop - start) * inner
    if not shape:
        yield (), 0, 1
    elif math.prod(shape) > 0:
        yield from parts(shape, (), 0)


def input_columns(solver: c.Solver, cells: Cells,
                  given: Given) -> tuple[c.Addresses, Callable[[Block, int, int], None], list[Array]]:
    """The addresses of the inputs, a function that sets them for a block, and what else they point to. The
    library knows the defaults."""
    addresses = (ctypes.c_void_p * c.MAX_PARAMETERS)()
    most = min(BLOCK, max(1, math.prod(cells.shape)))
    direct, copied, constants = [], [], []
    for place, one in enumerate(solver.inputs):
        name = text(one.name)
        if name in cells.inputs:
            values = np.asarray(cells.inputs[name], np.float64)
            if values.shape == cells.shape and values.flags.c_contiguous:
                direct.append((place, values))
                continue
            copied.append((np.broadcast_to(values, cells.shape), np.empty(most)))
            addresses[place] = copied[-1][1].ctypes.data
        elif name in given and not math.isnan(solver.values[place]):  # NaN: the solver computes what follows arrays
            constant = np.full(most, solver.values[place])
            addresses[place] = constant.ctypes.data
            constants.append(constant)

    def fill(block: Block, first: int, count: int) -> None:
        for place, values in direct:
            addresses[place] = values.ctypes.data + 8 * first
        for values, scratch in copied:
            part = values[block]
            np.copyto(scratch[:count].reshape(part.shape), part)
    return addresses, fill, constants


def output_columns(solver: c.Solver,
                   values: dict[int, Array]) -> tuple[c.Addresses, Callable[[int, int, Block | None], None]]:
    """The addresses of the outputs, and a function that sets them before a block is solved (block is None),
    and afterwards converts doubles of the library to the types of the result."""
    addresses = (ctypes.c_void_p * c.MAX_OUTPUTS)()
    flat = {place: array.reshape(-1) for place, array in values.items()}
    lengths = {place: max(1, solver.theory.outputs[place].length) for place in values}
    scratch = {place: np.empty(min(BLOCK * lengths[place], max(1, flat[place].size)))
               for place in values if values[place].dtype != np.float64}

    def keep(first: int, count: int, block: Block | None) -> None:
        for place, array in flat.items():
            start, size = first * lengths[place], count * lengths[place]
            if place in scratch and block is None:
                addresses[place] = scratch[place].ctypes.data
            elif place in scratch:
                np.copyto(array[start:start + size], scratch[place][:size], casting="unsafe")
            elif block is None:
                addresses[place] = array.ctypes.data + 8 * start
    return addresses, keep


# ---------------------------------------------------------------------------------------- results

def outputs_of(solver: c.Solver, cells: Cells, given: Given, wanted: list[int], values: dict[int, Array],
               outcome: Array) -> dict[str, xr.Variable]:
    """The outputs, with the attributes of a map file."""
    theory = solver.theory
    si = c.dimensional(solver, given)
    variables, common = {}, common_names(theory)
    for place in wanted:
        output = output_of(theory, theory.outputs[place])
        dims = cells.dims + ((output.dimension,) if output.dimension else ())
        variables[output.name] = make_variable(dims, values[place], {
            "long_name": output.label, "description": output.meaning,
            "units": output.unit if output.own_unit or si else "1",
            **flags({0: "none", **{code: name for code, (name, _) in output.categories.items()}}
                    if output.categories else {}, common)})
    names = {code: text(library().imp_outcome_name(code)) for code in range(OUTCOMES)}
    variables["outcome"] = make_variable(cells.dims, outcome.view(np.int8), {
        "long_name": "outcome", "units": "1",
        "description": "result of the cell: solved, or the reason why not", **flags(names)})
    return variables


def attributes(solver: c.Solver, given: Given) -> Attributes:
    theory = solver.theory
    return {"theory": text(theory.name),
            "summary": text(theory.title), "references": text(theory.source),
            "residual_identity": text(theory.residual), "results_version": theory.results_version,
            "program": "impactsweep", "program_version": text(library().imp_version())}


def flags(names: dict[int, str], common: dict[str, str] = {}) -> Attributes:
    """As a map has them; common: names of modes that other theories have by other names."""
    shared = " ".join(common.get(name, name) for name in names.values())
    meanings = " ".join(names.values())
    return {"flag_values": np.array(list(names), np.int8), "flag_meanings": meanings,
            **({"flag_common": shared} if shared != meanings else {})} if names else {}


def coordinates(solver: c.Solver, cells: Cells, given: Given, wanted: list[int]) -> dict[str, xr.Variable]:
    """The inputs of the cells: arrays along their dimensions, constants, choices; and coordinates of
    DataArrays."""
    found = {name: one.variable if isinstance(one, xr.DataArray) else make_variable(*one)
             for name, one in cells.coords.items()}
    own = units_of(solver)
    for place, one in enumerate(solver.inputs):
        name, value = text(one.name), solver.values[place]
        attrs = {"long_name": name.replace("_", " "), "description": text(one.meaning),
                 "units": own[name]}
        if name in cells.named or name in cells.inputs and name not in cells.dims:
            dims, values = cells.along[name]
            found[name] = make_variable(dims, values, attrs)
        elif name not in cells.inputs and not math.isnan(value) and name not in cells.dims:
            found[name] = make_variable((), value, attrs)
    for place in range(solver.theory.n_choices):
        choice = solver.theory.choices[place]
        names = [text(choice.options[option].contents.name) for option in range(choice.n_options)]
        name = text(choice.name)
        code = names.index(str(given[name])) if name in given else choice.fallback
        found[name] = make_variable((), np.int8(code), {
            "long_name": name, "description": text(choice.meaning), "units": "1",
            **flags(dict(enumerate(names)))})
    for output in (solver.theory.outputs[place] for place in wanted):
        name = text(output.dimension)
        if name:
            found[name] = make_variable(name, np.arange(1, output.length + 1), {
                "long_name": name, "description": "number of the value", "units": "1"})
    return found


def title_of(theory: str, given: Given) -> str:
    scalars = [f"{name} {value}" for name, value in given.items() if not is_array(value)]
    return ", ".join([theory, *scalars])
