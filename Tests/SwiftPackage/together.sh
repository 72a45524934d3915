#!/bin/sh
# together.sh <repo-root> <libskan.so>: the Swift package, with the full Swift runtime, and the C library, which is
# Embedded Swift, work side by side in one process.
set -u
root=$(cd "$1" && pwd)
library=$(cd "$(dirname "$2")" && pwd)/$(basename "$2")
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
. "$here/published.sh"

publish "$root" "$work" || exit 2
cp -R "$here/Together" "$here/GameBackEnd" "$work"
mkdir "$work/linked"
cp "$library" "$work/linked/libskan.so"
ln -s libskan.so "$work/linked/libskan.so.1"
cp "$library" "$work/copy.so"

story() { "$work/build/debug/GameBackEnd" | diff "$here/GameBackEnd/expected.txt" -; }
preloaded() { LD_PRELOAD="$work/linked/libskan.so" story; }

check "a program of both builds" swift_build "$work/Together" "$work" -Xcc "-I$root/Include" \
    -Xlinker "-L$work/linked" -Xlinker -rpath -Xlinker "$work/linked"
check "it runs to its end" sh -c '"$0" "$1" > "$2"' "$work/build/debug/Together" "$work/copy.so" "$work/output"
cat "$work/output"
passed=$((passed + $(grep -c '^ok ' "$work/output")))
failed=$((failed + $(grep -c '^FAILED ' "$work/output")))

check "the game's back end builds" swift_build "$work/GameBackEnd" "$work"
check "it is the same with the library loaded before everything else" preloaded
finish
