"""300 spoilt maps, the same ones in every run: see maps.py, mutations.py, byte_mutations.py."""
import maps
import support


class SpoiltMaps(support.Case):
    def test_sample(self):
        campaign = maps.Campaign(self)
        assert campaign.attack_all(300) >= 230
        assert campaign.ends["info", 0] > 20  # some files are accepted,
        assert campaign.ends["info", 1] > 20  # and some are refused

    def test_the_check_itself_finds_faults(self):
        good = maps.Result(1, "", "impactsweep: error: x: is damaged\n")
        assert maps.fault_of(good, "info") == ""
        assert maps.fault_of(maps.Result(0, "{}", ""), "info") == ""
        for bad in [maps.Result(-11, "", ""), maps.Result(None, "", ""), maps.Result(1, "", ""),
                    maps.Result(3, "", "impactsweep: error: x\n"), maps.Result(0, "", "noise\n"),
                    maps.Result(2, "", "HDF5-DIAG: Error\n"),
                    maps.Result(1, "", "==1==ERROR: AddressSanitizer: SEGV\n")]:
            assert maps.fault_of(bad, "info") != "", bad
        assert maps.Campaign.fault_of_json("{") != ""
