"""The same map by 2 to 64 ranks, whoever writes, with fixed and measured chunks and both kinds of checkpoints."""
import growth


class Digests(growth.ManyRanks):
    def test_2_to_64_ranks(self):
        self.check((2, 3, 5, 8, 16, 32, 64), [(), ("--chunk", "13", "--checkpoint", "0")])
