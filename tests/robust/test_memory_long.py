#!/usr/bin/python3
"""Memory that runs out, at all allocations of the program and of the libraries that read text: evenly chosen
ones where a command makes more than 600. Those inside HDF5 are left alone: where one fails, libhdf5
1.10.8 may end the process by itself (exit(-1) in H5I_register, bad accesses in H5F__close_cb, H5CX_pop and
H5T_close). What it reports instead of dying is told apart from what is not there."""
import sys
import unittest

sys.dont_write_bytecode = True
from memory import COMMANDS, OWN, Memory


class Every(Memory):
    def test_the_program_and_its_readers(self):
        for name in COMMANDS:
            with self.subTest(command=name):
                self.campaign(name, OWN, most=600)


if __name__ == "__main__":
    unittest.main()
