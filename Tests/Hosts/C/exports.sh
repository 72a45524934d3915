#!/bin/sh
# What skan.h declares is what the library gives, and nothing else; and the library needs little and is small:
#   exports.sh skan.h libskan.so libskan.a
set -u
header=$1
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

# Names before a parenthesis, outside of comments and preprocessor lines; hooks are `skan_status (*name)(`.
${CC:-gcc} -E -P -I"$(dirname "$header")/.." "$header" | tr '\n' ' ' | grep -oE '\bskan_[a-z0-9_]+ *\([^*]' |
    sed 's/ *(.*//' | sort -u > "$directory/declared"
nm -D --defined-only "$shared" | awk '{ print $NF }' | sort -u > "$directory/exported"
nm -g --defined-only "$archive" | awk 'NF >= 3 { print $NF }' | sort -u > "$directory/archived"

: > "$directory/few"
[ "$(wc -l < "$directory/declared")" -ge 20 ] || cp "$directory/declared" "$directory/few"
holds "the header declares at least 20 functions" "$directory/few"
comm -23 "$directory/declared" "$directory/exported" > "$directory/missing"
holds "every declared function is exported" "$directory/missing"
comm -13 "$directory/declared" "$directory/exported" > "$directory/more"
holds "nothing else is exported" "$directory/more"
comm -23 "$directory/declared" "$directory/archived" > "$directory/missing"
holds "every declared function is in the archive" "$directory/missing"
comm -13 "$directory/declared" "$directory/archived" > "$directory/more"
holds "nothing else is global in the archive" "$directory/more"

readelf -d "$shared" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' > "$directory/needed"
grep -vE '^(libjson-c|libm|libc)\.so\.[0-9]+$|^ld-linux' "$directory/needed" > "$directory/others"
holds "the library needs json-c, libm and libc only" "$directory/others"
: > "$directory/none"
grep -q '^libjson-c\.so' "$directory/needed" || echo "libjson-c is not among them" > "$directory/none"
holds "the list of what the library needs was read" "$directory/none"

strip -o "$directory/stripped" "$shared"
size=$(wc -c < "$directory/stripped")
: > "$directory/large"
[ "$size" -le 262144 ] || echo "$size bytes" > "$directory/large"
holds "stripped, the library has at most 256 KB" "$directory/large"

echo "$size bytes stripped, $(wc -l < "$directory/declared") functions, needs $(tr '\n' ' ' < "$directory/needed")"
echo "$passed passed, $failed failed"
test $failed -eq 0
