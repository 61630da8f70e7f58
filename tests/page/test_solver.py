"""The solver in pages, under node: cells, histories and messages are those of the program, for every theory that
needs no PETSc with every law and body."""
import json
import os
import subprocess

import node

CELLS = 30  # of every theory, law and body
PENDULUM = ["body=pendulum", "angle=30deg", "friction=0.3", "stiffness_ratio=1.21"]


def printed(*words, code=0):
    done = subprocess.run([node.PROGRAM, *words], capture_output=True, text=True)
    if done.returncode != code:
        raise AssertionError(f"{words}: {done.returncode}, {done.stderr}")
    return done.stderr if code else done.stdout


def cells(number):
    """Lines of the program `cells`."""
    return subprocess.run([os.path.join(node.BUILD, "tests", "cells"), str(number)], capture_output=True, text=True,
                          check=True).stdout


class Cells:
    def check_cells(self, number):
        text = cells(number)
        compared, messages = map(int, node.run("cells.mjs", text).split())
        assert compared + messages == text.count("\n")
        assert compared > 90 * number


class Solver(Cells):
    def test_theories_are_those_of_models(self):
        known = json.loads(node.run("theories.mjs", ""))
        assert known == json.loads(printed("models", "--json"))

    def test_cells_have_the_bits_of_the_program(self):
        self.check_cells(CELLS)

    def test_the_lines_are_those_of_the_program(self):
        for line in cells(1).splitlines()[::5]:
            *words, expected = line.split("\t")
            if expected.startswith("{"):
                assert json.loads(printed("cell", *words, "--json")) == json.loads(expected)
            else:
                assert printed("cell", *words, code=2).replace("\n", "|") == expected

    def test_histories_have_the_bits_of_the_program(self):
        with_history = {theory["name"] for theory in json.loads(printed("models", "--json")) if "history" in theory}
        calls = []
        for line in cells(1).splitlines():
            theory, *words, expected = line.split("\t")
            if theory in with_history and '"outcome": "solved"' in expected:
                calls.append([theory, words, printed("trace", theory, *words)])
        assert len(calls) > 60
        assert int(node.run("traces.mjs", json.dumps(calls))) > 401 * len(calls)

    def test_messages_are_those_of_the_program(self):
        calls = [["cell", "compliant", words] for words in (
            [], ["body=pendulum"], [*PENDULUM, "friciton=0.3"], [*PENDULUM, "law=herz"], ["body=ball", *PENDULUM[1:]],
            ["body=pendulum", "angle=30grad", "friction=-1", "stiffness_ratio=1,21"], [*PENDULUM, "poisson_ratio=0.3"],
            [*PENDULUM, "Infinity=1"], [*PENDULUM, "angel=x\u00e4\"<b>"], [*PENDULUM, "mass=1e999"],
            ["body=pendulum", "angle=NaN", "friction=Infinity", "stiffness_ratio=-Infinity"])]
        calls += [["cell", theory, PENDULUM] for theory in ("complaint", "", "swerve", "rigid")]
        calls += [["trace", "compliant", ["body=pendulum"]]]
        for (method, theory, words), found in zip(calls, json.loads(node.run("messages.mjs", json.dumps(calls)))):
            assert f"{found}\n" == printed(method, theory, *words, code=2)

    def test_maps_do_not_depend_on_the_order_of_their_axes(self):
        assert int(node.run("orders.mjs", "")) == 35

    def test_hostile_values_end_in_messages(self):
        assert int(node.run("hostile.mjs", "")) > 3000

    def test_the_program_carries_the_module(self):
        with open(node.MODULE, "rb") as module, open(node.PROGRAM, "rb") as program:
            assert module.read() in program.read()

    def test_a_text_with_a_unit_is_read_as_the_program_reads_it(self):
        found, = json.loads(node.run("messages.mjs", json.dumps([["cell", "compliant", PENDULUM]])))
        assert found == json.loads(printed("cell", "compliant", *PENDULUM, "--json"))
