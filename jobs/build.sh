#!/usr/bin/env bash
# Configures and builds the program in a folder, and counts the steps as it goes:
#   jobs/build.sh FOLDER [OPTIONS of cmake] [-- OPTIONS of cmake --build]
# FOLDER/build.log has the whole output, which is shown if the build fails.
set -euo pipefail

project=$(cd "$(dirname "$0")/.." && pwd)
build=$1
shift
options=()
while [ $# -gt 0 ] && [ "$1" != -- ]; do
    options+=("$1")
    shift
done
mkdir -p "$build"

# Ninja begins its lines with [STEP/STEPS]. On a terminal one line counts; elsewhere every tenth has a line.
count_steps() {
    local line tenth shown=0
    while IFS= read -r line; do
        [[ $line =~ ^\[([0-9]+)/([0-9]+)\] ]] || continue
        tenth=$((10 * BASH_REMATCH[1] / BASH_REMATCH[2]))
        if [ -t 2 ]; then
            printf '\rbuilding in %s: step %d of %d ' "$build" "${BASH_REMATCH[1]}" "${BASH_REMATCH[2]}" >&2
        elif [ "$shown" -eq 0 ] || [ "$tenth" -ge "$shown" ]; then
            echo "building in $build: step ${BASH_REMATCH[1]} of ${BASH_REMATCH[2]}" >&2
        fi
        shown=$((tenth + 1))
    done
    if [ -t 2 ] && [ "$shown" -gt 0 ]; then
        echo >&2
    fi
}

if ! { cmake -S "$project" -B "$build" "${options[@]}" && cmake --build "$build" "${@:2}"; } 2>&1 |
    tee "$build/build.log" | count_steps; then
    cat "$build/build.log" >&2
    exit 1
fi
