#!/bin/sh
# A companion's header compiles alone and with skan.h, in every language and compiler it is for, and the libraries give
# what it declares and nothing else:
#   interface.sh NAME NEEDED FUNCTIONS libskan-NAME.so libskan-NAME.a
# NEEDED is the library it brings beside libskan and libc ("libpq"), FUNCTIONS are some that NAME.h declares. CC, CXX and
# OTHER_CC, OTHER_CXX name the compilers.
set -u
name=$1
needed=$2
functions=$3
shared=$4
archive=$5
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
passed=0
failed=0

# holds NAME FILE: the file, which lists what is wrong, is empty
holds() {
    if [ -s "$2" ]; then
        failed=$((failed + 1))
        echo "FAILED $1:"
        sed 's/^/  /' "$2"
    else
        passed=$((passed + 1))
    fi
}

# compiles COMPILER LANGUAGE STANDARD HEADERS...
compiles() {
    compiler=$1 language=$2 standard=$3
    shift 3
    source="$directory/alone.$language"
    for header in "$@"; do echo "#include <skan/$header>"; done > "$source"
    echo "int main(void) { void (*called)(void) = (void (*)(void))${functions%% *}; return called == 0; }" >> "$source"
    $compiler -std="$standard" -Wall -Wextra -pedantic -Werror -IInclude -fsyntax-only "$source" \
        > "$directory/words" 2>&1
    holds "$compiler -std=$standard: $*" "$directory/words"
}

for compiler in "${CC:-gcc}" "${OTHER_CC:-clang}"; do
    for standard in c99 c11 c17; do
        compiles "$compiler" c $standard "$name.h"
        compiles "$compiler" c $standard skan.h "$name.h" "$name.h"
    done
done
for compiler in "${CXX:-g++}" "${OTHER_CXX:-clang++}"; do
    for standard in c++17 c++20; do compiles "$compiler" cpp $standard "$name.h"; done
done

${CC:-gcc} -E -P -IInclude "Include/skan/$name.h" | tr '\n' ' ' |
    grep -oE "\\bskan_${name}_[a-z0-9_]+ *\\([^*]" | sed 's/ *(.*//' | sort -u > "$directory/declared"
nm -D --defined-only "$shared" | awk '{ print $NF }' | sort -u > "$directory/exported"
nm -g --defined-only "$archive" | awk 'NF >= 3 { print $NF }' | sort -u > "$directory/archived"
printf '%s\n' $functions | sort | comm -23 - "$directory/declared" > "$directory/words"
holds "the list of what the header declares was read" "$directory/words"
comm -3 "$directory/declared" "$directory/exported" > "$directory/words"
holds "the library exports what the header declares" "$directory/words"
comm -3 "$directory/declared" "$directory/archived" > "$directory/words"
holds "the archive has what the header declares" "$directory/words"
readelf -d "$shared" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' |
    grep -vE "^(libskan|$needed|libc)\\.so\\.[0-9.]+\$|^ld-linux" > "$directory/words"
holds "the library needs libskan, $needed and libc only" "$directory/words"
find "$shared" -size +131072c > "$directory/words"
holds "the library has at most 128 KB" "$directory/words"
echo "$passed passed, $failed failed"
test $failed -eq 0
