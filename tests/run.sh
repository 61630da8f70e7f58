#!/usr/bin/env bash
# Runs the tests: installs missing packages (with apt, after saying so), builds with warnings as errors, runs
# ctest, by default without the label `long`. Arguments go to ctest, for instance: tests/run.sh -L long
set -euo pipefail

project=$(cd "$(dirname "$0")/.." && pwd)
build=$project/build/tests
"$project/jobs/packages.sh" build figures tests
# Slurm is not available everywhere; without it its tests are skipped.
"$project/jobs/packages.sh" slurm || echo "tests/run.sh: Slurm is missing; its tests are skipped" >&2

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
