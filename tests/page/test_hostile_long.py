"""A campaign of hostile texts: IMPACT_SEEDS pages, 3,000 unless that is set."""
import os

from hostile_pages import HostilePages


class Long(HostilePages):
    def test_hostile_texts(self):
        self.check_seeds(range(10**6, 10**6 + int(os.environ.get("IMPACT_SEEDS", "3000"))))


del HostilePages
