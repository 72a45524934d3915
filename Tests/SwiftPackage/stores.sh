#!/bin/sh
# stores.sh <repo-root>: a package that depends on libskan by version keeps its installs in SQLite, and proves a store
# of its own; one that wants SKAN alone needs no library of a store.
set -u
root=$(cd "$1" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
. "$here/published.sh"

publish "$root" "$work" || exit 2
cp -R "$here/Stores" "$here/GameBackEnd" "$work"
programs=$work/build/debug

without_companions() {
    ! readelf --dynamic "$programs/GameBackEnd" | grep -e sqlite -e libpq -e curl &&
        ! find "$work/build/debug" -maxdepth 1 -name '*Store*.build' | grep .
}
keeps_installs() {
    "$programs/Keeper" "$work/installs.db" | grep -x 'ok' && "$programs/Keeper" "$work/installs.db" |
        grep -x 'alreadyRegistered'
}
uses_sqlite() { readelf --dynamic "$programs/Keeper" | grep 'NEEDED.*sqlite'; }
without_postgres() { ! readelf --dynamic "$programs/Keeper" | grep libpq; }

check "a package that wants SKAN alone builds" swift_build "$work/GameBackEnd" "$work"
check "it has nothing of stores" without_companions
rm -rf "$work/build"
check "a package with the SQLite store builds" swift_build "$work/Stores" "$work"
check "it is linked with SQLite" uses_sqlite
check "it is not linked with libpq" without_postgres
check "it keeps installs" keeps_installs
check "a store of its own keeps every law" "$programs/Prover"
check "what C gives to it has libskan's prefix" "$here/names.sh" "$programs"
finish
