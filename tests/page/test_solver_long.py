"""The solver in pages: 1,000 cells of every theory, law and body have the bits of the program."""
import node
from test_solver import Cells as Base


class Long(Base):
    def test_a_thousand_cells(self):
        self.check_cells(1000)


del Base
if __name__ == "__main__":
    node.main()
