"""The kinds of figures, by name."""
