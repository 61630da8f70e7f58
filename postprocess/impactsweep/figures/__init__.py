"""The figures of plot.py: a command line, a module for each kind of figure, and the parts that kinds share."""
