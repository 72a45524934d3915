#!/bin/sh
# The public headers compile without a warning, and each of their types has a name, which generators of bindings need:
#   headers.sh alone       each header by itself, and twice, by one compiler for each language
#   headers.sh together    one file that includes all of them, in every language, compiler and standard they are for
# CC, CXX and OTHER_CC, OTHER_CXX name the compilers.
set -eu
cd "$(dirname "$0")/../../.."
source=$(mktemp)
trap 'rm -f "$source"' EXIT

# compiles LANGUAGE COMPILER STANDARD HEADERS...
compiles() {
    language=$1 compiler=$2 standard=$3
    shift 3
    printf '#include <skan/%s>\n' "$@" > "$source"
    echo "int main(void) { return SKAN_OK; }" >> "$source"
    $compiler -x "$language" -std="$standard" -Wall -Wextra -pedantic -Werror -IInclude -IBindings/Cpp \
        -fsyntax-only "$source" || { echo "FAILED $compiler -std=$standard: $*"; exit 1; }
}

# alone LANGUAGE COMPILER STANDARD HEADERS...: whatever a header needs is in it. One compiler is asked, since the answer is
# the same for all.
alone() {
    language=$1 compiler=$2 standard=$3
    shift 3
    for path in "$@"; do
        header=$(basename "$path")
        compiles "$language" "$compiler" "$standard" "$header" skan.h "$header"
    done
}

# together LANGUAGE COMPILER STANDARD HEADERS...
together() {
    language=$1 compiler=$2 standard=$3
    shift 3
    # shellcheck disable=SC2046
    compiles "$language" "$compiler" "$standard" skan.h $(basename -a "$@")
}

c_headers="Include/skan/*.h"
cpp_headers="Include/skan/*.h Bindings/Cpp/skan/*.hpp"
# shellcheck disable=SC2086
case ${1:-} in
alone)
    alone c "${CC:-gcc}" c99 $c_headers
    alone c++ "${CXX:-g++}" c++17 $cpp_headers
    ;;
together)
    for compiler in "${CC:-gcc}" "${OTHER_CC:-clang}"; do
        for standard in c99 c11 c17; do together c "$compiler" $standard $c_headers; done
    done
    for compiler in "${CXX:-g++}" "${OTHER_CXX:-clang++}"; do
        for standard in c++17 c++20; do together c++ "$compiler" $standard $cpp_headers; done
    done
    ;;
*)
    sed -n 's/^# \{0,1\}//p' "$0" >&2
    exit 2
    ;;
esac

if grep -nE '\<(enum|struct|union)[[:space:]]*\{' Include/skan/*.h; then
    echo "FAILED a type without a name: bindgen gives those of two headers the same one"
    exit 1
fi
