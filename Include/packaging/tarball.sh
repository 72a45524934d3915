#!/bin/sh
# tarball.sh TREE UNSTRIPPED OUTPUT NAME: OUTPUT/NAME.tar.gz has what is installed in TREE, and NAME-symbols.tar.gz the
# debug symbols of its libraries and its command, which UNSTRIPPED has. Unpacked into the same folder, they are where
# gdb and sanitizers find them. SOURCE_DATE_EPOCH is the time of all files.
set -eu
tree=$1 unstripped=$2 output=$3 name=$4
symbols=$(mktemp -d)
trap 'rm -rf "$symbols"' EXIT

# split FILE UNSTRIPPED
split() {
    folder=$symbols/$(dirname "$1")/.debug
    debug=$folder/$(basename "$1").debug
    mkdir -p "$folder"
    objcopy --only-keep-debug "$unstripped/$2" "$debug"
    chmod 644 "$debug"
    objcopy --add-gnu-debuglink="$debug" "$tree/$1"
}

# packed FOLDER NAME
packed() {
    tar -C "$1" --sort=name --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner --mode=u=rwX,go=rX \
        --transform="s|^\./|$name/|S" -cf - ./ | gzip -9n > "$output/$2.tar.gz"
}

mkdir -p "$output"
split bin/skan bin/skan
for link in "$tree"/lib/*.so; do
    split "lib/$(basename "$(readlink -f "$link")")" "$(basename "$link")"
done
for library in libjson-c-dev libhiredis-dev libmicrohttpd-dev; do
    install -m 644 "/usr/share/doc/$library/copyright" "$tree/share/doc/skan/copyright.$library"
done
packed "$tree" "$name"
packed "$symbols" "$name-symbols"
