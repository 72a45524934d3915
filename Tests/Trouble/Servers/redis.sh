#!/bin/sh
# A Redis server of one test's own, of Debian's package redis-tools: in a new folder, on a Unix socket there and a
# loopback port.
#   redis.sh start [--for PID] [SETTING=VALUE ...]       a new one; prints
#       directory=...   the folder; hand it to the commands below
#       pid=...         the server's
#       port=...
#       url=...         over the socket
#       tcp_url=...     over the port
#   redis.sh again DIRECTORY [--loading] [SETTING=VALUE ...]
#                                                        starts it after it was stopped or killed; prints pid=...
#                                                        --loading: without waiting until it has loaded its data
#   redis.sh stop DIRECTORY [fast|immediate]             and leaves the folder; immediate = SIGKILL
#   redis.sh remove DIRECTORY                            stops it, if it runs, and removes the folder
# --for PID: the server is removed when that process has gone, however it ended. Without settings it keeps an
# append-only file that every change waits for, and no snapshots.
set -eu

# The server is in redis-tools, under the name of the program that checks its files; redis-server adds a service.
program() {
    if command -v redis-server; then return; fi
    ln -sf "$(command -v redis-check-rdb)" "$1/redis-server"
    echo "$1/redis-server"
}

ask() {
    redis-cli -s "$1/socket" ping 2>&1
}

# run DIRECTORY WAITS [SETTING=VALUE ...]
run() {
    directory=$1 waits=$2
    shift 2
    [ ! -f "$directory/pid" ] || await_end "$(cat "$directory/pid")"
    for setting in "$@"; do echo "${setting%%=*} ${setting#*=}"; done > "$directory/again.conf"
    (
        cd "$directory"
        exec setsid "$(program "$directory")" "$directory/redis.conf"
    ) </dev/null >>"$directory/log" 2>&1 &
    pid=$!
    echo "$pid" > "$directory/pid"
    while kill -0 "$pid" 2>/dev/null; do
        case $(ask "$directory") in
        *LOADING*) [ "$waits" = 1 ] || break ;;
        PONG* | *NOAUTH* | *NOPERM* | *MISCONF* | *MASTERDOWN*) break ;;
        esac
        sleep 0.02
    done
    if ! kill -0 "$pid" 2>/dev/null; then
        tail -n 5 "$directory/log" >&2
        return 1
    fi
    echo "pid=$pid"
}

await_end() {
    while kill -0 "$1" 2>/dev/null; do
        # One that has ended, with all its threads, and that nobody has waited for yet.
        grep -q '^State:.Z' "/proc/$1/status" 2>/dev/null && [ "$(ls "/proc/$1/task" | wc -l)" -le 1 ] && return
        sleep 0.02
    done
}

stop() {
    if [ -f "$1/pid" ]; then
        pid=$(cat "$1/pid")
        signal=KILL
        [ "${2:-immediate}" != fast ] || signal=TERM
        kill -$signal "$pid" 2>/dev/null || true
        await_end "$pid"
        rm -f "$1/pid"
    fi
}

start() {
    owner=""
    if [ "${1:-}" = --for ]; then
        owner=$2
        shift 2
    fi
    made=$(mktemp -d "${TMPDIR:-/tmp}/skan-redis-XXXXXX")
    trap 'stop "$made"; rm -rf "$made"' EXIT
    while :; do
        port=$(shuf -i 20000-31999 -n 1)
        {
            echo "bind 127.0.0.1"
            echo "port $port"
            echo "unixsocket $made/socket"
            echo "unixsocketperm 777"
            echo "dir $made"
            echo "appendonly yes"
            echo "appendfsync always"
            echo "save \"\""
            for setting in "$@"; do echo "${setting%%=*} ${setting#*=}"; done
            echo "include $made/again.conf"
        } > "$made/redis.conf"
        said=$(run "$made" 1) && break
        grep -q 'Address already in use' "$made/log" || exit 1
        : > "$made/log"
    done
    trap - EXIT
    if [ -n "$owner" ]; then
        # In a session of its own: what ends the owner's group leaves it.
        setsid "$0" watch "$owner" "$made" </dev/null >/dev/null 2>&1 &
    fi
    echo "directory=$made"
    echo "$said"
    echo "port=$port"
    echo "url=redis+unix://$made/socket"
    echo "tcp_url=redis://127.0.0.1:$port"
}

command=${1:-}
[ $# -eq 0 ] || shift
case $command in
start) start "$@" ;;
again)
    folder=$1 waits=1
    shift
    if [ "${1:-}" = --loading ]; then
        waits=0
        shift
    fi
    run "$folder" $waits "$@"
    ;;
stop) stop "$@" ;;
watch)
    while kill -0 "$1" && [ -d "$2" ]; do sleep 0.3; done
    stop "$2"
    rm -rf "$2"
    ;;
remove)
    stop "$1"
    rm -rf "$1"
    ;;
*)
    sed -n 's/^# \{0,1\}//p' "$0" | sed -n 1,16p >&2
    exit 2
    ;;
esac
