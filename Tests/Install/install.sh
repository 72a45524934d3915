#!/bin/sh
# Installs the library into an empty place, and builds and runs programs that find it there as users do:
#   install.sh [source tree]
set -u
root=$(cd "${1:-.}" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
prefix="$directory/prefix"
passed=0
failed=0

# try NAME COMMAND...: the command succeeds
try() {
    name=$1
    shift
    if "$@" > "$directory/output" 2>&1; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED $name: $*"
        sed 's/^/  /' "$directory/output"
    fi
}

# loads_libskan PROGRAM yes|no: whether the dynamic linker will look for libskan.so
loads_libskan() {
    if readelf -d "$1" | grep -q 'NEEDED.*libskan\.so'; then test "$2" = yes; else test "$2" = no; fi
}

# says PROGRAM TEXT [LIBRARIES]: it runs, and its output has the text
says() {
    LD_LIBRARY_PATH="${3:-}" "$1" > "$directory/said" || return 1
    cat "$directory/said"
    grep -qF "$2" "$directory/said"
}

# program NAME PATH yes|no [LIBRARIES]: it is linked as it should be, and works
program() {
    try "$1 is linked as it should be" loads_libskan "$2" "$3"
    try "$1 works" says "$2" "libskan $version: SKAN_OK" "${4:-}"
}

try "make install" make -C "$root" install PREFIX="$prefix"
for file in include/skan/skan.h include/skan/skan.hpp lib/libskan.so lib/libskan.a lib/pkgconfig/skan.pc \
    lib/cmake/skan/skanConfig.cmake; do
    try "$file is installed" test -s "$prefix/$file"
done
try "the headers are the public ones" cmp "$root/Include/skan/skan.h" "$prefix/include/skan/skan.h"
no_trace() { ! grep -rlF "$root" "$prefix/include" "$prefix/lib/pkgconfig" "$prefix/lib/cmake"; }
try "no file tells where it was built" no_trace

export PKG_CONFIG_PATH="$prefix/lib/pkgconfig"
version=$(pkg-config --modversion skan)
flags="-Wall -Wextra -pedantic -Werror"

try "a C program by pkg-config" \
    ${CC:-gcc} -std=c11 $flags -o "$directory/c-shared" "$here/Consumer/consumer.c" $(pkg-config --cflags --libs skan)
program "a C program by pkg-config" "$directory/c-shared" yes "$prefix/lib"

# The archive in place of -lskan, which would find the shared library beside it.
libraries=$(pkg-config --static --libs skan | sed "s|-lskan\>|$prefix/lib/libskan.a|")
try "a static C program by pkg-config" \
    ${CC:-gcc} -std=c11 $flags -o "$directory/c-static" "$here/Consumer/consumer.c" $(pkg-config --cflags skan) \
    $libraries
program "a static C program by pkg-config" "$directory/c-static" no

try "a C++ program by pkg-config" \
    ${CXX:-g++} -std=c++17 $flags -o "$directory/cpp-shared" "$here/Consumer/consumer.cpp" \
    $(pkg-config --cflags --libs skan)
program "a C++ program by pkg-config" "$directory/cpp-shared" yes "$prefix/lib"

try "find_package(skan)" cmake -S "$here/Consumer" -B "$directory/cmake" -DCMAKE_PREFIX_PATH="$prefix" \
    -DWANTED="$version" -DCMAKE_BUILD_TYPE=Release -DCMAKE_C_COMPILER="${CC:-gcc}" -DCMAKE_CXX_COMPILER="${CXX:-g++}"
try "programs by CMake" cmake --build "$directory/cmake"
program "a C program by CMake with skan::skan" "$directory/cmake/c-shared" yes
program "a C program by CMake with skan::static" "$directory/cmake/c-static" no
program "a C++ program by CMake with skan::skan" "$directory/cmake/cpp-shared" yes
program "a C++ program by CMake with skan::static" "$directory/cmake/cpp-static" no

cmake_refuses() { ! cmake "$@"; }
try "find_package(skan 99)" cmake_refuses -S "$here/Consumer" -B "$directory/newer" -DCMAKE_PREFIX_PATH="$prefix" \
    -DWANTED=99 -DCMAKE_C_COMPILER="${CC:-gcc}" -DCMAKE_CXX_COMPILER="${CXX:-g++}"

# As packagers do: into a place that is not the prefix.
try "make install DESTDIR" make -C "$root" install DESTDIR="$directory/staged" PREFIX=/usr
try "libskan.so is staged" test -s "$directory/staged/usr/lib/libskan.so"
no_stage() { ! grep -rlF "$directory" "$directory/staged"; }
try "no staged file tells the stage" no_stage

echo "$passed passed, $failed failed"
test $failed -eq 0
