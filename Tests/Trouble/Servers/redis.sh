#!/bin/sh
# A Redis server of one test's own, of Debian's package redis-tools: in a new folder, on a Unix socket there and a
# loopback port. server.sh says what to call it with; stop immediate = SIGKILL. Its addresses:
#   url=...         over the socket
#   tcp_url=...     over the port
# The setting tls=NAME has it speak TLS alone at the port, with this certificate of certificates.sh, which are in tls/.
# Without settings it keeps an append-only file that every change waits for, and no snapshots.
set -eu
kind=redis
. "$(dirname "$0")/server.sh"
. "$(dirname "$0")/redis_program.sh"

ask() {
    redis-cli -s "$1/socket" ping 2>&1
}

# run FOLDER [--loading] [SETTING=VALUE ...]; --loading: without waiting until it has loaded its data.
run() {
    directory=$1 waits=1
    shift
    if [ "${1:-}" = --loading ]; then
        waits=0
        shift
    fi
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

prepare() { :; }

configure() {
    {
        printf 'bind 127.0.0.1\nport %s\nunixsocket %s/socket\nunixsocketperm 777\n' "$2" "$1"
        printf 'dir %s\nappendonly yes\nappendfsync always\nsave ""\n' "$1"
        made=$1 port=$2
        shift 2
        for setting in "$@"; do
            case $setting in
            tls=*) speak_tls "$made/tls" "$port" "${setting#*=}" ;;
            *) echo "${setting%%=*} ${setting#*=}" ;;
            esac
        done
        echo "include $made/again.conf"
    } > "$1/redis.conf"
}

addresses() {
    echo "url=redis+unix://$1/socket"
    if [ -d "$1/tls" ]; then
        echo "tcp_url=rediss://127.0.0.1:$2/?$(client_files "$1/tls")"
    else
        echo "tcp_url=redis://127.0.0.1:$2"
    fi
}

obey "$@"
