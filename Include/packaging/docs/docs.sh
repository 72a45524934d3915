#!/bin/sh
# docs.sh SITE COMMAND PACKAGE MODULES: makes the documentation as one static site in the folder SITE, from the root of
# the source tree. Sphinx shows the articles, the rules, and the references: Doxygen reads the headers of C and C++,
# autodoc the Python PACKAGE, DocC the MODULES of Swift as they are in the folder BUILT, and COMMAND writes its manual
# pages. A warning of any of them is an error, and so is a link that leads nowhere.
set -eu
site=$1 command=$2 package=$3 modules=$4
here=Include/packaging/docs
swift=${SWIFT:-swift} python=${PYTHON:-python3}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
pages=$work/pages
mkdir -p "$pages/_static" "$pages/Core" "$pages/Truth" "$pages/xml"

# Beside the compiler, where they have no links of their own.
tools=$(dirname "$(readlink -f "$(command -v "$swift")")")
tool() { command -v "$1" || echo "$tools/$1"; }

# module NAME: DocC's pages of its own symbols, and of those that it adds to another module's.
module() {
    mkdir "$work/$1"
    # shellcheck disable=SC2086
    $extract -module-name "$1" -output-dir "$work/$1" || return
    catalog=""
    if [ "$1" = SKAN ]; then catalog=Sources/Core/Swift/SKAN.docc; fi
    # shellcheck disable=SC2086
    "$(tool docc)" convert $catalog --additional-symbol-graph-dir "$work/$1" --output-dir "$work/$1.doccarchive" \
        --fallback-display-name "$1" --fallback-bundle-identifier "$1" --diagnostic-level warning --warnings-as-errors
}

includes=$(find Sources/System Include/skan "$BUILT"/CSKAN*.build -name module.modulemap -exec dirname {} \; | sed 's/^/-I /')
target=$("$swift" -print-target-info | sed -n 's/^ *"triple": "\(.*\)",$/\1/p' | head -n 1)
extract="$(tool swift-symbolgraph-extract) -target $target -I $BUILT/Modules $(echo "$includes" | tr '\n' ' ') $(pkg-config --cflags libpq)
    -minimum-access-level public -emit-extension-block-symbols"
# All at once: docc waits most of its time.
for name in $modules; do
    { module "$name" > "$work/$name.words" 2>&1 && touch "$work/$name.passed"; } &
done

# headers LANGUAGE HEADER...: Doxygen's XML of the headers, and a page for each.
headers() {
    language=$1
    shift
    LANGUAGE=$language HEADERS=$* XML=$pages/xml PYTHON=$python doxygen $here/Doxyfile
    "$python" $here/headers.py "$language" "$pages/xml/$language" "$pages/$language" "$@"
}
headers c Include/skan/*.h
headers cpp Bindings/Cpp/skan/*.hpp
"$python" $here/manual.py "$command" "$pages/command"

cp $here/conf.py $here/docstrings.py $here/index.md $here/pictures/flow.svg README.md "$pages/"
cp -r $here/references/. "$pages/"
cp -r Sources/Articles "$pages/Articles"
cp Sources/Core/Rules.md "$pages/Core/"
cp Sources/Truth/CampaignTruth.md "$pages/Truth/"
cp $here/style.css $here/pictures/icon.svg $here/pictures/report.png "$pages/_static/"
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
# shellcheck disable=SC2086
"$python" $here/swift.py $archives "$pages/swift"

rm -rf "$site"
PYTHONPATH=$(dirname "$package") "$python" -m sphinx -b html -d "$work/doctrees" -j 2 -W --keep-going -q \
    "$pages" "$site"
"$python" $here/links.py "$site"
