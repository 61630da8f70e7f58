#!/usr/bin/python3
"""The long campaign of killed ranks; prints one line of figures."""
import sys
import unittest

sys.dont_write_bytecode = True
import deaths

RUNS = 200


class Campaign(deaths.Deaths):
    def test_long_campaign(self):
        print(deaths.campaign(self, 24, RUNS))


if __name__ == "__main__":
    unittest.main()
