"""Recipe for Spack 1.0 and later, to be built from a clone: see jobs/packages/README.md."""
from spack.package import *
from spack_repo.builtin.build_systems.cmake import CMakePackage


class Impactsweep(CMakePackage):
    """Sweeps over parameters of impact with friction: maps of contact modes, restitution, impulses and
    losses on one core or under MPI, a C library and a Python package."""

    license("BSD-3-Clause")

    version("main")
    version("1.0.0")

    variant("mpi", default=True, description="Run on many processes")
    variant("petsc", default=True, when="+mpi", description="Theories of finite elements (beam)")
    variant("python", default=True, description="Install the Python package")

    depends_on("c", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("libyaml")
    depends_on("hdf5@1.10: +hl")
    depends_on("hdf5 ~mpi", when="~mpi")
    depends_on("mpi@3:", when="+mpi")
    depends_on("petsc@3.18:", when="+petsc")

    with when("+python"):
        extends("python@3.9:")
        depends_on("py-numpy", type="run")
        depends_on("py-pandas", type="run")
        depends_on("py-xarray", type="run")
        depends_on("py-h5py", type="run")
        depends_on("py-h5netcdf", type="run")

    conflicts("%gcc@:8", msg="gcc 9 or later is needed")

    def cmake_args(self):
        args = [
            self.define("IMPACT_TESTS", False),
            self.define_from_variant("IMPACT_MPI", "mpi"),
            self.define("IMPACT_PETSC", "on" if self.spec.satisfies("+petsc") else "off"),
        ]
        if self.spec.satisfies("+mpi"):
            args.append(self.define("MPI_C_COMPILER", self.spec["mpi"].mpicc))
        if self.spec.satisfies("+python"):
            args.append(self.define("IMPACT_PYTHON_DIR", python_purelib))
        return args

    def test_cell(self):
        """solve one cell"""
        program = which(self.prefix.bin.impactsweep)
        text = program("cell", "rigid", "body=rod", "angle=30deg", "friction=0.3", "restitution=0.5",
                       "velocity_ratio=1", output=str.split)
        check_outputs(["outcome +solved"], text)
