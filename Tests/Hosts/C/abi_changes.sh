#!/bin/sh
# What abi.sh lets through and what it refuses, of changes of skan.h and its library:
#   abi_changes.sh ARCHIVE HEADER...
set -u
here=$(dirname "$0")
archive=$1
shift
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
"$here/abi.sh" dump "$archive" "$@" > "$directory/released.abi"
passed=0
failed=0

# judged passes|fails WHAT LIBRARY HEADER...: the library with the headers in $directory/include
judged() {
    verdict=$1 what=$2
    shift 2
    INCLUDE="$directory/include" "$here/abi.sh" check "$directory/released.abi" "$@" > "$directory/output" 2>&1 &&
        got=passes || got=fails
    # A script that breaks is no verdict.
    if [ "$got" = fails ] && ! grep -q 'is not compatible with' "$directory/output"; then got=breaks; fi
    if [ "$got" = "$verdict" ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED: $what $got"
        sed 's/^/  /' "$directory/output"
    fi
}

# with passes|fails WHAT SED HEADER...: skan.h as sed changes it
with() {
    verdict=$1 what=$2 change=$3
    shift 3
    rm -rf "$directory/include"
    cp -R Include "$directory/include"
    sed "$change" Include/skan/skan.h > "$directory/include/skan/skan.h"
    if [ -n "$change" ] && cmp -s Include/skan/skan.h "$directory/include/skan/skan.h"; then
        failed=$((failed + 1))
        echo "FAILED: $what is not a change of skan.h"
    fi
    judged "$verdict" "$what" "$archive" "$@"
}

device='/^typedef struct skan_device {/,/^}/'
end="$device s/^} skan_device;"
with passes "the same header" "" "$@"
with passes "a new member at the end of a struct with a size" "$end/    long added; &/" "$@"
with fails "a new member in the middle of a struct" "$device s/^    size_t size;.*/& const char *added;/" "$@"
with fails "a struct without one of its members" "$device { /\*idfv;/d; }" "$@"
with fails "a member of another type" "$device s/const char \*idfa;/int idfa;/" "$@"
with fails "a changed member in a struct that grew" "$device s/const char \*idfa;/int idfa;/; $end/long added; &/" "$@"
with fails "a parameter of another type" \
    's/^void skan_free(\(char\|void\) \*/void skan_free(long long /' "$@"
with fails "a header without one of its functions" '/^void skan_destroy(/d' "$@"

rm -rf "$directory/include"
cp -R Include "$directory/include"
objcopy --localize-symbol=skan_destroy "$archive" "$directory/without.a"
judged fails "a library without one of its functions" "$directory/without.a" "$@"
"$here/abi.sh" dump "$directory/without.a" "$@" > "$directory/released.abi"
judged passes "a new function" "$archive" "$@"

echo "$passed passed, $failed failed"
test $failed -eq 0
