#!/bin/sh
# What strangers' bytes reach is linked and compiled so that a fault of memory ends the process:
#   hardened.sh FILES...
set -u
failed=0

# has FILE WHAT COMMAND...: its output is not empty
has() {
    file=$1 what=$2
    shift 2
    [ -n "$("$@")" ] && return
    echo "FAILED $file: $what"
    failed=1
}

segment() { readelf -lW "$1" | grep "$2"; }
binds_at_once() { readelf -dW "$1" | grep -E 'BIND_NOW|FLAGS.* NOW'; }
calls() { nm -D --undefined-only "$1" | grep -E " ($2)(@|\$)"; }
calls_none() { calls "$@" > /dev/null || echo none; }
is_placed_at_random() { readelf -hW "$1" | grep 'Type:.*DYN'; }

for file; do
    has "$file" "its stack is guarded" calls "$file" __stack_chk_fail
    has "$file" "its stack runs no code" segment "$file" 'GNU_STACK.* RW '
    has "$file" "its table of functions is read-only" segment "$file" GNU_RELRO
    has "$file" "and filled before it runs" binds_at_once "$file"
    has "$file" "it is placed at random" is_placed_at_random "$file"
    has "$file" "what C writes is checked for room" calls_none "$file" 'v?sn?printf|str(n?cpy|n?cat)|gets'
done

[ $failed -eq 0 ] && echo "$# files are hardened"
