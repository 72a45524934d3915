#!/bin/sh
# install_command.sh COMMAND PREFIX DESTDIR: puts the skan command below DESTDIR and PREFIX, with its manual, completion
# for shells, models, and examples of its configuration.
set -eu
command=$1 prefix=$2 root=$3$2
packaging=Include/packaging

# words [COMMAND]: the commands, or what stands behind one of several words, as "check" behind "model".
words() { "$command" help --complete "$@" "" | cut -f 1; }

# manual [COMMAND...]: its page
manual() {
    page="$root/share/man/man1/$(echo skan "$@" | tr ' ' -).1"
    "$command" help --man "$@" > "$page"
    chmod 644 "$page"
}

for folder in bin share/skan/models share/man/man1 share/doc/skan share/bash-completion/completions \
    share/zsh/site-functions share/fish/vendor_completions.d; do
    install -d "$root/$folder"
done
install -m 755 "$command" "$root/bin/skan"
manual
for word in $(words); do
    parts=$(words "$word")
    for part in $parts; do manual "$word" "$part"; done
    if [ -z "$parts" ]; then manual "$word"; fi
done
install -m 644 $packaging/completions/skan.bash "$root/share/bash-completion/completions/skan"
install -m 644 $packaging/completions/_skan "$root/share/zsh/site-functions/"
install -m 644 $packaging/completions/skan.fish "$root/share/fish/vendor_completions.d/"
install -m 644 Sources/SKANModels/* "$root/share/skan/models/"
(cd $packaging/share && find . -type f) | while read -r file; do
    install -d "$root/share/skan/$(dirname "$file")"
    sed "s|@PREFIX@|$prefix|g" "$packaging/share/$file" > "$root/share/skan/$file"
    chmod 644 "$root/share/skan/$file"
done
install -m 644 Sources/Core/Rules.md "$root/share/doc/skan/"
# Its links lead to what is installed beside it.
sed 's|(\.\./Core/|(|g' Sources/Articles/AppCalls.md > "$root/share/doc/skan/AppCalls.md"
chmod 644 "$root/share/doc/skan/AppCalls.md"
# The site of `make docs`, where it was made.
site=$(dirname "$command")/../docs
if [ -d "$site" ]; then
    rm -rf "$root/share/doc/skan/html"
    cp -R "$site" "$root/share/doc/skan/html"
fi
