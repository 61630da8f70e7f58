"""Which parameters make a theory agree with measured impacts, and which law agrees best.

A fit is a sweep: every impact under every choice of the parameters, on a coarse grid, then on finer ones
around the best; an optimiser of SciPy ends it. Intervals and cross-validation choose among the points that
were swept, so that they cost nothing more.
"""
from __future__ import annotations

import itertools
import os
import tempfile
from dataclasses import dataclass, field
from typing import Any, Callable, Iterable, Mapping, Sequence, Union

import numpy as np
import pandas as pd

from .. import checks
from ..errors import InputError
from ..library.theories import describe
from ..solving.cells import declared, solve
from ..solving.running import run
from ..values import Mask, Reals, Whole
from . import arguments
from .arguments import formula_of
from .impacts import Data, Impacts

Given = dict[str, Union[float, str, Reals]]  # numbers, formulas, values of every impact
Parameters = Mapping[str, Union[float, Reals]]
DERIVED = ("velocity_ratio", "normal_speed")  # a constrained body needs not both
OUTPUTS = ["kinematic_restitution", "velocity_ratio_out"]
POINTS = {1: 65, 2: 17, 3: 9}   # of the coarse grid on each axis, by the number of axes
FINE = {1: 41, 2: 13, 3: 7}     # of the finer ones
MOST_ROUNDS, MOST_KEPT, ZOOMS, AT_ONCE = 6, 256, 6, 1 << 20
MOST_ROWS = 1 << 18             # of a table, which the program takes up to 64 MiB
WORST_AT_LEAST = 1.0            # the error of a body that stays where it touched


# Losses of errors [point][impact] with weights [draw][impact], how often each draw has each impact:
# [draw][point].

def median(errors: Reals, weights: Reals) -> Reals:
    """The lower one where the number of impacts is even."""
    order = np.argsort(errors, axis=1)
    ranked, found = np.take_along_axis(errors, order, axis=1), []
    for draw in weights:
        count = np.cumsum(draw[order], axis=1)
        at = np.argmax(count >= draw.sum() / 2, axis=1)[:, None]
        found.append(np.take_along_axis(ranked, at, axis=1)[:, 0])
    return np.array(found)


def mean(errors: Reals, weights: Reals) -> Reals:
    return np.asarray(weights @ errors.T / weights.sum(axis=1, keepdims=True))


def huber(errors: Reals, weights: Reals, knee: float = 0.1) -> Reals:
    """Squares up to the knee, straight lines beyond."""
    return mean(np.where(errors <= knee, np.square(errors) / (2 * knee), errors - knee / 2), weights)


KEYWORDS = ("over", "choose", "fixed", "columns", "per_impact", "loss", "ranks", "resamples", "folds", "level", "seed",
            "tolerance", "cell_budget", "variables")
Loss = Callable[[Reals, Reals], Reals]
LOSSES: dict[str, Loss] = {"median": median, "mean": mean, "huber": huber}


def loss_of(name: str, errors: Reals) -> float:
    """Of one set of errors."""
    return float(LOSSES[name](errors[None], np.ones((1, len(errors))))[0, 0])


@dataclass
class Fit:
    """The best parameters of one theory, and how far it is from the measurements.

    best, low, high: {parameter: value}; low and high are the ends of the bootstrap intervals, which contain the best
    value. A parameter per impact is an array, without interval. errors: relative, one for each impact. held_out: errors of impacts
    whose parameters were chosen without them. unanswered: impacts to which the theory has no answer (wedges);
    they count as the worst. draws: {parameter: array} of the bootstrap, in SI: the shared parameters that are best for
    each resample, which keep their relations; as a table they are the joint draws of uncertain parameters.
    """
    theory: str
    choose: dict[str, str]
    best: dict[str, float | Reals]
    low: dict[str, float]
    high: dict[str, float]
    loss: str
    errors: Reals
    held_out: Reals
    unanswered: int
    at_edge: list[str]
    predicted: Reals = field(repr=False)
    impacts: Impacts = field(repr=False)
    draws: dict[str, Reals] = field(repr=False, default_factory=dict)

    @property
    def name(self) -> str:
        return " ".join([self.theory, *(str(option) for name, option in self.choose.items()
                                        if name != "body")])

    def row(self) -> dict[str, object]:
        """One line of a table."""
        parameters = {}
        for name, value in self.best.items():
            if np.ndim(value):
                parameters[name] = f"{np.median(value):.4g} (median)"
            else:
                parameters[name] = f"{value:.4g} ({self.low[name]:.4g} to {self.high[name]:.4g})"
        return {"law": self.name, "median": float(np.median(self.errors)),
                "90 %": float(np.quantile(self.errors, 0.9)),
                "held out": loss_of(self.loss, self.held_out),
                "unanswered": self.unanswered, **parameters}


# ----------------------------------------------------------------------------------- the sweeps

@dataclass
class Model:
    """A theory with its choices made, as a function from parameters to errors of every impact."""
    theory: str
    choose: dict[str, str]
    fixed: dict[str, float | str]
    impacts: Impacts
    ranks: int = 0
    solver: arguments.Solver = field(default_factory=lambda: arguments.Solver())

    def errors(self, parameters: Parameters) -> tuple[Reals, Mask]:
        """Errors and whether there is an answer, [...impact]; the last axis of each parameter is one, or the
        impacts."""
        contact = self.contact_after(parameters)
        errors = self.impacts.errors(contact, self.radius(parameters))
        answered = np.isfinite(errors)
        worst = np.max(errors, initial=WORST_AT_LEAST, where=answered)
        return np.where(answered, errors, worst), answered

    def radius(self, parameters: Parameters) -> Reals | float | None:
        radius = parameters.get("gyration_radius", self.fixed.get("gyration_radius"))
        if isinstance(radius, str):
            raise InputError("gyration_radius follows a formula; the errors of measured motion need a number")
        return radius

    def contact_after(self, parameters: Parameters) -> tuple[Reals, Reals]:
        """Velocity of the contact point after, [t, n][...impact]; NaN without an answer."""
        of_impacts = {name: values for name, values in self.impacts.cells().items()
                      if name not in DERIVED or self.takes(name)}
        given: Given = {**of_impacts, **self.fixed, **parameters}
        scale: Reals | float = (1 + np.asarray(given.pop("restitution"))) / 2 if self.is_elastic(given) else 1.0
        shape = np.broadcast_shapes((len(self.impacts),), *(np.shape(v) for v in parameters.values()))
        restitution, ratio = self.run(given, shape) if self.ranks else self.solve(given, shape)
        before = self.impacts.contact
        after = ratio * -before[1], restitution * -before[1]
        tangential, normal = (one + scale * (other - one) for one, other in zip(before, after))
        return tangential, normal

    def is_elastic(self, given: Given) -> bool:
        """Whether a restitution is given to a theory that has none: then it scales the impulses of the elastic
        impact, by (1 + e) / 2."""
        return "restitution" in given and not self.takes("restitution")

    def takes(self, name: str) -> bool:
        """Whether a parameter applies to the choices that are made."""
        known = describe(self.theory)
        defaults = {choice: one.default for choice, one in known.choices.items()}
        chosen = {f"{choice}={option}" for choice, option in {**defaults, **self.choose}.items()}
        own = known.inputs.get(name)
        return own is not None and (not own.applies_to or bool(chosen & set(own.applies_to)))

    def solve(self, given: Given, shape: tuple[int, ...]) -> list[Reals]:
        columns = {name: formula_of(value) or np.broadcast_to(value, shape) for name, value in given.items()}
        inputs: dict[str, Any] = {**self.choose, **self.solver, **columns}
        found = solve(self.theory, outputs=OUTPUTS, **inputs)
        return [found[name].values.reshape(shape) for name in OUTPUTS]

    def run(self, given: Given, shape: tuple[int, ...]) -> list[Reals]:
        """By the program, on several ranks: maps along tables."""
        formulas = {name: {"equals": formula.strip()[1:]} for name, value in given.items() if (formula := formula_of(value))}
        columns = {name: np.broadcast_to(value, shape).ravel() for name, value in given.items()
                   if name not in formulas}
        parts = [self.run_table({name: column[k:k + MOST_ROWS] for name, column in columns.items()}, formulas)
                 for k in range(0, int(np.prod(shape)), MOST_ROWS)]
        return [np.concatenate(values).reshape(shape) for values in zip(*parts)]

    def run_table(self, columns: Mapping[str, Reals], formulas: Mapping[str, object]) -> list[Reals]:
        with tempfile.TemporaryDirectory(prefix="impactsweep-") as folder:
            table = os.path.join(folder, "cells.csv")
            with open(table, "w", encoding="utf-8") as file:
                file.write(",".join(columns) + "\n")
                for row in zip(*(column.tolist() for column in columns.values())):
                    file.write(",".join(map(repr, row)) + "\n")
            found = run({"model": self.theory, "choose": self.choose,
                         **{name: value for name, value in self.solver.items() if name == "variables"},
                         "axes": [{"table": table, "name": "cell"}], "fixed": formulas, "outputs": OUTPUTS},
                        ranks=self.ranks)
        return [found[name].values for name in OUTPUTS]


class Search:
    """Sweeps over the shared parameters; those per impact are chosen for each impact inside."""

    def __init__(self, model: Model, ranges: dict[str, arguments.Range], per_impact: list[str]) -> None:
        self.model, self.ranges = model, ranges
        self.shared = [name for name in ranges if name not in per_impact]
        self.own = [name for name in ranges if name in per_impact]

    def values(self, places: Reals, names: list[str]) -> dict[str, Reals]:
        """{parameter: values} at places [point][parameter]."""
        return {name: self.ranges[name].value(places[..., k]) for k, name in enumerate(names)}

    def errors(self, places: Reals) -> Reals:
        """[point][impact] at places [point][shared parameter], a part of the points at a time."""
        inner = FINE.get(len(self.own), 5) ** len(self.own)
        part = max(1, AT_ONCE // (len(self.model.impacts) * inner))
        return np.concatenate([self.choose_own(places[k:k + part])[0]
                               for k in range(0, len(places), part)])

    def choose_own(self, places: Reals) -> tuple[Reals, Mask, dict[str, Reals]]:
        """(errors, answered, {parameter per impact: values}), each [point][impact]."""
        shared = {name: value[:, None, None] for name, value in self.values(places, self.shared).items()}
        shape, ends = (len(places), len(self.model.impacts)), len(self.own)
        centre, reach = np.full((*shape, ends), 0.5), 0.5
        for _ in range(ZOOMS if self.own else 1):
            steps = grid(FINE.get(ends, 5), ends)[None, :, None, :] if ends else np.zeros((1, 1, 1, 0))
            tried = np.clip(centre[:, None] + reach * (2 * steps - 1), 0, 1)
            errors, answered = self.model.errors({**shared, **self.values(tried, self.own)})
            errors = np.broadcast_to(errors, (shape[0], tried.shape[1], shape[1]))
            best = errors.argmin(axis=1)[:, None]
            centre = np.take_along_axis(tried, best[..., None], axis=1)[:, 0] if ends else centre
            reach *= 2 / (FINE.get(ends, 5) - 1)
        errors, answered = (np.take_along_axis(np.broadcast_to(one, errors.shape), best, axis=1)[:, 0]
                            for one in (errors, answered))
        return errors, answered, self.values(centre, self.own)


def grid(points: int, dimensions: int) -> Reals:
    """[point][dimension], from 0 to 1 on each."""
    ticks = np.linspace(0, 1, points)
    return np.array(list(itertools.product(ticks, repeat=dimensions))).reshape(-1, dimensions)


def narrow(search: Search, loss: Loss, draws: Reals) -> tuple[Reals, Reals, Reals]:
    """Sweeps finer and finer around the best; ends where the spread of the resampled best points is a few
    steps wide. Returns (places, errors [point][impact], best place of each draw)."""
    dimensions = len(search.shared)
    places, reach, steps = grid(POINTS.get(dimensions, 5), dimensions), 0.5, POINTS.get(dimensions, 5)
    places, errors = nearest(places, search.errors(places), loss)
    for _ in range(MOST_ROUNDS if dimensions else 0):
        chosen = places[best_of(errors, loss, draws)]
        low, high = chosen.min(axis=0), chosen.max(axis=0)
        step = 2 * reach / (steps - 1)
        if (high - low > 4 * step).all():
            break
        steps = FINE.get(dimensions, 5)
        reach = np.maximum(0.6 * (high - low) + step, 1e-4)
        middle = (low + high) / 2
        fine = np.clip(middle + reach * (2 * grid(steps, dimensions) - 1), 0, 1)
        places, errors = nearest(np.concatenate([places, fine]),
                                 np.concatenate([errors, search.errors(fine)]), loss)
    return places, errors, places[best_of(errors, loss, draws)]


def nearest(places: Reals, errors: Reals, loss: Loss) -> tuple[Reals, Reals]:
    """The points of the least loss: those that a resample may prefer."""
    kept = np.argsort(loss(errors, np.ones((1, errors.shape[1])))[0], kind="stable")[:MOST_KEPT]
    return places[kept], errors[kept]


def best_of(errors: Reals, loss: Loss, draws: Reals) -> Whole:
    """The point of the least loss for each draw."""
    return np.asarray(loss(errors, draws).argmin(axis=1))


def polish(search: Search, loss: Loss, start: Reals) -> Reals:
    """The optimiser: simplices, because medians have no slope."""
    if not search.shared:
        return start
    try:
        from scipy.optimize import minimize
    except ImportError:
        raise InputError("fit needs SciPy (Debian: python3-scipy)") from None
    simplex = np.clip(np.vstack([start, start + 0.02 * np.eye(len(start))]), 0, 1)
    everything = np.ones((1, len(search.model.impacts)))
    found = minimize(lambda x: float(loss(search.errors(x[None]), everything)[0, 0]), start, method="Nelder-Mead",
                     bounds=[(0, 1)] * len(start),
                     options={"initial_simplex": simplex, "maxfev": 200, "xatol": 1e-5, "fatol": 1e-9})
    return found.x


# --------------------------------------------------------------------------------------- the fit

@checks.public
def fit(data: Data | Impacts, theory: str, *, over: Mapping[str, Sequence[object]],
        choose: Mapping[str, str] | None = None, fixed: Mapping[str, object] | None = None,
        columns: Mapping[str, object] | None = None, per_impact: Iterable[str] = (), loss: str = "median",
        ranks: int = 0, resamples: int = 100, folds: int = 5, level: float = 0.95, seed: int = 0,
        tolerance: float | None = None, cell_budget: int = 0, variables: Mapping[str, str] | None = None,
        **others: object) -> Fit:
    """Fits parameters of a theory to measured impacts.

    Args:
        data: a CSV file, a DataFrame or a dict of columns; see `impactsweep.impacts`.
        theory: one with the outputs kinematic_restitution and velocity_ratio_out.
        over: {parameter: (low, high)} or (low, high, "log"): what is fitted, and within which range. To a theory
            of elastic impact `restitution` scales the impulses, by (1 + e) / 2.
        choose: {choice: option}, such as {"law": "poisson"}; the body is a lamina where the motion of the mass
            centre was measured.
        fixed: {parameter: value} of the rest, such as gyration_radius; numbers or texts, "19.4 mm"; a parameter may
            follow others by a formula, such as "= 2 * friction", those that are fitted among them. Parameters are no
            keywords of their own, as they are of `solve`.
        columns: {quantity: column} or {quantity: (column, unit)} of the data.
        per_impact: parameters that each impact has of its own; the others are shared by all.
        loss: median, mean or huber, of the relative errors.
        ranks: 0: in this process; otherwise by the program on so many ranks.
        resamples, level: of the bootstrap intervals. folds: of the cross-validation. seed: of both.
        tolerance: the parameter of theories that have one. cell_budget: as for `solve`; in this process only.
        variables: {name: unit} of names that only formulas read, as for `solve`; they are fixed or fitted as parameters
            are: `variables={"tilt": "rad"}, over={"tilt": (0, 1)}, fixed={"offset_t": "= 0.5 * sin(tilt)"}`.

    >>> truth = solve("rigid", body="lamina", law="newton", offset_t=[0.1, 0.2, -0.1], offset_n=-1.0,
    ...               gyration_radius=0.7, velocity_ratio=0.9, restitution=0.6, friction=0.15)
    >>> after = {"contact_velocity_t_after": truth.velocity_ratio_out.values,
    ...          "contact_velocity_n_after": truth.kinematic_restitution.values}
    >>> before = {"contact_velocity_t_before": [0.9] * 3, "contact_velocity_n_before": [-1.0] * 3}
    >>> found = fit({**before, **after, "offset_t": [0.1, 0.2, -0.1]}, "rigid",
    ...             choose={"body": "lamina", "law": "newton"}, columns={"offset_t": "offset_t"},
    ...             fixed={"offset_n": -1.0, "gyration_radius": 0.7},
    ...             over={"friction": (0.01, 0.5), "restitution": (0.2, 0.9)}, folds=3)
    >>> round(found.best["friction"], 3), round(found.best["restitution"], 3)
    (0.15, 0.6)
    """
    theory = checks.text("theory", theory)
    arguments.refuse_keywords(theory, others, KEYWORDS)
    if not isinstance(loss, str) or loss not in LOSSES:
        raise InputError(f"unknown loss {checks.shown(loss)}; there are: {', '.join(LOSSES)}")
    impacts = arguments.read(data, columns)
    fixed = {**({} if tolerance is None else {"tolerance": tolerance}), **checks.table("fixed", fixed)}
    cell_budget = checks.count("cell_budget", cell_budget, 0)
    units = checks.table("variables", variables)
    declared(units)  # which checks them
    solver = arguments.Solver()
    if cell_budget:
        solver["cell_budget"] = cell_budget
    if units:
        solver["variables"] = units
    options = options_of(choose, impacts)
    given = arguments.Asked(impacts, theory, options, arguments.quantities(theory, fixed, units, options),
                            arguments.ranges(theory, over, units, options, fixed), checks.names("per_impact", per_impact) or [],
                            checks.count("ranks", ranks, 0, 65536),
                            solver)
    resamples = checks.count("resamples", resamples, 1, 10**6)
    folds, level = checks.count("folds", folds, 2), checks.share("level", level)
    arguments.check_together(given, folds)
    random = np.random.default_rng(checks.count("seed", seed, 0))
    model = Model(theory, given.choose, given.fixed, impacts, given.ranks, given.solver)
    return fit_by(Search(model, given.ranges, given.per_impact), loss, resamples, folds, level, random)


def options_of(choose: Mapping[str, str] | None, impacts: Impacts) -> dict[str, str]:
    """The choices of the user; the body is a lamina where the motion of the mass centre was measured."""
    options = {name: checks.text(name, option) for name, option in checks.table("choose", choose).items()}
    if impacts.offsets is not None:
        options.setdefault("body", "lamina")
    return options


def fit_by(search: Search, loss: str, resamples: int, folds: int, level: float, random: np.random.Generator) -> Fit:
    """The best point of a search, its bootstrap intervals and its cross-validation. The first draw has every impact
    once; the others are resamples."""
    score, n = LOSSES[loss], len(search.model.impacts)
    draws = np.vstack([np.ones(n), random.multinomial(n, np.full(n, 1 / n), size=resamples)])
    places, errors, chosen = narrow(search, score, draws)
    place = polish(search, score, chosen[0])
    return assemble(search, place, chosen[1:], (1 - level) / 2, loss,
                    hold_out(errors, score, folds, random))


def hold_out(errors: Reals, loss: Loss, folds: int, random: np.random.Generator) -> Reals:
    """Errors of every impact at the point that is best for the impacts of the other folds."""
    fold = random.permutation(errors.shape[1]) % folds
    rest = fold != np.arange(folds)[:, None]
    return np.asarray(errors[best_of(errors, loss, rest.astype(float))[fold], np.arange(len(fold))])


def assemble(search: Search, place: Reals, chosen: Reals, tail: float, loss: str, held_out: Reals) -> Fit:
    errors, answered, own = search.choose_own(place[None])
    values = search.values(place, search.shared)
    spread = search.values(chosen, search.shared)
    best: dict[str, float | Reals] = {**{name: float(value) for name, value in values.items()},
                                      **{name: value[0] for name, value in own.items()}}
    # Resamples choose among swept points, of which the best value, polished, may be beside all.
    low = {name: min(float(np.quantile(column, tail)), float(values[name])) for name, column in spread.items()}
    high = {name: max(float(np.quantile(column, 1 - tail)), float(values[name])) for name, column in spread.items()}
    model = search.model
    predicted = model.impacts.motion_after(model.contact_after(best), model.radius(best))
    return Fit(model.theory, model.choose, best, low, high, loss, errors[0], held_out,
               int(np.count_nonzero(~answered)),
               [name for k, name in enumerate(search.shared) if not 1e-3 < place[k] < 1 - 1e-3],
               np.array(predicted), model.impacts, spread)


@checks.public
def rank(data: Data | Impacts, candidates: Iterable[Mapping[str, object]], *,
         columns: Mapping[str, object] | None = None, **options: object) -> tuple[pd.DataFrame, list[Fit]]:
    """Fits several theories to the same impacts: (DataFrame, best of the held-out errors first; their fits).

    candidates: keywords of `fit` for each, such as {"theory": "rigid", "choose": {"law": "newton"},
    "over": {...}}. options: keywords of `fit` for all of them.
    """
    impacts = arguments.read(data, columns)
    asked_for = checks.items(candidates)
    if not asked_for:
        raise InputError(f"candidates is {checks.shown(candidates)}; it must be a list of dicts, at least one")
    keywords: list[dict[str, Any]] = [{**options, **checks.table("a candidate", one)} for one in asked_for]
    fits = [fit(impacts, **one) for one in keywords]
    fits.sort(key=lambda one: loss_of(one.loss, one.held_out))
    return pd.DataFrame([one.row() for one in fits]), fits
