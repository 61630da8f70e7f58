"""The campaign: several thousand spoilt maps, each given to every command that reads maps."""
import os

import maps
import support

PER_MAP = int(os.environ.get("IMPACT_MUTATIONS", "400"))


class SpoiltMaps(support.Case):
    def test_campaign(self):
        campaign = maps.Campaign(self)
        examples = PER_MAP * len(campaign.maps)
        assert campaign.attack_all(examples) >= examples / 2
