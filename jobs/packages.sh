#!/usr/bin/env bash
# Installs missing Debian packages for the given purposes, and names them first.
#   jobs/packages.sh PURPOSE...
# build: the program; figures: scripts and package of Python; report: the solver in pages; tests: what the suite cannot do
# without. Tests of guests, pages, matrix (other compilers, MPI and HDF5, manual pages, Debian's packages) and slurm are skipped
# without theirs; cache: a faster suite; platforms: every row of tests/bits/matrix.py and tests/install/matrix.py. wheel, site,
# release: the scripts of these names.
set -euo pipefail

declare -A packages=(
    [build]="gcc libc6-dev cmake ninja-build pkg-config git libopenmpi-dev openmpi-bin
             libhdf5-openmpi-dev hdf5-tools petsc-dev libyaml-dev"
    [figures]="python3 python3-numpy python3-matplotlib python3-xarray python3-h5netcdf
               python3-netcdf4 python3-h5py"
    [report]="clang-14 lld-14 wasi-libc libclang-rt-14-dev-wasm32"
    [tests]="libcunit1-dev libgsl-dev python3-pytest python3-hypothesis python3-scipy python3-yaml python3-pip
             python3-wheel python3-markdown python3-venv netcdf-bin shellcheck mypy g++"
    [guests]="octave"
    [pages]="nodejs chromium chromium-driver chromium-headless-shell python3-selenium firefox-esr"
    [matrix]="clang mpich libmpich-dev libhdf5-dev gcc-aarch64-linux-gnu libc6-dev-arm64-cross
              qemu-user zsh groff-base man-db dpkg-dev"
    [platforms]="clang gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user nodejs
                 clang-14 lld-14 wasi-libc libclang-rt-14-dev-wasm32 gcc-11 clang-13 mpich libmpich-dev libhdf5-dev"
    [wheel]="gcc libc6-dev cmake ninja-build pkg-config libhdf5-dev libaec-dev zlib1g-dev libyaml-dev
             python3-pip python3-setuptools python3-wheel clang-14 lld-14 wasi-libc libclang-rt-14-dev-wasm32"
    [site]="python3-markdown"
    [release]="abigail-tools dpkg-dev shellcheck mypy"
    [cache]="ccache"
    [slurm]="slurm-wlm slurm-wlm-basic-plugins slurmctld slurmd slurm-client munge"
)

missing=()
for purpose in "$@"; do
    if [ -z "${packages[$purpose]-}" ]; then
        echo "jobs/packages.sh: error: unknown purpose '$purpose', allowed: $(printf '%s\n' "${!packages[@]}" | sort | xargs)" >&2
        exit 2
    fi
    for package in ${packages[$purpose]}; do
        dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null | grep -qx installed ||
            missing+=("$package")
    done
done
[ ${#missing[@]} -eq 0 ] && exit 0

if ! command -v apt-get >/dev/null; then
    echo "These Debian packages, or those of your system that correspond to them, are needed: ${missing[*]}" >&2
    exit 1
fi
as_root=()
if [ "$(id -u)" -ne 0 ]; then
    as_root=(sudo)
fi
echo "Installing with apt-get: ${missing[*]}" >&2
export DEBIAN_FRONTEND=noninteractive
"${as_root[@]}" apt-get update -qq >&2
"${as_root[@]}" apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
