#!/usr/bin/env bash
# Compares two ranks with one, in turn, on 50 million pendulum cells with three outputs in float32:
#   tests/bench/ranks.sh IMPACTSWEEP [RUNS]
# Prints the seconds of computing (without creation of the file and last sync) and their ratio.
set -euo pipefail

program=$1
runs=${2:-3}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
if [ "$(id -u)" -eq 0 ]; then
    export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
fi
cat >"$folder/ranks.yaml" <<'YAML'
model: compliant
choose: {body: pendulum, law: linear}
axes:
  - {param: angle,    from: 0.1 deg, to: 89.9 deg, points: 10000}
  - {param: friction, from: 0.005,   to: 1.5,      points: 5000}
fixed: {stiffness_ratio: 1.21}
outputs: [mode, kinematic_restitution, energy_loss]
precision: float32
YAML
for _ in $(seq "$runs"); do
    for ranks in 1 2; do
        mpirun -n "$ranks" --oversubscribe "$program" run "$folder/ranks.yaml" \
            -o "$folder/ranks.h5" --force --progress none >"$folder/$ranks"
        grep -o 'computed in [^;]*;.*' "$folder/$ranks" | sed "s/^/$ranks rank(s): /"
    done
    awk '/cells computed in/ {for (i = 1; i < NF; i++) if ($i == "in") t[FILENAME] = $(i + 1)}
         END {for (f in t) if (f ~ /1$/) one = t[f]; else two = t[f]
              printf "one rank over two: %.2f\n", one / two}' "$folder/1" "$folder/2"
done
