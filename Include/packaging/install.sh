#!/bin/sh
# install.sh BUILD ARCHIVES PREFIX DESTDIR LIBDIR VERSION ABI LIBRARIES [NAME=LIBRARIES...]: puts libskan and companions
# of BUILD below DESTDIR and PREFIX, with headers, pkg-config and CMake packages. LIBDIR is the folder of libraries in
# PREFIX; LIBRARIES is what libskan.a needs, and after a companion's name what that one needs (sqlite=-lsqlite3).
# ARCHIVES has the static libraries and the store kit, if there are any.
set -eu
build=$1 archives=$2 prefix=$3 root=$4$3 libdir=$5 version=$6 abi=$7 libraries=$8
shift 8
packaging=Include/packaging
cmake=$libdir/cmake/skan
# From the folder of pkg-config's files, which is as deep as that of CMake's less one, to the prefix.
up=$(echo "$libdir/pkgconfig" | sed 's|[^/][^/]*|..|g')

# FILES... FOLDER
place() { install -m 644 "$@"; }

# library FILE: FILE.VERSION and the links to it.
library() {
    name=$(basename "$1")
    install -m 755 "$1" "$root/$libdir/$name.$version"
    ln -sf "$name.$version" "$root/$libdir/$name.$abi"
    ln -sf "$name.$abi" "$root/$libdir/$name"
}

# archive FILE: if it was built, and one of an earlier install does not stay beside libraries of another kind.
archive() {
    rm -f "$root/$libdir/$1"
    if [ -e "$archives/$1" ]; then place "$archives/$1" "$root/$libdir/"; fi
}

# filled FILE PLACE LIBRARIES [NAME]: CMake lists -lsqlite3 -lm as sqlite3;m
filled() {
    sed -e "s|@VERSION@|$version|" -e "s|@ABI@|$abi|" -e "s|@LIBDIR@|$libdir|" -e "s|@UP@|$up|" -e "s|@LIBS@|$3|" \
        -e "s|@CMAKE_LIBS@|$(echo "$3" | sed 's/-l//g; s/ /;/g')|" -e "s|@NAME@|${4-}|g" "$1" > "$root/$2"
    chmod 644 "$root/$2"
}

# companion NAME LIBRARIES
companion() {
    place "Include/skan/$1.h" "$root/include/skan/"
    if [ -e "Bindings/Cpp/skan/$1.hpp" ]; then place "Bindings/Cpp/skan/$1.hpp" "$root/include/skan/"; fi
    library "$build/libskan-$1.so"
    archive "libskan-$1.a"
    filled $packaging/companion.pc "$libdir/pkgconfig/skan-$1.pc" "$2" "$1"
    filled $packaging/companion.cmake "$cmake/components/$1.cmake" "$2" "$1"
}

install -d "$root/include/skan" "$root/$libdir/pkgconfig" "$root/$cmake/components"
for header in skan store model reengagement companion store_kit; do
    place "Include/skan/$header.h" "$root/include/skan/"
done
place Bindings/Cpp/skan/skan.hpp Bindings/Cpp/skan/companion_store.hpp "$root/include/skan/"
library "$build/libskan.so"
archive libskan.a
archive libskan_store_kit.a
filled $packaging/skan.pc "$libdir/pkgconfig/skan.pc" "$libraries"
filled $packaging/skan-store_kit.pc "$libdir/pkgconfig/skan-store_kit.pc" "$libraries"
filled $packaging/skanConfig.cmake "$cmake/skanConfig.cmake" "$libraries"
filled $packaging/skanConfigVersion.cmake "$cmake/skanConfigVersion.cmake" "$libraries"
filled $packaging/store_kit.cmake "$cmake/components/store_kit.cmake" "$libraries"
for each; do companion "${each%%=*}" "${each#*=}"; done
