#!/usr/bin/env bash
# Every test: installs what tests need (apt, says so first), builds with warnings as errors, runs
# ctest. Arguments go to ctest, for instance: tests/run.sh -L long
set -euo pipefail

project=$(cd "$(dirname "$0")/.." && pwd)
build=$project/build/tests
"$project/jobs/packages.sh" build figures tests
# Without a Slurm its tests say so and are skipped; it is not everywhere to be had.
"$project/jobs/packages.sh" slurm || echo "tests/run.sh: no Slurm: its tests will be skipped" >&2

mkdir -p "$build"
if ! { cmake -S "$project" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DIMPACT_WERROR=ON \
        -DIMPACT_TESTS=ON && cmake --build "$build"; } >"$build/build.log" 2>&1; then
    cat "$build/build.log" >&2
    exit 1
fi

if [ "$(id -u)" -eq 0 ]; then
    export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
fi
if [ $# -eq 0 ]; then
    set -- -LE long
fi
exec ctest --test-dir "$build" --output-on-failure -j "$(nproc)" "$@"
