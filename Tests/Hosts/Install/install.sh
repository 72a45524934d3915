#!/bin/sh
# Installs the library and its companions into an empty place, and builds and runs programs that find them there as
# users do:
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

# loads PROGRAM yes|no LIBRARY: whether the dynamic linker will look for it, under its soname and nothing else
loads() {
    test -s "$1" || return 1
    needed=$(readelf -d "$1" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p')
    echo "$needed"
    if echo "$needed" | grep -q "$3\."; then
        test "$2" = yes && echo "$needed" | grep -qx "$3\.so\.1"
    else
        test "$2" = no
    fi
}

# says PROGRAM TEXT LIBRARIES [ARGUMENT]: it runs, and its output has the text
says() {
    LD_LIBRARY_PATH="$3" "$1" "${4:-}" > "$directory/said" || return 1
    cat "$directory/said"
    grep -qF "$2" "$directory/said"
}

# program NAME PATH yes|no [LIBRARIES]: it is linked as it should be, and works
program() {
    try "$1 is linked as it should be" loads "$2" "$3" libskan
    try "$1 works" says "$2" "libskan $version: SKAN_OK" "${4:-}"
}

# store_program NAME PATH yes|no [LIBRARIES]: the same of one that uses the SQLite store, in a file of its own
files=0
store_program() {
    files=$((files + 1))
    try "$1 is linked as it should be" loads "$2" "$3" libskan
    try "$1 is linked with the store as it should be" loads "$2" "$3" libskan-sqlite
    try "$1 works" says "$2" "libskan $version: SKAN_OK" "${4:-}" "$directory/$files.db"
    try "$1 has written its file" test -s "$directory/$files.db"
}

# static NAME...: the libraries of packages, the archives in place of -lskan..., which would find the shared ones beside
# them
static() {
    pkg-config --static --libs "$@" | sed "s|-l\(skan[a-z-]*\)\>|$prefix/lib/lib\1.a|g"
}

try "make install" make -C "$root" install PREFIX="$prefix"
for file in include/skan/skan.h include/skan/skan.hpp lib/libskan.so lib/libskan.a lib/pkgconfig/skan.pc \
    lib/cmake/skan/skanConfig.cmake include/skan/store_kit.h lib/libskan_store_kit.a lib/pkgconfig/skan-store_kit.pc \
    include/skan/sqlite.h include/skan/sqlite.hpp share/doc/skan/Rules.md share/doc/skan/AppCalls.md \
    share/skan/postbacks.sql share/skan/nginx.conf share/skan/skan-serve.service share/skan/skan-serve@.service \
    share/skan/skan-serve.socket share/skan/serve.conf share/skan/alerts.yml share/skan/dashboard.json share/skan/columns/text_in_envelope.json share/skan/columns/text_in_envelope.jsonl share/man/man1/skan.1 \
    share/man/man1/skan-serve.1 share/man/man1/skan-model-check.1 share/bash-completion/completions/skan \
    share/zsh/site-functions/_skan share/fish/vendor_completions.d/skan.fish; do
    try "$file is installed" test -s "$prefix/$file"
done
for header in "$prefix"/include/skan/*.h; do
    try "$(basename "$header") is the public one" cmp "$root/Include/skan/$(basename "$header")" "$header"
done
no_trace() { ! grep -rlF "$root" "$prefix/include" "$prefix/lib/pkgconfig" "$prefix/lib/cmake"; }
try "no file tells where it was built" no_trace

export PKG_CONFIG_PATH="$prefix/lib/pkgconfig"
version=$(pkg-config --modversion skan)
flags="-Wall -Wextra -pedantic -Werror"
CC=${CC:-gcc}
CXX=${CXX:-g++}

# Every companion: its libraries, its headers alone, its package.
soname() { readelf -d "$1" | grep -qF "Library soname: [$2]"; }
found_beside() { readelf -d "$1" | grep -qF 'Library runpath: [$ORIGIN]'; }
finds_all() { env -u LD_LIBRARY_PATH ldd "$1" && ! env -u LD_LIBRARY_PATH ldd "$1" | grep -q 'not found'; }
alone() { echo "#include <skan/$1>" | $2 $3 $flags -fsyntax-only -x $4 $(pkg-config --cflags "$5") -; }
companions=0
for package in "$prefix"/lib/pkgconfig/skan-*.pc; do
    package=$(basename "$package" .pc)
    test "$package" = skan-store_kit && continue
    companions=$((companions + 1))
    library="$prefix/lib/lib$package.so"
    try "$package has the version of libskan" pkg-config --exact-version="$version" "$package"
    try "lib$package.so is a link to the version" test "$(readlink -f "$library")" = "$library.$version"
    try "lib$package.so.1 is a link to the version" test "$(readlink -f "$library.1")" = "$library.$version"
    try "lib$package.so has its soname" soname "$library" "lib$package.so.1"
    try "lib$package.so needs libskan.so.1" loads "$library" yes libskan
    try "lib$package.so looks beside itself" found_beside "$library"
    try "lib$package.so finds all it needs" finds_all "$library"
    try "lib$package.a is installed" test -s "$prefix/lib/lib$package.a"
    header=${package#skan-}
    try "$header.h alone" alone "$header.h" "$CC" -std=c11 c "$package"
    test -e "$prefix/include/skan/$header.hpp" &&
        try "$header.hpp alone" alone "$header.hpp" "$CXX" -std=c++17 c++ "$package"
    printf '#include <skan/skan.h>\nint main(void) { return skan_abi_version() != SKAN_ABI_VERSION; }\n' > \
        "$directory/empty.c"
    try "a program with lib$package.so" $CC -Wl,--no-as-needed -o "$directory/with-$package" "$directory/empty.c" \
        $(pkg-config --cflags --libs "$package") -Wl,-rpath,"$prefix/lib"
    try "a program with lib$package.so starts" "$directory/with-$package"
done
try "there are companions" test $companions -gt 0

# by_pkg_config NAME CHECK COMPILER SOURCE PACKAGE...: with the shared libraries of packages, and with their archives
by_pkg_config() {
    what="$1 by pkg-config" check=$2 compiler=$3 source=$here/Consumer/$4 file=$directory/$4
    shift 4
    try "$what" $compiler $flags -o "$file-shared" "$source" $(pkg-config --cflags --libs "$@")
    $check "$what" "$file-shared" yes "$prefix/lib"
    try "$what, static" $compiler $flags -o "$file-static" "$source" $(pkg-config --cflags "$@") $(static "$@")
    $check "$what, static" "$file-static" no
}
by_pkg_config "a C program" program "$CC -std=c11" consumer.c skan
by_pkg_config "a C++ program" program "$CXX -std=c++17" consumer.cpp skan
by_pkg_config "a program with the store in C" store_program "$CC -std=c11" sqlite.c skan-sqlite
by_pkg_config "a program with the store in C++" store_program "$CXX -std=c++17" sqlite.cpp skan-sqlite
by_pkg_config "the kit" store_program "$CC -std=c11" kit.c skan-store_kit skan-sqlite

# with_cmake FOLDER OPTION...
with_cmake() {
    folder=$1
    shift
    cmake -S "$here/Consumer" -B "$directory/$folder" -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_BUILD_TYPE=Release \
        -DCMAKE_C_COMPILER="$CC" -DCMAKE_CXX_COMPILER="$CXX" "$@"
}
cmake_refuses() { ! with_cmake "$@"; }

try "find_package(skan COMPONENTS sqlite store_kit)" with_cmake cmake -DWANTED="$version"
try "programs by CMake" cmake --build "$directory/cmake"
for program in c cpp; do
    program "$program by CMake" "$directory/cmake/$program-shared" yes
    program "$program by CMake, static" "$directory/cmake/$program-static" no
done
for program in sqlite-c sqlite-cpp kit; do
    store_program "$program by CMake" "$directory/cmake/$program-shared" yes
    store_program "$program by CMake, static" "$directory/cmake/$program-static" no
done

try "find_package(skan)" with_cmake alone -DWANTED="$version" -DCOMPANIONS=OFF
try "find_package(skan 99)" cmake_refuses newer -DWANTED=99
try "find_package(skan COMPONENTS nothing)" cmake_refuses nothing -DWANTED="$version" -DCOMPONENT=nothing
# CMake breaks lines by the length of the path before.
names_component() {
    with_cmake nothing -DWANTED="$version" -DCOMPONENT=nothing 2>&1 | tr -s ' \n' '  ' | grep -q 'without its component'
}
try "a missing component is named" names_component

# As packagers do: into a place that is not the prefix.
try "make install DESTDIR" make -C "$root" install DESTDIR="$directory/staged" PREFIX=/usr
try "libskan.so is staged" test -s "$directory/staged/usr/lib/libskan.so"
no_stage() { ! grep -rlF "$directory" "$directory/staged"; }
try "no staged file tells the stage" no_stage

# Without companions, where their libraries are not wanted.
try "make install COMPANIONS=" make -C "$root" install COMPANIONS= PREFIX="$directory/small"
try "libskan.so is installed alone" test -s "$directory/small/lib/libskan.so"
no_companion() { ! ls "$directory/small/lib" "$directory/small/include/skan" | grep -q sqlite; }
try "no companion is installed" no_companion

echo "$passed passed, $failed failed"
test $failed -eq 0
