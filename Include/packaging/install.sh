#!/bin/sh
# install.sh BUILD PREFIX DESTDIR VERSION ABI [NAME=LIBRARIES...]: puts the library, the store kit, the skan command and
# companions (sqlite=-lsqlite3: with what each is linked with) below DESTDIR and PREFIX, with headers, pkg-config and
# CMake packages, the manual and completion for shells.
set -eu
build=$1 prefix=$2 root=$3$2 version=$4 abi=$5
shift 5
packaging=Include/packaging
cmake=lib/cmake/skan

# FILES... FOLDER
place() { install -m 644 "$@"; }

# library FILE: FILE.VERSION and the links to it.
library() {
    name=$(basename "$1")
    install -m 755 "$1" "$root/lib/$name.$version"
    ln -sf "$name.$version" "$root/lib/$name.$abi"
    ln -sf "$name.$abi" "$root/lib/$name"
}

# filled FILE PLACE [NAME] [LIBRARIES AS THAT FILE LISTS THEM]
filled() {
    sed -e "s|@PREFIX@|$prefix|g" -e "s|@VERSION@|$version|" -e "s|@ABI@|$abi|" -e "s|@NAME@|${3-}|g" \
        -e "s|@LIBS@|${4-}|" "$1" > "$root/$2"
    chmod 644 "$root/$2"
}

# companion NAME LIBRARIES: CMake lists -lsqlite3 -lm as sqlite3;m
companion() {
    place "Include/skan/$1.h" "$root/include/skan/"
    if [ -e "Bindings/Cpp/skan/$1.hpp" ]; then place "Bindings/Cpp/skan/$1.hpp" "$root/include/skan/"; fi
    library "$build/libskan-$1.so"
    place "$build/libskan-$1.a" "$root/lib/"
    filled $packaging/companion.pc "lib/pkgconfig/skan-$1.pc" "$1" "$2"
    filled $packaging/companion.cmake "$cmake/components/$1.cmake" "$1" "$(echo "$2" | sed 's/-l//g; s/ /;/g')"
}

# words [COMMAND]: the commands, or what stands behind one of several words, as "check" behind "model".
words() { "$build/bin/skan" help --complete "$@" "" | cut -f 1; }

# manual [COMMAND...]: its page
manual() {
    page="$root/share/man/man1/$(echo skan "$@" | tr ' ' -).1"
    "$build/bin/skan" help --man "$@" > "$page"
    chmod 644 "$page"
}

for folder in bin include/skan lib/pkgconfig $cmake/components share/skan/models share/skan/columns share/man/man1 share/doc/skan \
    share/bash-completion/completions share/zsh/site-functions share/fish/vendor_completions.d; do
    install -d "$root/$folder"
done
install -m 755 "$build/bin/skan" "$root/bin/"
manual
for command in $(words); do
    parts=$(words "$command")
    for part in $parts; do manual "$command" "$part"; done
    if [ -z "$parts" ]; then manual "$command"; fi
done
install -m 644 $packaging/completions/skan.bash "$root/share/bash-completion/completions/skan"
place $packaging/completions/_skan "$root/share/zsh/site-functions/"
place $packaging/completions/skan.fish "$root/share/fish/vendor_completions.d/"
place Sources/SKANModels/* "$root/share/skan/models/"
place $packaging/share/postbacks.sql $packaging/share/nginx.conf $packaging/share/serve.conf "$root/share/skan/"
place $packaging/share/columns/* "$root/share/skan/columns/"
filled $packaging/share/skan-serve.service share/skan/skan-serve.service
place Sources/Core/Rules.md Sources/Core/Swift/SKAN.docc/AppCalls.md "$root/share/doc/skan/"
# The site of `make docs`, where it was made.
if [ -d "$build/docs" ]; then
    rm -rf "$root/share/doc/skan/html"
    cp -R "$build/docs" "$root/share/doc/skan/html"
fi
for header in skan store model reengagement companion store_kit; do
    place "Include/skan/$header.h" "$root/include/skan/"
done
place Bindings/Cpp/skan/skan.hpp Bindings/Cpp/skan/companion_store.hpp "$root/include/skan/"
library "$build/libskan.so"
place "$build/libskan.a" "$build/libskan_store_kit.a" "$root/lib/"
filled $packaging/skan.pc lib/pkgconfig/skan.pc
filled $packaging/skan-store_kit.pc lib/pkgconfig/skan-store_kit.pc
place $packaging/skanConfig.cmake "$root/$cmake/"
filled $packaging/skanConfigVersion.cmake $cmake/skanConfigVersion.cmake
place $packaging/store_kit.cmake "$root/$cmake/components/"
for each; do companion "${each%%=*}" "${each#*=}"; done
