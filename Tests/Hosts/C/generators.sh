#!/bin/sh
# Generators of bindings take every public header: bindgen for Rust, and cgo for Go, whose program then uses the library.
#   generators.sh BUILD     BUILD has the libraries
set -eu
cd "$(dirname "$0")/../../.."
build=$(realpath "$1")
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT

headers=$(cd Include && echo skan/*.h)
printf '#include <%s>\n' $headers > "$directory/all.h"
sed -n 's/^[a-z].*[ *]\(skan_[a-z_]*\)(.*/\1/p' Include/skan/*.h | sort -u > "$directory/declared"

bindgen "$directory/all.h" --allowlist-function 'skan_.*' --allowlist-type 'skan_.*' --allowlist-var 'SKAN_.*' -- -IInclude > "$directory/all.rs"
sed -n 's/^ *pub fn \(skan_[a-z_]*\)(.*/\1/p' "$directory/all.rs" | sort -u > "$directory/bound"
comm -23 "$directory/declared" "$directory/bound" > "$directory/missing"
if [ -s "$directory/missing" ]; then
    echo "FAILED bindgen leaves out:"
    cat "$directory/missing"
    exit 1
fi
echo "bindgen: $(wc -l < "$directory/bound") functions"

mkdir "$directory/game"
{
    echo 'package main'
    echo '/*'
    echo "#cgo CFLAGS: -I$(pwd)/Include"
    echo "#cgo LDFLAGS: -L$build -lskan -Wl,-rpath,$build"
    echo '#include <stdlib.h>'
    cat "$directory/all.h"
    echo '*/'
    cat Tests/Hosts/C/game.go
} > "$directory/game/main.go"
(
    cd "$directory/game"
    export GOCACHE="$directory/cache" GOPATH="$directory/path" GOFLAGS=-mod=mod GOPROXY=off CGO_ENABLED=1
    go mod init game > /dev/null 2>&1
    go build -o game .
)
"$directory/game/game"
