"""As test_menus.py, in the page of theories with those that it leaves out."""
import json

from browser import program
import test_menus

test_menus.THEORIES = [theory["name"] for theory in json.loads(program("models", "--json"))
                       if theory["name"] not in test_menus.THEORIES]
Menus = test_menus.Menus
