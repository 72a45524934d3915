#!/bin/sh
# debian.sh FOLDER OUTPUT VERSION ABI "COMPANION...": Debian's packages, in OUTPUT, of what is installed in FOLDER/stage.
# MAINTAINER is whoever answers for them, SOURCE_DATE_EPOCH their time.
set -eu
mkdir -p "$2"
folder=$1 output=$(realpath "$2") version=$3 abi=$4 companions=$5
packaging=$(dirname "$0")
stage=$folder/stage
debian=$folder/debian

# package FILE: the one that a file of the libraries belongs to
package() {
    file=$(basename "$1")
    for name in $companions; do
        case $file in
            libskan-$name.so.*) echo "libskan-$name$abi" && return ;;
            $name.h | $name.hpp | $name.cmake | skan-$name.pc | libskan-$name.*) echo "libskan-$name-dev" && return ;;
        esac
    done
    case $file in
        libskan.so.*) echo "libskan$abi" ;;
        *store_kit*) echo libskan-store-kit-dev ;;
        *) echo libskan-dev ;;
    esac
}

# listed FORMAT: the companions' packages, for a field of control
listed() { printf "$1, " $companions | sed 's/, $//'; }

# The units where systemd finds them, and the sites where nginx's administrators look for them.
install -d "$stage/lib/systemd/system" "$stage/etc/nginx/sites-available"
find "$stage/usr/share/skan" -maxdepth 1 \( -name '*.service' -o -name '*.socket' -o -name '*.target' \) \
    -exec install -m 644 -t "$stage/lib/systemd/system" {} +
for site in "$stage"/usr/share/skan/nginx*.conf; do
    name=$(basename "$site" .conf)
    install -m 644 "$site" "$stage/etc/nginx/sites-available/skan${name#nginx}"
done

cp -R "$packaging/debian" "$debian"
(cd "$stage" && find usr/include usr/lib/*-linux-* ! -type d ! -path '*/python3-libskan/*') | sort | while read -r file; do
    echo "$file" >> "$debian/$(package "$file").install"
done
printf '%s\n' usr/bin usr/share lib/systemd etc > "$debian/skan.install"
printf '%s\n' usr/lib/python3 'usr/lib/*/python3-libskan' > "$debian/python3-libskan.install"
for name in $companions; do sed "s/@NAME@/$name/g" "$debian/companion.control" >> "$debian/control"; done
sed -i -e "s/@MAINTAINER@/$MAINTAINER/" -e "s/@COMPANIONS@/$(listed "libskan-%s$abi")/" \
    -e "s/@DEV_COMPANIONS@/$(listed libskan-%s-dev)/" -e "s/@ABI@/$abi/g" "$debian/control"
cat > "$debian/changelog" <<END
libskan ($version) unstable; urgency=medium

  * Version $version; doc/skan and the documentation tell what changed.

 -- $MAINTAINER  $(date -u -R -d "@$SOURCE_DATE_EPOCH")
END

rm -f "$output"/*.deb
(cd "$folder" && dpkg-buildpackage --build=binary --no-sign --jobs=auto > "../debian.log" 2>&1) || {
    tail -n 40 "$folder/../debian.log"
    exit 1
}
mv "$folder"/../*.deb "$output/"
