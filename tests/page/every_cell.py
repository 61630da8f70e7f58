"""Cells of every theory, law and body, solved in a page and by the program."""
import json
import os
import subprocess


def cells(number):
    """[theory, {input: number or word}, what the program prints], so many of each theory, law and body."""
    made = subprocess.run([os.path.join(os.environ["IMPACT_BUILD"], "tests", "cells"), str(number)], capture_output=True,
                          text=True, check=True).stdout
    found = []
    for line in made.splitlines():
        theory, *words, printed = line.split("\t")
        if printed.startswith("{"):
            found.append([theory, {name: value_of(text) for name, text in (word.split("=", 1) for word in words)}, json.loads(printed)])
    return found


def value_of(text):
    try:
        return float(text)
    except ValueError:
        return text


# The texts of the cells that a page solves; a number as JSON has its shortest text, which has all its bits.
SOLVE = "return JSON.stringify(await Promise.all(given[0].map(([theory, inputs]) => impactsweep.cell(theory, inputs))));"


def compare(test, run_script, number):
    """Solves cells in a page; returns how many it compared."""
    wanted = cells(number)
    found = json.loads(run_script(SOLVE, [one[:2] for one in wanted]))
    for (theory, inputs, printed), solved in zip(wanted, found, strict=True):
        assert solved == printed, f"{theory} {inputs}"
    return len(wanted)
