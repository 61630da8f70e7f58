"""The campaign: several thousand spoilt maps, each given to every command that reads maps."""
import os

import maps
import support

PER_MAP = int(os.environ.get("IMPACT_MUTATIONS", "400"))


class SpoiltMaps(support.Case):
    def test_campaign(self):
        campaign = maps.Campaign(self)
        chosen = campaign.mutations(per_map=PER_MAP, seed=1, bytes_per_map=40)
        tried = campaign.attack_all(chosen, resume_every=4)
        campaign.report()
        assert tried >= 2 * PER_MAP
        assert campaign.faults == []
