#!/bin/sh
# Whatever the C++ headers declare in libskan:: is there as skan:: too:
#   names.sh COMPILER...    such as "g++ -std=c++17"
set -eu
root=$(cd "$(dirname "$0")/../../.." && pwd)
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT

# The names that a header declares at the outer level of libskan, "type NAME" or "function NAME": those that begin in
# the first column, outside of what is detail.
names_of() {
    sed -n '/^namespace libskan {/,/^} \/\/ namespace libskan/p' "$1" |
        sed '/^namespace detail {/,/^} \/\/ namespace detail/d' |
        sed -nE -e 's/^(struct|class|enum class) (\[\[nodiscard\]\] )?([a-z_]+).*/type \3/p' \
            -e 's/^using ([a-z_]+) =.*/type \1/p' \
            -e 's/^(\[\[nodiscard\]\] )?inline [^(]*[ *&]([a-z_]+)\(.*/function \2/p'
}

# One program that uses each under its short name.
names="$directory/names"
for header in "$root"/Bindings/Cpp/skan/*.hpp; do names_of "$header"; done | sort -u > "$names"
{
    for header in "$root"/Bindings/Cpp/skan/*.hpp; do echo "#include <skan/$(basename "$header")>"; done
    echo "#include <type_traits>"
    while read -r kind name; do
        case $kind in
        type) echo "static_assert(std::is_same_v<skan::$name, libskan::$name>);" ;;
        function) echo "template <typename... A> auto use_$name(A... a) -> decltype(skan::$name(a...));" ;;
        esac
    done < "$names"
} > "$directory/short.cpp"

# The namespace of the long names can be had whole.
cat > "$directory/whole.cpp" << 'END'
#include <skan/http.hpp>
#include <skan/postback.hpp>
#include <skan/sqlite.hpp>
using namespace libskan;
std::shared_ptr<store> opened() { return sqlite_store("installs.db"); }
update first_update(engine &installs) { return *installs.register_install("player-1").update; }
END

# What the headers say cannot be; were it to compile one day, they should say otherwise.
printf '#include <skan/skan.hpp>\nusing namespace skan;\n' > "$directory/impossible.cpp"

compiles() {
    $compiler -Wall -Wextra -pedantic -Werror -I"$root/Include" -I"$root/Bindings/Cpp" -fsyntax-only "$1"
}

failed() {
    echo "FAILED $compiler: $1"
    exit 1
}

echo "$(wc -l < "$names") names, of at least 45"
test "$(wc -l < "$names")" -ge 45
test $# -gt 0
for compiler in "$@"; do
    compiles "$directory/short.cpp" || failed "a name of libskan:: is not in skan::"
    compiles "$directory/whole.cpp" || failed "using namespace libskan"
    ! compiles "$directory/impossible.cpp" 2> /dev/null || failed "using namespace skan compiles"
done
