#!/bin/sh
# older_glibc.sh OUTPUT: a library to link with, whose functions of threads have the versions that they had before
# glibc 2.32 moved them from libpthread into libc. Later glibcs have those versions as well: what is linked with it
# runs on both.
set -eu
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT

# Lines `name@VERSION` are older versions of a function, `name@@VERSION` is what new programs get.
nm -D --defined-only "$(${CC:-gcc} -print-file-name=libc.so.6)" | awk '
    $3 !~ /^pthread_/ { next }
    split($3, part, "@@GLIBC_") == 2 { if (part[2] ~ /^2\.3[2-9]/) moved[part[1]]; next }
    split($3, part, "@GLIBC_") == 2 { older[part[1]] = part[2] }
    END {
        print ".text" > source
        for (name in moved) if (name in older) {
            printf ".globl f_%s\n.type f_%s, @function\nf_%s: ret\n.symver f_%s, %s@@GLIBC_%s\n", \
                name, name, name, name, name, older[name] > source
            versions[older[name]]
        }
        for (version in versions) printf "GLIBC_%s { };\n", version > map
    }' source="$directory/functions.s" map="$directory/map" -
${CC:-gcc} -shared -nostdlib -Wl,-soname,libpthread.so.0 -Wl,--version-script="$directory/map" -o "$1" \
    "$directory/functions.s"
