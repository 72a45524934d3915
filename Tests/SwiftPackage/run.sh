#!/bin/sh
# run.sh <repo-root>: the package GameBackEnd depends on libskan by version, from a clone of the repository's HEAD, and
# does what its expectation says.
set -u
root=$(cd "$1" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
. "$here/published.sh"

publish "$root" "$work" || exit 2
cp -R "$here/GameBackEnd" "$work/GameBackEnd"
program=$work/build/debug/GameBackEnd

as_expected() { "$program" > "$work/output" && diff "$here/GameBackEnd/expected.txt" "$work/output"; }
from_version() { grep '"version" *: *"0.1.0"' "$work/GameBackEnd/Package.resolved"; }
without_foundation() { ! readelf --dynamic "$program" | grep Foundation; }

check "a package that depends on libskan by version builds" swift_build "$work/GameBackEnd" "$work"
check "the version is the one that was tagged" from_version
check "the game's back end does what is expected" as_expected
check "SKAN does not bring Foundation" without_foundation
finish
