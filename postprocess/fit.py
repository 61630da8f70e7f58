#!/usr/bin/python3
"""Fits theories to measured impacts, prints a table that ranks them, and draws their residuals.

    fit.py DATA.csv THEORY KEY=VALUE... [+ THEORY KEY=VALUE...]... [options]

KEY=VALUE as for `impactsweep cell`; KEY=LOW:HIGH or KEY=LOW:HIGH:log is fitted; CHOICE=A,B fits one law after
the other. The data have one row for each impact, with the columns that `impactsweep.impacts` lists or those that
--column names.

    fit.py published/measured/ellipse-impacts.csv -o residuals.png \\
        rigid law=newton,poisson,energetic,compromise friction=0.02:0.6 restitution=0.3:0.9 gyration_radius=0.019416 \\
        + compliant law=linear friction=0.02:0.6 restitution=0.3:0.9 stiffness_ratio=0.1:10:log gyration_radius=0.019416

Exit codes: 0 the table is printed, 2 bad input (one line on stderr for each error, nothing written).
"""
import itertools
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.realpath(__file__)))  # an isolated Python leaves it out
import required

required.check()

import impactsweep
from impactsweep.figures import command, residuals, settings
from impactsweep.inference import fitting, impacts
from impactsweep.errors import InputError

PROGRAM = "fit.py"


def parser():
    made = command.Parser(prog=PROGRAM, description=__doc__.split("\n\n")[0], allow_abbrev=False)
    made.add_argument("data", metavar="DATA.csv", help="measured impacts")
    made.add_argument("words", metavar="THEORY KEY=VALUE", nargs="+", help="what is fitted; + begins another")
    made.add_argument("--column", metavar="QUANTITY=COLUMN[:UNIT]", action="append", default=[],
                      help="the column that holds a quantity; may be repeated")
    made.add_argument("--per-impact", metavar="KEY", action="append", default=[],
                      help="a fitted parameter that each impact has of its own; may be repeated")
    made.add_argument("--loss", choices=tuple(fitting.LOSSES), default="median",
                      help="of the relative errors (default: median)")
    made.add_argument("--ranks", metavar="N", type=int, default=0,
                      help="sweep with the program on N ranks (default: in this process)")
    made.add_argument("--resamples", metavar="N", type=int, default=100, help="of the intervals (100)")
    made.add_argument("--folds", metavar="N", type=int, default=5, help="of the cross-validation (5)")
    made.add_argument("--seed", metavar="N", type=int, default=0)
    made.add_argument("--size", choices=tuple(settings.COLUMNS), default="two", help="columns of a paper")
    made.add_argument("--draws", metavar="FILE.csv", help="the bootstrap of the best law as a table, for the key "
                      "`uncertain` of a config")
    made.add_argument("-o", "--output", metavar="PICTURE", help="residuals as png, pdf or svg")
    return made


def candidates(words):
    """Keywords of fit for every theory and law."""
    groups = [list(group) for plus, group in itertools.groupby(words, lambda word: word == "+") if not plus]
    return [one for theory, *pairs in groups for one in laws_of(theory, pairs)]


def laws_of(theory, pairs):
    choices, over, fixed = {}, {}, {}
    known = impactsweep.describe(theory).choices
    for word in pairs:
        name, equals, text = word.partition("=")
        if not equals or not text:
            raise InputError(f"'{word}': write KEY=VALUE")
        if name in known:
            choices[name] = text.split(",")
        elif ":" in text:
            over[name] = range_of(word, text)
        else:
            fixed[name] = text
    if not over:
        raise InputError(f"{theory}: nothing to fit: write KEY=LOW:HIGH, such as friction=0.02:0.6")
    return [{"theory": theory, "choose": dict(zip(choices, options)), "over": over, "fixed": fixed}
            for options in itertools.product(*choices.values())]


def range_of(word, text):
    low, high, *rest = text.split(":")
    if len(rest) > 1:
        raise InputError(f"'{word}': write KEY=LOW:HIGH or KEY=LOW:HIGH:log")
    return low, high, *rest


def columns_of(words):
    found = {}
    for word in words:
        name, equals, text = word.partition("=")
        column, colon, unit = text.partition(":")
        if not equals or not column:
            raise InputError(f"--column {word}: write QUANTITY=COLUMN or QUANTITY=COLUMN:UNIT")
        found[name] = (column, unit) if colon else column
    return found


def work(arguments, notes):
    options = parser().parse_args(arguments)
    if options.output:
        command.check_picture(options.output)
    chosen = candidates(options.words)
    data = impacts.read(options.data, columns_of(options.column))
    table, fits = fitting.rank(data, chosen, loss=options.loss, ranks=options.ranks,
                               per_impact=options.per_impact, resamples=options.resamples,
                               folds=options.folds, seed=options.seed)
    print(f"{len(data)} impacts; relative errors of the motion after; intervals: 95 % by bootstrap")
    print(table.fillna("").to_string(index=False, float_format="%.4f"))
    for one in fits:
        if one.at_edge:
            notes.append(f"{one.name}: {', '.join(one.at_edge)} at the edge of the range")
        if one.unanswered:
            notes.append(f"{one.name} has no answer to {one.unanswered} impacts, which count as the worst")
    if options.draws:
        write_draws(fits[0], options.draws)
    if options.output:
        with settings.used(settings.Settings(size=options.size)):
            command.save(residuals.draw(fits), options.output)


def write_draws(best, path):
    """The bootstrap of the best law: a column for each parameter, a row for each resample."""
    if not best.draws:
        raise InputError("--draws: every fitted parameter has a value for each impact; there is none to share")
    try:
        with open(path, "w", encoding="utf-8") as file:
            file.write(f"# {best.name}, fitted to {len(best.errors)} impacts: one row for each resample\n")
            file.write(",".join(best.draws) + "\n")
            file.writelines(",".join(map(repr, row)) + "\n" for row in zip(*(one.tolist() for one in best.draws.values())))
    except OSError as reason:
        raise InputError(f"--draws {path}: {reason.strerror}") from None


if __name__ == "__main__":
    sys.exit(command.run(PROGRAM, work))
