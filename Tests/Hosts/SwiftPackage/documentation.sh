#!/bin/sh
# documentation.sh <repo-root>: DocC makes pages of every Swift product without a warning: links lead somewhere, and
# parameters are told all or none.
set -u
cd "$1" || exit 2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0
failed=0

# Beside the compiler, where it has no link of its own.
swift=${SWIFT:-swift}
docc=$(command -v docc || echo "$(dirname "$(readlink -f "$(command -v "$swift")")")/docc")

# SwiftPM switches all traits on and every module's target with them.
if ! "$swift" package dump-symbol-graph --emit-extension-block-symbols > "$work/words" 2>&1; then
    cat "$work/words"
    echo "FAILED  swift package dump-symbol-graph"
    exit 1
fi
graphs=$(sed -n 's/^Files written to //p' "$work/words")

# pages MODULE: its own symbols, and those that it adds to another module's
pages() {
    mkdir "$work/$1" && cp "$graphs/$1.symbols.json" "$work/$1" || return 1
    for extended in "$graphs/$1"@*.symbols.json; do
        if [ -f "$extended" ]; then cp "$extended" "$work/$1"; fi
    done
    "$docc" convert --additional-symbol-graph-dir "$work/$1" --output-dir "$work/$1.doccarchive" \
        --fallback-display-name "$1" --fallback-bundle-identifier "$1" --no-transform-for-static-hosting \
        --diagnostic-level warning --warnings-as-errors
}

# The products' modules, and those that have the classes of all stores. All at once: docc waits most of its time.
modules="$(sed -n '/products:/s/[^"]*"\([A-Za-z]*\)"[^"]*/\1 /gp' Package.swift) SKANStoreThreads"
for module in $modules; do
    { pages "$module" > "$work/$module.words" 2>&1 && touch "$work/$module.passed"; } &
done
wait
for module in $modules; do
    if [ -f "$work/$module.passed" ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        cat "$work/$module.words"
        echo "FAILED  documentation of $module"
    fi
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -ge 8 ]
