#!/usr/bin/env bash
# Computes the map of any config and draws its figure, on all cores of this machine:
#   jobs/local.sh [CONFIG]        default: configs/pendulum-wedging.yaml
# Installs missing packages (with apt, after saying so), builds, runs, draws. The map and the picture appear
# in the current folder; the key `figure` of the config selects the picture, and without that key the
# contents of the map decide (postprocess/plot.py). After an interruption run the same command again: it
# goes on where it stopped.
set -euo pipefail

project=$(cd "$(dirname "$0")/.." && pwd)
config=${1:-$project/configs/pendulum-wedging.yaml}
# A name that begins with - is a name, not an option.
as_name() { case $1 in -*) printf './%s\n' "$1" ;; *) printf '%s\n' "$1" ;; esac; }
config=$(as_name "$config")
name=$(basename "$config")
name=$(as_name "${name%.*}")
build=$project/build/release

if [ ! -r "$config" ]; then
    echo "jobs/local.sh: cannot read the config $config; usage: jobs/local.sh [CONFIG]" >&2
    exit 2
fi
"$project/jobs/packages.sh" build figures

"$project/jobs/build.sh" "$build" --preset release

# Open MPI refuses more ranks than whole cores, and root, without these variables.
export OMPI_MCA_rmaps_base_oversubscribe=1
if [ "$(id -u)" -eq 0 ]; then
    export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
fi
# The death of a rank other than 0 costs the cells that it had, not the run; mpirun then returns 0 whatever
# happens, so that rank 0 writes the exit code to a file. Runs that start at the same moment would disturb each
# other in a common folder of Open MPI.
export OMPI_MCA_orte_enable_recovery=1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export OMPI_MCA_orte_tmpdir_base=$scratch
status=0
mpirun -n "$(nproc)" "$build/impactsweep" run "$config" -o "$name.h5" --exit-code "$scratch/code" --resume || status=$?
code=$(cat "$scratch/code" 2>/dev/null || echo "$status")
# Without a code no rank has begun; a launcher that failed by itself says so by a code of its own.
if [ "$code" = started ] || { [ "$code" -eq 0 ] && [ ! -e "$scratch/code" ]; }; then
    echo "jobs/local.sh: the run was ended before it could say why; the same command goes on" >&2
    code=75
fi
[ "$code" -eq 0 ] || exit "$code"
figure=$("$build/impactsweep" check "$config" --figure)
"$project/postprocess/plot.py" "$name.h5" -o "$name.png" --figure <(printf '%s\n' "$figure")
echo "map: $name.h5   picture: $name.png"
