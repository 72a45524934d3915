#!/bin/sh
# debian_python.sh WHEEL STAGE ABI MULTIARCH STORE_KIT: puts the Python package of a wheel into STAGE as Debian has it: it
# opens the libraries of Debian's packages, and STORE_KIT.
set -eu
wheel=$1 package=$2/usr/lib/python3/dist-packages abi=$3 multiarch=$4 store_kit=$5

mkdir -p "$package"
python3 -m zipfile -e "$wheel" "$package"
rm -rf "$package"/libskan-*.dist-info/RECORD
find "$package" -type f -exec chmod 644 {} +
# Outside of the package, where dh_python3 would take libraries for extensions of one version of Python.
libraries=$2/usr/lib/$multiarch/python3-libskan
install -d "$libraries"
for library in "$package"/libskan/_lib/libskan*.so; do
    name=$(basename "$library")
    ln -sf "../$name.$abi" "$libraries/$name"
done
rm "$libraries/libskan-store-kit.so"
install -m 644 "$store_kit" "$libraries/"
rm -rf "$package/libskan/_lib"
ln -s "../../../$multiarch/python3-libskan" "$package/libskan/_lib"
