"""`info` of a map that is being written: counts of one snapshot, and the writing process."""
import time
import unittest

from support import Case, null_config


class WhileWriting(Case):
    def test_counts_are_of_one_snapshot_and_the_writer_is_named(self):
        self.write("x.yaml", null_config(200000, "2e-5"))
        process = self.start("run", "x.yaml", "-o", "x.h5", "--progress", "none")
        self.wait_for_file("x.h5")
        seen = 0
        while process.poll() is None:
            said = self.info("x.h5")
            counted = sum(said["outcomes"].values()) - said["outcomes"].get("pending", 0)
            self.assertEqual(counted, said["done"])
            self.assertLessEqual(sum(said.get("modes", {}).values()), said["done"])
            if process.poll() is None and not said["complete"]:
                text = self.good("info", "x.h5")
                if process.poll() is None and "complete" not in text:
                    self.assertRegex(text, rf"(?m)^state +is being written by process {process.pid} ")
                    seen += 1
            time.sleep(0.2)
        self.assertGreater(seen, 0)
        self.assertNotIn("being written", self.good("info", "x.h5"))


if __name__ == "__main__":
    unittest.main()
