#!/usr/bin/python3
"""A campaign of hostile texts: IMPACT_SEEDS pages, 3,000 unless that is set."""
import os
import sys
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from hostile_pages import HostilePages


class Long(HostilePages):
    def test_hostile_texts(self):
        self.check_seeds(range(10**6, 10**6 + int(os.environ.get("IMPACT_SEEDS", "3000"))))


del HostilePages
if __name__ == "__main__":
    unittest.main()
