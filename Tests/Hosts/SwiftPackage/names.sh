#!/bin/sh
# names.sh <folder of a SwiftPM build>: what libskan's C targets give to a program has libskan's prefix, so that it
# meets nothing of the program's own.
set -u
passed=0
failed=0
for folder in "$1"/CSKANSupport.build "$1"/C*Store*.build "$1"/CSKAN*.build; do
    ls "$folder"/*.o > /dev/null 2>&1 || continue
    target=$(basename "$folder" .build)
    names=$(nm -g --defined-only "$folder"/*.o | awk 'NF == 3 { print $3 }')
    others=$(echo "$names" | grep -v -e '^skan' -e '^support_' | tr '\n' ' ')
    if [ -n "$names" ] && [ -z "$others" ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED  $target: without a prefix: $others"
    fi
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
