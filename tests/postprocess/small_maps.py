"""Writes small maps for the tests of figures: any axes and outputs, with the categories of these tests."""
import netCDF4
import numpy as np

MODES = "none gross_stick stick_slip slip_stick_slip_reversed wedge"
OUTCOMES = "pending solved outside no_convergence not_finite budget library_error guest_failed not_repeated"
STICK, REVERSED, WEDGE = 1, 3, 4


def set_flags(variable, names):
    codes = np.arange(len(names.split()), dtype="i1")
    variable.setncatts({"flag_values": codes, "flag_meanings": names})


def write_map(path, axes, outputs):
    """axes: {name: (values, units or names of options)}; outputs: {name: (values, attributes)}."""
    with netCDF4.Dataset(path, "w") as file:
        for name, (values, unit) in axes.items():
            file.createDimension(name, len(values))
            variable = file.createVariable(name, np.asarray(values).dtype, (name,))
            variable[:] = values
            if " " in unit:
                set_flags(variable, unit)
            else:
                variable.units = unit
        for name, (values, attributes) in outputs.items():
            variable = file.createVariable(name, values.dtype, tuple(axes), fill_value=False)
            variable[:] = values
            if name in ("mode", "outcome"):
                set_flags(variable, MODES if name == "mode" else OUTCOMES)
            variable.setncatts(attributes)
        file.createDimension("run_rows", 2)
        file.createVariable("run_ranks", "i4", ("run_rows",))[:] = 1
