#!/bin/sh
# docs.sh DOCS PACKAGE: makes the documentation as one static site in the folder DOCS, from the root of the source tree:
# DocC makes Swift's reference and the articles, Doxygen that of the C headers, pdoc that of the Python package PACKAGE.
# A warning of any of them is an error, and so is a link that leads nowhere.
set -eu
site=$1 package=$2
here=Include/packaging/docs
swift=${SWIFT:-swift} python=${PYTHON:-python3} pdoc=${PDOC:-pdoc}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Beside the compiler, where it has no link of its own.
docc=$(command -v docc || echo "$(dirname "$(readlink -f "$(command -v "$swift")")")/docc")

# SwiftPM switches all traits on and every module's target with them. It fails where it has no graph of the tests, which
# nobody asks for; without graphs at all it does not say where they are.
# shellcheck disable=SC2086
"$swift" package ${SWIFT_FLAGS:-} dump-symbol-graph --emit-extension-block-symbols > "$work/words" 2>&1 || true
graphs=$(sed -n 's/^Files written to //p' "$work/words")
if [ -z "$graphs" ]; then
    cat "$work/words"
    exit 1
fi

# module NAME: pages of its own symbols, and of those that it adds to another module's.
module() {
    mkdir "$work/$1"
    cp "$graphs/$1.symbols.json" "$work/$1"
    for extended in "$graphs/$1"@*.symbols.json; do
        if [ -f "$extended" ]; then cp "$extended" "$work/$1"; fi
    done
    catalog=""
    if [ "$1" = SKAN ]; then catalog=Sources/Core/Swift/SKAN.docc; fi
    # shellcheck disable=SC2086
    "$docc" convert $catalog --additional-symbol-graph-dir "$work/$1" --output-dir "$work/$1.doccarchive" \
        --fallback-display-name "$1" --fallback-bundle-identifier "$1" --hosting-base-path /swift \
        --diagnostic-level warning --warnings-as-errors
}

# The products' modules, and those that have the classes of all stores. All at once: docc waits most of its time.
modules="$(sed -nE 's/^ *(product|companion)\(.*"(\w+)"\),$/\2/p' Package.swift) SKANStoreThreads"
for name in $modules; do
    { module "$name" > "$work/$name.words" 2>&1 && touch "$work/$name.passed"; } &
done
wait
archives=""
for name in $modules; do
    if [ ! -f "$work/$name.passed" ]; then
        cat "$work/$name.words"
        echo "FAILED  documentation of $name"
        exit 1
    fi
    archives="$archives $work/$name.doccarchive"
done

rm -rf "$site"
mkdir -p "$site"
# shellcheck disable=SC2086
"$docc" merge $archives --synthesized-landing-page-name libskan --synthesized-landing-page-kind Modules \
    --output-path "$site/swift"
DOCS=$site PYTHON=$python doxygen $here/Doxyfile
PYTHONPATH=$(dirname "$package") "$pdoc" --output-directory "$site/python" --docformat markdown \
    --template-directory $here "$(basename "$package")"
cp $here/index.html "$site/"
"$python" $here/links.py "$site"
