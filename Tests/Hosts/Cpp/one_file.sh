#!/bin/sh
# Each compiler compiles all C++ programs of tests as one file, so that it reads the headers only once:
#   one_file.sh FLAGS COMPILER... -- SOURCE...    such as -Wall "g++ -std=c++17" "clang++ -std=c++20" -- a.cpp b.cpp
set -eu
flags=$1
shift
compilers=$(mktemp)
file=$(mktemp --suffix=.cpp)
trap 'rm -f "$compilers" "$file"' EXIT
while [ "$1" != -- ]; do
    echo "$1" >> "$compilers"
    shift
done
shift
test -s "$compilers" && test $# -gt 0

# The headers come first. Then comes each program in a namespace of its own, without its includes.
{
    for source in "$@"; do
        sed -n 's/^#include </&/p; s/^#include "\(.*\)"/\1/p' "$source" | while read -r line; do
            case $line in
            "#include <"*) echo "$line" ;;
            *) echo "#include \"$(realpath -e "$(dirname "$source")/$line" 2> /dev/null || echo "$line")\"" ;;
            esac
        done
    done | sort -u
    number=0
    for source in "$@"; do
        number=$((number + 1))
        echo "namespace program_$number {"
        echo "#line 1 \"$source\""
        sed 's/^#include.*//' "$source"
        echo "}"
    done
} > "$file"

while read -r compiler; do
    # shellcheck disable=SC2086
    $compiler $flags -fsyntax-only "$file" || { echo "FAILED $compiler"; exit 1; }
done < "$compilers"
