"""Cells and histories computed by libimpact, maps computed by the program."""
