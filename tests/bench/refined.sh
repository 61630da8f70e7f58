#!/usr/bin/env bash
# A refinement of cells of 10 ms on one rank and on two, in turn:
#   tests/bench/refined.sh IMPACTSWEEP [RUNS]
# Prints the seconds, the part of them in which ranks solve cells, and the ratio of one rank to twice two ranks. All that
# a second rank can lose are the tails of rounds, in which one waits for the other. The part counts them also where
# the machine is shared and cells take longer on two ranks than on one. Both runs end in the same bytes.
set -euo pipefail

program=$1
runs=${2:-3}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
if [ "$(id -u)" -eq 0 ]; then
    export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
fi
cat >"$folder/refined.yaml" <<'YAML'
model: 'null'
refine: {base: 16, depth: 7, boundary: 1e-3, audit: 100}
axes:
  - {param: x, from: 0, to: 0.1}
  - {param: y, from: 0, to: 0.01}
fixed: {cost: 0.01}
outputs: [mode]
YAML
for _ in $(seq "$runs"); do
    for ranks in 1 2; do
        mpirun -n "$ranks" --oversubscribe "$program" run "$folder/refined.yaml" \
            -o "$folder/$ranks.h5" --force --progress none >"$folder/$ranks"
        "$program" info "$folder/$ranks.h5" --digest | grep -oE '[0-9a-f]{64}' >"$folder/$ranks.digest"
    done
    cmp "$folder/1.digest" "$folder/2.digest"
    # "2,331 points computed in 21.3 s, 1.75e+04 us of one core per point, 2 of 2 ranks, ..."; minutes as 1:02
    awk '/points computed in/ {
             gsub(",", "")
             parts = split($5, part, ":")
             for (seconds = k = 0; k++ < parts;) seconds = 60 * seconds + part[k]
             for (i = 1; i < NF; i++) if ($(i + 1) == "us") each = $i
             ranks = FILENAME ~ /1$/ ? 1 : 2
             printf "%d rank(s): %d points in %.1f s, busy %.3f of it\n", ranks, $1, seconds,
                    $1 * each * 1e-6 / (ranks * seconds)
             took[ranks] = seconds
         }
         END {printf "one rank over twice two ranks: %.2f\n", took[1] / took[2] / 2}' \
        "$folder/1" "$folder/2"
done
