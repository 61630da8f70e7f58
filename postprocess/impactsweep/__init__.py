"""What the figures share: files, dimensions, labels, looks; and one module for each kind of figure.

A kind of figure has `add_options(parser)` and `make(options, notes)`, which returns the figure;
`command.run` does the rest, and `choose` knows which kind suits a file.
"""
import os

# A running sweep holds the lock of its file; a reader needs none. Must precede the HDF5 library.
os.environ["HDF5_USE_FILE_LOCKING"] = "FALSE"
