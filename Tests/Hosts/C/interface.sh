#!/bin/sh
# A library gives what its headers declare and nothing else, needs little and is small:
#   interface.sh "HEADER..." NEEDED BYTES FUNCTIONS libNAME.so libNAME.a
# A header is named without its .h. Those of libskan, the first of which is skan, declare what begins with skan; that of
# a companion, NAME, declares what begins with skan_NAME. FUNCTIONS are some of it; NEEDED are the libraries it brings
# beside libskan and libc ("libjson-c|libm"), the first one always; BYTES is what it has at most. CC names the compiler.
set -u
headers=$1 name=${1%% *} needed=$2 bytes=$3 functions=$4 shared=$5 archive=$6
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT

# nothing NAME: what comes in lists what is wrong
nothing() {
    cat > "$directory/words"
    test -s "$directory/words" || return
    echo "FAILED $1:"
    sed 's/^/  /' "$directory/words" | tee -a "$directory/faults"
}

# Names before a parenthesis, outside of comments and preprocessor lines; hooks are `skan_status (*name)(`.
prefix=skan_${name#skan}
for header in $headers; do echo "#include <skan/$header.h>"; done > "$directory/headers.h"
${CC:-gcc} -E -P -IInclude "$directory/headers.h" | tr '\n' ' ' | grep -oE "\\b${prefix%_}_[a-z0-9_]+ *\\([^*]" |
    sed 's/ *(.*//' | sort -u > "$directory/declared"
nm -D --defined-only "$shared" | awk '{ print $NF }' | sort -u > "$directory/exported"
nm -g --defined-only "$archive" | awk 'NF >= 3 { print $NF }' | sort -u > "$directory/archived"
readelf -d "$shared" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' > "$directory/needed"

test -n "$functions" || echo "no functions" | nothing "the headers declare functions"
printf '%s\n' $functions | sort | comm -23 - "$directory/declared" | nothing "what the headers declare was read"
comm -3 "$directory/declared" "$directory/exported" | nothing "the library exports what the headers declare"
comm -3 "$directory/declared" "$directory/archived" | nothing "the archive has what the headers declare"
grep -vE "^(libskan|$needed|libc)\\.so\\.[0-9.]+\$|^ld-linux" "$directory/needed" |
    nothing "the library needs $needed, libskan and libc only"
grep -q "^${needed%%|*}\\.so" "$directory/needed" || echo "${needed%%|*}" | nothing "the library needs it"
find "$shared" -size "+${bytes}c" | nothing "the library has at most $bytes bytes"
echo "$name: $(wc -l < "$directory/declared") functions, needs $(tr '\n' ' ' < "$directory/needed")"
test ! -e "$directory/faults"
