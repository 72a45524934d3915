#!/bin/sh
# A PostgreSQL server of one test's own, of Debian's package: in a new folder, on a Unix socket there and on loopback.
# server.sh says what to call it with. Its addresses:
#   url=...         over the socket, no password; role skan, a superuser, database postgres
#   tcp_url=...     over the port; the role's password is in it
# Root runs it as user postgres.
set -eu
kind=postgres
. "$(dirname "$0")/server.sh"
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

prepare() {
    [ "$(id -u)" != 0 ] || chown postgres:postgres "$1"
    chmod 755 "$1"
    od -An -N12 -tx1 /dev/urandom | tr -d ' \n' > "$1/password"
    chmod 644 "$1/password"
    (
        cd "$1"
        as_server initdb -D "$1/data" -N --username=skan --pwfile="$1/password" --auth-local=trust \
            --auth-host=scram-sha-256 --encoding=UTF8 --no-locale --no-instructions >/dev/null
    )
}

configure() {
    settings=$1/data/postgresql.auto.conf
    printf "listen_addresses = '127.0.0.1'\nunix_socket_directories = '%s'\nport = %s\n" "$1" "$2" > "$settings"
    shift 2
    for setting in "$@"; do echo "${setting%%=*} = '${setting#*=}'"; done >> "$settings"
}

# A killed postmaster, and its children who hold its memory, take a moment to go; else the log's end says why not.
run() {
    cd "$1"
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
    cd "$1"
    [ -f data/postmaster.pid ] || return 0
    as_server pg_ctl -s -w -D "$1/data" -m "${2:-immediate}" stop >/dev/null 2>&1 || true
}

addresses() {
    echo "url=postgres://skan@/postgres?host=$1&port=$2"
    echo "tcp_url=postgres://skan:$(cat "$1/password")@127.0.0.1:$2/postgres"
}

obey "$@"
