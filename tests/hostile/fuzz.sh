#!/usr/bin/env bash
# Fuzzes the reader of configs with clang's libFuzzer on one core, starting from the corpus and the configs of
# the project; what src asserts is checked too. The minimised inputs are in FOLDER/kept, those that cause faults in
# FOLDER/faults.
#   fuzz.sh [SECONDS] [FOLDER]     default: 1200 s, a new folder
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
project=$(cd "$here/../.." && pwd)
seconds=${1:-1200}
folder=${2:-$(mktemp -d)}
mkdir -p "$folder/found" "$folder/faults" "$folder/kept"

cd "$project"
mapfile -t sources < <(find src/{base,bodies,config,grid,models,num,refine,solve} -name '*.c' ! -name no_petsc.c)
read -ra libraries <<<"$(pkg-config --cflags --libs PETSc ompi-c)"
clang -std=c11 -D_POSIX_C_SOURCE=200809L -D_DEFAULT_SOURCE -g -O1 -DHOSTILE_FUZZER \
    -fsanitize=fuzzer,address,undefined,float-cast-overflow -fno-sanitize-recover=all -w \
    -Isrc -Iinclude -Itests "${sources[@]}" tests/hostile/fuzz_config.c \
    "${libraries[@]}" -lyaml -lm \
    -o "$folder/fuzz_config"

time "$folder/fuzz_config" -max_total_time="$seconds" -timeout=5 -rss_limit_mb=4096 \
    -max_len=4096 -dict="$here/config.dict" -print_final_stats=1 -verbosity=1 \
    -artifact_prefix="$folder/faults/" "$folder/found" "$here/corpus" configs

"$folder/fuzz_config" -merge=1 "$folder/kept" "$here/corpus" "$folder/found" configs
echo "minimised: inputs in $folder/kept"
