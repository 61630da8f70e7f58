#!/usr/bin/env bash
# Checks all that a release needs, and makes its files twice, which must have the same bytes. It tags and sends nothing.
#   jobs/release.sh FOLDER [--untested] [--short] [--base REVISION]
#   jobs/release.sh --check
# --check says what the sources lack for a release, compares the binary interface, and tests and makes nothing.
# FOLDER gets the source archive, the Debian package, the wheel, the test vectors, the data set and SHA256SUMS. The tests are
# those of `tests/run.sh --all`, which take half an hour; --untested leaves them out. --short makes test vectors of 20 points
# instead of 10,000. --base is the release with which the binary interface of the library is compared (default: the last
# tag v*). The second of the two builds starts from a clone at another path.
# Times in the files are that of the commit. Packages: jobs/packages.sh build figures report tests wheel release
set -euo pipefail

project=$(cd "$(dirname "$0")/.." && pwd)
fail() {
    echo "release.sh: error: $*" >&2
    exit 1
}
say() { echo "release.sh: $*" >&2; }

folder='' tested=yes points=10000 base='' checked=''
while [ $# -gt 0 ]; do
    case $1 in
        --check) checked=only ;;
        --untested) tested='' ;;
        --short) points=20 ;;
        --base) base=${2:?} && shift ;;
        -*) fail "unknown option $1; allowed: --check, --untested, --short, --base REVISION" ;;
        *) folder=$1 ;;
    esac
    shift
done
if [ -z "$checked" ]; then
    [ -n "$folder" ] || fail "the folder is missing: jobs/release.sh FOLDER"
    mkdir -p "$folder"
    folder=$(cd "$folder" && pwd)
    [ -z "$(ls -A "$folder")" ] || fail "$folder is not empty"
fi
cd "$project"

# ---- what is in the sources ----

[ -z "$(git status --porcelain)" ] || fail "there are changes that no commit has"
version=$(sed -n 's/^#define IMP_VERSION "\(.*\)"/\1/p' include/impact.h)
major=${version%%.*}
/usr/bin/python3 - "$version" <<'PYTHON' || exit 1
import re, sys
version = sys.argv[1]
def text(path):
    with open(path, encoding="utf-8") as file:
        return file.read()
wrong = [path for path, form in (
    ("CITATION.cff", rf"(?m)^version: {version}$"), ("postprocess/pyproject.toml", rf'(?m)^version = "{version}"$'),
    ("jobs/packages/conda/meta.yaml", rf'version = "{version}"'),
    ("jobs/packages/spack/spack_repo/impactsweep/packages/impactsweep/package.py", rf'version\("{version}"\)'),
) if not re.search(form, text(path))]
changes = text("CHANGELOG.md")
head = re.search(rf"(?m)^## {version}, (\d{{4}}-\d\d-\d\d)$", changes)
waiting = re.search(r"(?ms)^## Unreleased$(.*?)(?=^## )", changes)
faults = [f"{path} has another version than include/impact.h, {version}" for path in wrong]
if not head:
    faults.append(f"CHANGELOG.md has no heading '## {version}, YEAR-MONTH-DAY'")
elif f"date-released: {head[1]}" not in text("CITATION.cff"):
    faults.append(f"CITATION.cff has another date-released than CHANGELOG.md, {head[1]}")
lines = len(re.findall(r"(?m)^- ", waiting[1])) if waiting else 0
if waiting and waiting[1].strip():
    faults.append(f"CHANGELOG.md has {lines} changes under 'Unreleased', which no version has: say them in the section of "
                  f"{version} in the words of its users, and leave the heading 'Unreleased' empty")
for fault in faults:
    print(f"release.sh: error: {fault}", file=sys.stderr)
sys.exit(bool(faults))
PYTHON
git rev-parse -q --verify "refs/tags/v$version" >/dev/null && fail "the tag v$version exists: raise the version"

if [ -n "$tested" ] && [ -z "$checked" ]; then
    say "testing"
    tests/run.sh --all >&2
fi

# ---- the binary interface of the library ----

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
library_of() { # CLONE: builds libimpact with what abidiff reads
    "$1/jobs/build.sh" "$1/build/abi" -G Ninja -DCMAKE_BUILD_TYPE=Debug -DIMPACT_PROGRAM=off -- --target impact_shared
}
base=${base:-$(git describe --tags --abbrev=0 --match 'v*' 2>/dev/null || true)}
if [ -n "$base" ]; then
    say "comparing the binary interface with $base"
    git clone -q . "$work/base" && git -C "$work/base" checkout -q "$base"
    git clone -q . "$work/now"
    library_of "$work/base"
    library_of "$work/now"
    of_base=$(sed -n 's/^#define IMP_VERSION_MAJOR \(.*\)/\1/p' "$work/base/include/impact.h")
    code=0
    abidiff --headers-dir1 "$work/base/include" --headers-dir2 "$work/now/include" "$work"/base/build/abi/libimpact.so \
        "$work"/now/build/abi/libimpact.so >"$work/abi.txt" || code=$?
    [ $((code & 3)) -eq 0 ] || fail "abidiff: $(cat "$work/abi.txt")"
    if [ $((code & 8)) -ne 0 ] && [ "$major" = "$of_base" ]; then
        fail "libimpact is not compatible with that of $base, and the major version is the same: $(cat "$work/abi.txt")"
    fi
    rm -rf "$work/base" "$work/now"
else
    say "no release before this one: no binary interface to compare with"
fi
if [ -n "$checked" ]; then
    say "the sources are ready for version $version"
    exit 0
fi

# ---- the files, twice ----

SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH
umask 022

package() { # CLONE TARGET: the .deb, with times and an order that depend on the commit alone
    "$1/jobs/build.sh" "$1/build/deb" -G Ninja -DCMAKE_BUILD_TYPE=Release -DIMPACT_WERROR=on -DIMPACT_TESTS=off
    cpack --config "$1/build/deb/CPackConfig.cmake" -B "$1/build/deb/packed" >"$1/build/deb/cpack.log" 2>&1 || cat "$1/build/deb/cpack.log" >&2
    local made
    made=$(ls "$1"/build/deb/packed/*.deb)
    dpkg-deb --raw-extract "$made" "$1/build/deb/tree"
    find "$1/build/deb/tree" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
    sort -k 2 -o "$1/build/deb/tree/DEBIAN/md5sums" "$1/build/deb/tree/DEBIAN/md5sums"
    dpkg-deb --root-owner-group --build "$1/build/deb/tree" "$2/$(basename "$made")" >/dev/null
}

archive() { # NAME FOLDER TARGET: a tar.gz whose bytes depend on the contents alone
    tar --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$SOURCE_DATE_EPOCH" --format=gnu -C "$2" -cf - "$1" |
        gzip -9n >"$3/$1.tar.gz"
}

files_of() { # CLONE TARGET
    mkdir -p "$2" "$1/build/made"
    git -C "$1" archive --format=tar --prefix="impactsweep-$version/" HEAD | gzip -9n >"$2/impactsweep-$version.tar.gz"
    package "$1" "$2"
    "$1/jobs/wheel.py" "$2" >/dev/null
    IMPACTSWEEP="$1/build/deb/impactsweep" "$1/jobs/dataset.py" "$1/build/made/impactsweep-data-$version" --points "$points"
    archive "impactsweep-data-$version" "$1/build/made" "$2"
}

# The second build is at another path, so that no path gets into the files unseen.
first=$work/one second=$work/another-place/two
for clone in "$first" "$second"; do
    say "making the files in $clone"
    git clone -q . "$clone"
    files_of "$clone" "$clone.files"
done
diff -r "$first.files" "$second.files" >&2 || fail "the two builds differ"
cp "$first.files"/* "$folder"
[ ! -f "$work/abi.txt" ] || cp "$work/abi.txt" "$folder"
(cd "$folder" && LC_ALL=C sha256sum -- * >"$work/sums" && mv "$work/sums" SHA256SUMS)
say "both builds have the same bytes; the files of version $version are in $folder"
say "to publish them: git tag -s v$version, and send them with SHA256SUMS"
