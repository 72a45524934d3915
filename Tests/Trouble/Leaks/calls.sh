#!/bin/sh
# calls.sh FUNCTION... -- OBJECT...: names each function that none of the objects calls, and fails if there is one.
set -eu
functions=
while [ "$1" != -- ]; do
    functions="$functions $1"
    shift
done
shift
[ -n "$functions" ] || { echo "calls.sh: there is no function" >&2; exit 2; }
[ $# -gt 0 ] || { echo "calls.sh: there is no object" >&2; exit 2; }
called=" $(nm --undefined-only "$@" | awk '$1 == "U" { printf "%s ", $2 }')"
missing=0
for function in $functions; do
    case $called in
    *" $function "*) ;;
    *)
        echo "$function is called by no program that valgrind runs: call it in Tests/Trouble/Leaks" >&2
        missing=1
        ;;
    esac
done
exit $missing
