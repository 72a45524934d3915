#!/bin/sh
# A PostgreSQL server of one test's own, of Debian's package: in a new folder, on a Unix socket there and on loopback.
#   postgres.sh start [--for PID] [SETTING=VALUE ...]    a new one; prints
#       directory=...   the folder; hand it to the commands below
#       pid=...         the postmaster's
#       port=...
#       url=...         over the socket, no password; role skan, a superuser, database postgres
#       tcp_url=...     over the port; the role's password is in it
#   postgres.sh again DIRECTORY                          starts it after it was stopped or killed; prints pid=...
#   postgres.sh stop DIRECTORY [fast|immediate]          and leaves the folder
#   postgres.sh remove DIRECTORY                         stops it, if it runs, and removes the folder
# --for PID: the server is removed when that process has gone, however it ended. Root runs it as user postgres.
set -eu
programs=$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -t/ -k5 -n | tail -n 1)
PATH=${programs:+$programs:}$PATH
export LC_ALL=C

as_server() {
    if [ "$(id -u)" = 0 ]; then
        setpriv --reuid=postgres --regid=postgres --clear-groups "$@"
    else
        "$@"
    fi
}

# A killed postmaster, and its children who hold its memory, take a moment to go; else the log's end says why not.
run() {
    attempt=0
    while [ $attempt -lt 100 ]; do
        if as_server pg_ctl -s -w -t 60 -D "$1/data" -l "$1/log" start >/dev/null 2>&1; then
            echo "pid=$(head -n 1 "$1/data/postmaster.pid")"
            return
        fi
        tail -n 4 "$1/log" | grep -qE 'pre-existing shared memory|lock file .* already exists' || break
        attempt=$((attempt + 1))
        sleep 0.1
    done
    grep -q 'Address already in use' "$1/log" || tail -n 5 "$1/log" >&2
    return 1
}

stop() {
    if [ -f "$1/data/postmaster.pid" ]; then
        as_server pg_ctl -s -w -D "$1/data" -m "${2:-immediate}" stop >/dev/null 2>&1 || true
    fi
}

start() {
    owner=""
    if [ "${1:-}" = --for ]; then
        owner=$2
        shift 2
    fi
    directory=$(mktemp -d "${TMPDIR:-/tmp}/skan-postgres-XXXXXX")
    trap 'stop "$directory"; rm -rf "$directory"' EXIT
    [ "$(id -u)" != 0 ] || chown postgres:postgres "$directory"
    chmod 755 "$directory"
    password=$(od -An -N12 -tx1 /dev/urandom | tr -d ' \n')
    echo "$password" > "$directory/password"
    chmod 644 "$directory/password"
    cd "$directory"
    as_server initdb -D "$directory/data" -N --username=skan --pwfile="$directory/password" --auth-local=trust \
        --auth-host=scram-sha-256 --encoding=UTF8 --no-locale --no-instructions >/dev/null
    while :; do
        port=$(shuf -i 20000-31999 -n 1)
        {
            echo "listen_addresses = '127.0.0.1'"
            echo "unix_socket_directories = '$directory'"
            echo "port = $port"
            for setting in "$@"; do echo "${setting%%=*} = '${setting#*=}'"; done
        } > "$directory/data/postgresql.auto.conf"
        pid=$(run "$directory") && break
        grep -q 'Address already in use' "$directory/log" || exit 1
    done
    trap - EXIT
    if [ -n "$owner" ]; then
        (
            exec </dev/null >/dev/null 2>&1
            while kill -0 "$owner" && [ -d "$directory" ]; do sleep 0.5; done
            stop "$directory"
            rm -rf "$directory"
        ) &
    fi
    echo "directory=$directory"
    echo "$pid"
    echo "port=$port"
    echo "url=postgres://skan@/postgres?host=$directory&port=$port"
    echo "tcp_url=postgres://skan:$password@127.0.0.1:$port/postgres"
}

command=${1:-}
[ $# -eq 0 ] || shift
case $command in
start) start "$@" ;;
again) cd "$1" && run "$1" ;;
stop) cd "$1" && stop "$@" ;;
remove)
    cd "$1" && stop "$1"
    rm -rf "$1"
    ;;
*)
    sed -n 's/^# \{0,1\}//p' "$0" | sed -n 2,13p >&2
    exit 2
    ;;
esac
