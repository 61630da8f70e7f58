#!/usr/bin/env bash
# Runs tests: installs missing packages (with apt, after saying so), builds with warnings as errors, runs ctest.
#   tests/run.sh              the tests with the label quick: a verdict in four minutes
#   tests/run.sh --all        every test but those with the label long, which take hours
#   tests/run.sh ARGUMENTS    those that ctest takes, for instance -L long, or -R install
set -euo pipefail

project=$(cd "$(dirname "$0")/.." && pwd)
build=$project/build/tests
target=all
case ${1:-} in
    "") target=quick && set -- -L quick ;;
    --all) set -- -LE long "${@:2}" ;;
esac

packages() {
    "$project/jobs/packages.sh" "$@"
}

# What some tests need, and is not available everywhere: without it they are skipped.
one_by_one() {
    for purpose in "$@"; do
        packages "$purpose" || echo "tests/run.sh: no packages for $purpose; what needs them is skipped" >&2
    done
}

# All together is quicker. What no compiler looks for is installed while the project is built.
if [ "$target" = quick ]; then
    packages build tests
    packages figures &
else
    packages build tests report cache || { packages build tests && one_by_one report cache; }
    { packages figures matrix guests pages slurm || { packages figures && one_by_one matrix guests pages slurm; }; } &
fi
installed=$!
# Tests build the project seven times more; a file that is compiled as it was before comes from this cache, also in a
# copy of the project whose paths begin elsewhere. It asks the compiler for what a file includes, not the preprocessor before it.
if [ "$target" = all ] && command -v ccache >/dev/null; then
    export CMAKE_C_COMPILER_LAUNCHER=ccache CCACHE_DIR="$build/ccache" CCACHE_BASEDIR="$project" CCACHE_NOHASHDIR=1 \
        CCACHE_IGNOREOPTIONS=-Werror CCACHE_SLOPPINESS=locale CCACHE_DEPEND=1
fi

# Memory in large pages, which a process keeps until it ends: page faults are a tenth of the time of compilers and tests.
export GLIBC_TUNABLES=glibc.malloc.hugetlb=1:glibc.malloc.top_pad=4194304
GLIBC_TUNABLES+=:glibc.malloc.mmap_threshold=268435456:glibc.malloc.trim_threshold=268435456

# Tests start the program thousands of times; with the archive of HDF5 a start takes 15 ms of a core instead of 40, at a fixed
# address 13.
"$project/jobs/build.sh" "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DIMPACT_WERROR=ON -DIMPACT_TESTS=ON -DIMPACT_STATIC=ON \
    -DCMAKE_EXE_LINKER_FLAGS=-no-pie -- --target "$target"
wait "$installed"

if [ "$(id -u)" -eq 0 ]; then
    export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
fi
# Ranks of one machine need no driver of a network and no graphics card, of which Open MPI would load many at every start; nor a
# table of two megabytes for each job. A start of two ranks takes a quarter less.
export OMPI_MCA_pml=ob1 OMPI_MCA_btl=self,vader OMPI_MCA_shmem=mmap OMPI_MCA_osc=sm OMPI_MCA_op=^avx \
    OMPI_MCA_coll=^han,adapt,monitoring,sync PMIX_MCA_gds=hash \
    HWLOC_PLUGINS_BLACKLIST=hwloc_gl.so,hwloc_opencl.so,hwloc_xml_libxml.so,hwloc_pci.so
# Two more at a time than there are cores, as tests of ranks and browsers also wait; with four more the whole takes as long.
exec ctest --test-dir "$build" --output-on-failure -j "$(($(nproc) + 2))" "$@"
