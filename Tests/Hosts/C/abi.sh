#!/bin/sh
# The promise of skan.h, as abidiff reads it: what was released stays. Types are those of the headers, functions those of
# the library that they declare.
#   abi.sh dump LIBRARY HEADER...            prints the ABI of a library whose functions these headers declare
#   abi.sh check DUMP LIBRARY HEADER...      compares it with a dump; functions may come, and members at the end of a
#                                            struct that begins with its `size`
# A header is named without its .h. INCLUDE is the folder of headers, Include without it; CC names the compiler.
set -eu
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
include=${INCLUDE:-Include}

# stand_in LIBRARY HEADER...: a library with the functions of another, of which the compiler describes the types. Swift's
# debug information would describe those of Swift.
stand_in() {
    case $1 in *.a) symbols=-g ;; *) symbols=-D ;; esac
    nm $symbols --defined-only "$1" | awk '{ print $NF }' > "$directory/exported"
    shift
    for header; do echo "#include <skan/$header.h>"; done > "$directory/functions.c"
    ${CC:-gcc} -std=c11 -I"$include" -fsyntax-only -aux-info "$directory/declared" "$directory/functions.c"
    sed -n 's|^/\* [^ ]*/skan/[^ ]* \*/ extern \(.*[ *]\(skan_[a-z0-9_]*\) (.*\);.*|\2 \1 { __builtin_trap(); }|p' \
        "$directory/declared" | awk 'FILENAME != "-" { exported[$1]; next } $1 in exported { sub("^[^ ]* ", ""); print }' \
        "$directory/exported" - >> "$directory/functions.c"
    # C23 takes functions whose parameters have no names.
    ${CC:-gcc} -std=c2x -w -g -shared -fPIC -I"$include" -o "$directory/stand_in.so" "$directory/functions.c"
}

# dump LIBRARY HEADER...
dump() {
    stand_in "$@"
    abidw --no-corpus-path --no-comp-dir-path --no-show-locs "$directory/stand_in.so"
}

# without_growth DUMP CURRENT: prints the second dump without the members that structs with a size have got at their end
# since the first one
without_growth() {
    awk -F"'" '
        function value(name, i) { for (i = 1; i < NF; i += 2) if ($i ~ " " name "=$") return $(i + 1) }
        /<class-decl / { struct = value("name"); size = value("size-in-bits"); first = 1 }
        /<\/class-decl>/ { struct = "" }
        NR == FNR { if (/<var-decl / && first) { if (value("name") == "size") grows[struct] = size; first = 0 } next }
        /<class-decl / && struct in grows { sub("size-in-bits=.[0-9]*", "size-in-bits=\047" grows[struct]) }
        /<data-member / && struct in grows { added = value("layout-offset-in-bits") + 0 >= grows[struct] + 0 }
        !added { print }
        /<\/data-member>/ { added = 0 }' "$1" "$2"
}

action=$1
shift
case $action in
    dump) dump "$@" ;;
    check)
        released=$1
        shift
        dump "$@" > "$directory/current.abi"
        without_growth "$released" "$directory/current.abi" > "$directory/compared.abi"
        abidiff --no-added-syms "$released" "$directory/compared.abi" > "$directory/changes" || {
            cat "$directory/changes"
            echo "$1 is not compatible with $released: programs that were built with the release would break."
            echo "Undo the change. As long as no version is tagged, make release-dump writes what is promised anew."
            exit 1
        }
        ;;
esac
