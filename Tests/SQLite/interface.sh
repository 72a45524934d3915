#!/bin/sh
# sqlite.h compiles alone and with skan.h, in every language and compiler it is for, and the libraries give what it
# declares and nothing else:
#   interface.sh [source tree] libskan-sqlite.so libskan-sqlite.a
# CC, CXX and OTHER_CC, OTHER_CXX name the compilers.
set -u
root=$1
shared=$2
archive=$3
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
    echo "int main(void) { skan_sqlite_store_close(0); return SKAN_SQLITE_FULL; }" >> "$source"
    $compiler -std="$standard" -Wall -Wextra -pedantic -Werror -I"$root/Include" -fsyntax-only "$source" \
        > "$directory/words" 2>&1
    holds "$compiler -std=$standard: $*" "$directory/words"
}

for compiler in "${CC:-gcc}" "${OTHER_CC:-clang}"; do
    for standard in c99 c11 c17; do
        compiles "$compiler" c $standard sqlite.h
        compiles "$compiler" c $standard skan.h sqlite.h sqlite.h
    done
    for file in "$root"/Sources/SKANSQLite/*.c; do
        $compiler -std=c11 -Wall -Wextra -pedantic -Werror -I"$root/Include" -fsyntax-only "$file" \
            > "$directory/words" 2>&1
        holds "$compiler compiles ${file##*/}" "$directory/words"
    done
done
for compiler in "${CXX:-g++}" "${OTHER_CXX:-clang++}"; do
    for standard in c++17 c++20; do compiles "$compiler" cpp $standard sqlite.h; done
done

${CC:-gcc} -E -P -I"$root/Include" "$root/Include/skan/sqlite.h" | tr '\n' ' ' |
    grep -oE '\bskan_sqlite_[a-z0-9_]+ *\([^*]' | sed 's/ *(.*//' | sort -u > "$directory/declared"
nm -D --defined-only "$shared" | awk '{ print $NF }' | sort -u > "$directory/exported"
nm -g --defined-only "$archive" | awk 'NF >= 3 { print $NF }' | sort -u > "$directory/archived"
printf 'skan_sqlite_store_close\nskan_sqlite_store_open\n' | comm -23 - "$directory/declared" > "$directory/words"
holds "the list of what the header declares was read" "$directory/words"
comm -3 "$directory/declared" "$directory/exported" > "$directory/words"
holds "the library exports what the header declares" "$directory/words"
comm -3 "$directory/declared" "$directory/archived" > "$directory/words"
holds "the archive has what the header declares" "$directory/words"
readelf -d "$shared" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' |
    grep -vE '^(libskan|libsqlite3|libc)\.so\.[0-9]+$|^ld-linux' > "$directory/words"
holds "the library needs libskan, libsqlite3 and libc only" "$directory/words"
echo "$passed passed, $failed failed"
test $failed -eq 0
