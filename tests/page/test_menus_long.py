#!/usr/bin/python3
"""As test_menus.py, in the page of theories with those that it leaves out."""
import json
import os
import sys
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from browser import program
import test_menus

test_menus.THEORIES = [theory["name"] for theory in json.loads(program("models", "--json"))
                       if not theory["needs_petsc"] and theory["name"] not in test_menus.THEORIES]
Menus = test_menus.Menus

if __name__ == "__main__":
    unittest.main()
