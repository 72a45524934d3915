#!/bin/sh
# dependents.sh <repo-root> <libskan.so>: packages that depend on libskan, from a clone of the repository's HEAD: a game's
# back end by the branch, as README says, programs with stores by version, and one process that has the Swift package,
# with the full Swift runtime, beside the C library, which is Embedded Swift.
set -u
root=$(cd "$1" && pwd)
library=$(cd "$(dirname "$2")" && pwd)/$(basename "$2")
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
. "$here/published.sh"

publish "$root" "$work" || exit 2
cp -R "$here/GameBackEnd" "$here/Stores" "$here/Neighbours" "$here/Together" "$work"

# What it wants is SKAN alone.
program=$work/GameBackEnd/build/debug/GameBackEnd
as_expected() { "$program" > "$work/output" && diff "$here/GameBackEnd/expected.txt" "$work/output"; }
from_branch() { grep '"branch" *: *"main"' "$work/GameBackEnd/Package.resolved"; }
as_readme_says() {
    grep 'branch: "main"' "$root/README.md" && grep 'branch: "main"' "$here/GameBackEnd/Package.swift"
}
without_foundation() { ! readelf --dynamic "$program" | grep Foundation; }
without_companions() {
    ! readelf --dynamic "$program" | grep -e sqlite -e libpq -e curl &&
        ! find "$work/GameBackEnd/build/debug" -maxdepth 1 -name '*Store*.build' | grep .
}

check "a package that depends on libskan as README says builds" swift_build GameBackEnd
check "what it depends on is the branch" from_branch
check "README names the branch" as_readme_says
check "the game's back end does what is expected" as_expected
check "SKAN without traits does not bring Foundation" without_foundation
check "a package that wants SKAN alone has nothing of stores" without_companions

programs=$work/Stores/build/debug
from_version() { grep '"version" *: *"0.2.0"' "$work/Stores/Package.resolved"; }
keeps_installs() {
    "$programs/Keeper" "$work/installs.db" | grep -x 'ok' && "$programs/Keeper" "$work/installs.db" |
        grep -x 'alreadyRegistered'
}
uses_sqlite() { readelf --dynamic "$programs/Keeper" | grep 'NEEDED.*sqlite'; }
without_postgres() { ! readelf --dynamic "$programs/Keeper" | grep libpq; }

beside() { "$programs/Beside" | grep -x 'ok'; }

check "a package with stores, and targets named CSQLite, CSystem and HTTPClient, builds" swift_build Stores
check "the version that it depends on is the one that was tagged" from_version
check "a program with the SQLite store is linked with SQLite" uses_sqlite
check "it is not linked with libpq" without_postgres
check "it keeps installs" keeps_installs
check "all of libskan runs beside targets of those names" beside
check "what C gives to it has libskan's prefix" "$here/names.sh" "$programs"

mkdir "$work/linked"
cp "$library" "$work/linked/libskan.so"
ln -s libskan.so "$work/linked/libskan.so.1"
cp "$library" "$work/copy.so"
preloaded() { LD_PRELOAD="$work/linked/libskan.so" "$program" | diff "$here/GameBackEnd/expected.txt" -; }

check "a program of both libraries builds" swift_build Together -Xcc "-I$root/Include" \
    -Xlinker "-L$work/linked" -Xlinker -rpath -Xlinker "$work/linked"
check "it runs to its end" sh -c '"$0" "$1" > "$2"' "$work/Together/build/debug/Together" "$work/copy.so" "$work/output"
cat "$work/output"
passed=$((passed + $(grep -c '^ok ' "$work/output")))
failed=$((failed + $(grep -c '^FAILED ' "$work/output")))
check "the game's back end is the same with the library loaded before everything else" preloaded
finish
