"""The test vectors as other programs get them: 10,000 cells of every theory, law and body."""
import test_vectors
import vectors


class Vectors:
    def test_checksums(self):
        made, known = test_vectors.checksums(1, vectors.POINTS, lambda name: True)
        assert len(known) > 90
        assert made == known
