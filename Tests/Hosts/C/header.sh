#!/bin/sh
# The public headers compile alone, without a warning, in every language and compiler they are for, and in any order
# with each other:
#   header.sh [source tree]
# CC, CXX and OTHER_CC, OTHER_CXX name the compilers.
set -u
root=${1:-.}
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
passed=0
failed=0

# compiles COMPILER LANGUAGE STANDARD HEADERS...
compiles() {
    compiler=$1 language=$2 standard=$3
    shift 3
    source="$directory/alone.$language"
    for header in "$@"; do echo "#include <skan/$header>"; done > "$source"
    echo "int main(void) { return skan_status_name(SKAN_OK) == 0; }" >> "$source"
    if $compiler -std="$standard" -Wall -Wextra -pedantic -Werror -I"$root/Include" -I"$root/Bindings/Cpp" \
        -fsyntax-only "$source"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED $compiler -std=$standard: $*"
    fi
}

for compiler in "${CC:-gcc}" "${OTHER_CC:-clang}"; do
    for standard in c99 c11 c17; do
        for header in skan.h store_kit.h; do
            compiles "$compiler" c $standard $header
            compiles "$compiler" c $standard $header $header
        done
    done
done
for compiler in "${CXX:-g++}" "${OTHER_CXX:-clang++}"; do
    for standard in c++17 c++20; do
        for header in skan.h store_kit.h; do compiles "$compiler" cpp $standard $header $header; done
        for header in "$root"/Bindings/Cpp/skan/*.hpp; do
            compiles "$compiler" cpp $standard "$(basename "$header")"
            compiles "$compiler" cpp $standard "$(basename "$header")" "$(basename "$header")"
        done
        compiles "$compiler" cpp $standard skan.h skan.hpp
        compiles "$compiler" cpp $standard skan.hpp skan.h skan.hpp
    done
done
echo "$passed passed, $failed failed"
test $failed -eq 0
