#!/bin/sh
# A server in C++ that is built with a sanitizer finds nothing with libraries that have it, too:
#   sanitized.sh COMMAND BUILD
# Each sanitizer also has to find a fault of the server's own. With libraries that ThreadSanitizer does not see into, it
# takes the release of a counted reference for a race: that is no fault, and not shown here as one.
set -u
here=$(dirname "$0")
command=$1 build=$2
directory=$(mktemp -d)
"$command" serve --model Sources/SKANModels/mixed.json --listen 127.0.0.1:0 > "$directory/said" 2>&1 &
served=$!
trap 'kill $served; rm -rf "$directory"' EXIT
for _ in $(seq 100); do grep -q '^skan: serving' "$directory/said" && break || sleep 0.1; done
url=$(grep -o 'http://[0-9.:]*' "$directory/said" | head -n 1)
suppressions=$(realpath Include/packaging/sanitized/thread.supp)
passed=0
failed=0

# runs passes|fails SANITIZER SOURCE: the program, built with the sanitizer and its libraries
runs() {
    libraries=$(realpath "$build/$2")
    ${CXX:-g++} -std=c++17 -Wall -Wextra -pedantic -Werror -g -O1 "-fsanitize=$2" -IInclude -IBindings/Cpp \
        -o "$directory/program" "$3" "-L$libraries" -lskan-http -lskan "-Wl,-rpath,$libraries" &&
        timeout 300 env ASAN_OPTIONS=detect_leaks=1 TSAN_OPTIONS="history_size=7 suppressions=$suppressions" "$directory/program" "$url" > "$directory/output" 2>&1 &&
        got=passes || got=fails
    if [ "$got" = fails ] && ! grep -q "ERROR: AddressSanitizer\|WARNING: ThreadSanitizer" "$directory/output"; then
        got=breaks
    fi
    if [ "$got" = "$1" ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED: with -fsanitize=$2 $3 $got"
        sed 's/^/  /' "$directory/output"
    fi
}

runs passes thread "$here/server.cpp"
runs passes address "$here/server.cpp"
runs fails thread "$here/race.cpp"
runs fails address "$here/overrun.cpp"
echo "$passed passed, $failed failed"
test $failed -eq 0
