#!/usr/bin/env bash
# Compares `write: parallel` with `write: gather` on two ranks, in turn, every output in float64:
#   tests/bench/writers.sh IMPACTSWEEP [RUNS]
# Prints the seconds of computing and the last sync, and the ratio of their sums.
set -euo pipefail

program=$1
runs=${2:-5}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
if [ "$(id -u)" -eq 0 ]; then
    export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
fi
# cheap: 5 million cells of a fraction of a microsecond; dear: 200,000 cells of 10 us
cat >"$folder/cheap.yaml" <<'YAML'
model: compliant
choose: {body: pendulum, law: linear}
axes:
  - {param: angle,    from: 0.1 deg, to: 89.9 deg, points: 2500}
  - {param: friction, from: 0.005,   to: 1.5,      points: 2000}
fixed: {stiffness_ratio: 1.21}
YAML
cat >"$folder/dear.yaml" <<'YAML'
model: 'null'
axes:
  - {param: x, from: 0, to: 999, points: 1000}
  - {param: y, from: 0, to: 1, points: 200}
fixed: {cost: 1e-5}
YAML

seconds() { # of computing and of the last sync
    sed -n 's/.*computed in \([0-9.e+-]*\) s.*last sync \([0-9.e+-]*\) s.*/\1 \2/p' "$1"
}
for config in cheap dear; do
    for _ in $(seq "$runs"); do
        for write in gather parallel; do
            { cat "$folder/$config.yaml" && echo "write: $write"; } >"$folder/x.yaml"
            mpirun -n 2 --oversubscribe "$program" run "$folder/x.yaml" -o "$folder/x.h5" \
                --force --progress none >"$folder/$write"
        done
        echo "$config: gather $(seconds "$folder/gather"), parallel $(seconds "$folder/parallel")" |
            awk '{printf "%s  gather over parallel %.2f\n", $0, ($3 + $4) / ($6 + $7)}'
    done
done
