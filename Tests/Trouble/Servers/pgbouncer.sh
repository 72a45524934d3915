#!/bin/sh
# PgBouncer of one test's own, of Debian's package: on loopback, in front of a PostgreSQL server of postgres.sh, which the
# settings server=FOLDER and server_port=PORT name. It lends a connection of that for one transaction at a time.
# server.sh says what to call it with. Root runs it as user postgres. Its address:
#   url=...         over the port, no password; role skan, database postgres
set -eu
kind=pgbouncer
. "$(dirname "$0")/server.sh"

prepare() {
    [ "$(id -u)" != 0 ] || chown postgres:postgres "$1"
    chmod 755 "$1"
}

# configure FOLDER PORT server=FOLDER server_port=PORT [SETTING=VALUE ...]
configure() {
    file=$1/pgbouncer.ini port=$2
    shift 2
    for setting in "$@"; do
        case $setting in
        server=*) server=${setting#*=} ;;
        server_port=*) server_port=${setting#*=} ;;
        esac
    done
    {
        printf '[databases]\npostgres = host=%s port=%s user=skan\n' "$server" "$server_port"
        printf '[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = %s\nunix_socket_dir =\n' "$port"
        printf 'auth_type = any\npool_mode = transaction\ndefault_pool_size = 60\nmax_client_conn = 200\n'
        printf 'ignore_startup_parameters = extra_float_digits\n'
        for setting in "$@"; do
            case $setting in
            server=* | server_port=*) ;;
            *) echo "${setting%%=*} = ${setting#*=}" ;;
            esac
        done
    } > "$file"
}

run() {
    cd "$1"
    user=$(stat -c %u .) group=$(stat -c %g .)
    (exec setsid setpriv --reuid="$user" --regid="$group" --clear-groups pgbouncer pgbouncer.ini) </dev/null >>log 2>&1 &
    pid=$!
    attempt=0
    until grep -q 'process up' log; do
        attempt=$((attempt + 1))
        if [ $attempt -ge 300 ] || ! kill -0 $pid 2>/dev/null; then
            tail -n 5 log >&2
            return 1
        fi
        sleep 0.05
    done
    echo $pid > pid
    echo "pid=$pid"
}

stop() {
    [ -f "$1/pid" ] || return 0
    kill -KILL "$(cat "$1/pid")" 2>/dev/null || true
    rm -f "$1/pid"
}

addresses() { echo "url=postgres://skan@127.0.0.1:$2/postgres"; }

obey "$@"
