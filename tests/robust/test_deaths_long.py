"""The long campaign of killed ranks; prints one line of figures."""
import deaths

RUNS = 200


class Campaign(deaths.Deaths):
    def test_long_campaign(self):
        print(deaths.campaign(self, 24, RUNS))
