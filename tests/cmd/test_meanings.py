"""Meanings of parameters, options, outputs, modes and columns are written into files one by one: each must be clear
by itself, and the page of the theory must explain its symbols."""
import json
import re

from support import Case

# Words that refer to another text.
POINTERS = re.compile(r"\b(it|its|they|them|likewise)\b|^(the same|the other|of|after|since)\b", re.I)
# A letter, perhaps with a digit, an index or a prime: x, F1, v_n, g'. Not the article, not a unit.
SYMBOL = re.compile(r"(?<![\w'.])(?!a\b)[A-Za-z](?:\d|_[a-z0-9])?'?(?![\w.'-])")
UNITS = re.compile(r"\bN(?: s)?(?:/m(?:\^[\w.]+)?)?|\bkg/m\b")


def texts(theory):
    """Every (place, text) of a theory's page."""
    yield "residual", theory["residual"]
    tables = [theory["parameters"], theory["choices"], theory["outputs"], theory["modes"]]
    tables += [parameter.get("variants", []) for parameter in theory["parameters"]]
    tables += [choice["options"] for choice in theory["choices"]]
    tables += [output.get("codes", []) for output in theory["outputs"]]
    tables += (theory.get("history") or {}).values()
    for table in tables:
        for row in table:
            yield row["name"], row["meaning"]


def names(theory):
    return {row["name"] for key in ("parameters", "outputs") for row in theory[key]} | {
        row["name"] for row in (theory.get("history") or {}).get("columns", [])}


def unexplained(text, known):
    return sorted(set(SYMBOL.findall(UNITS.sub("", text))) - known)


class Meanings(Case):
    def theories(self):
        return json.loads(self.good("models", "--json"))

    def test_each_meaning_is_clear_by_itself(self):
        wrong = [f"{theory['name']}: {place}: '{pointer[0]}' refers to another text: {text}" for theory in self.theories()
                 for place, text in texts(theory) if (pointer := POINTERS.search(text))]
        assert wrong == []

    def test_every_symbol_is_explained(self):
        wrong = []
        for theory in self.theories():
            known = set(re.findall(r"[\w']+", theory["symbols"] or "")) | names(theory)
            for place, text in texts(theory):
                for symbol in unexplained(text, known):
                    wrong.append(f"{theory['name']}: {place}: words, or a place in the theory's symbols, for {symbol} in: {text}")
        assert wrong == []

    def test_the_check_finds_bad_meanings(self):
        for text in ("time of it", "likewise", "the other root", "since first touch", "its rate"):
            assert POINTERS.search(text), text
        assert unexplained("time, per 1/S", set()) == ["S"]
        assert unexplained("f < 0 and g' < 0 of a body, stiffness d^2 v_n", {"v_n"}) == ["d", "f", "g'"]
        assert unexplained("stiffness in N/m^1.5 of Young's modulus", set()) == []
