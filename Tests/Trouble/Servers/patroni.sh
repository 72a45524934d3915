#!/bin/sh
# PostgreSQL that fails over, of Debian's packages patroni, etcd-server and pgbouncer, which it installs where they are
# missing: one etcd, and three servers under Patroni with synchronous replication, in a new folder. PgBouncer stands
# before the first server, and lends it for a transaction at a time. server.sh says what to call it with; its addresses:
#   url=...              all servers, of which the one is taken that writes; role skan, a superuser, database postgres
#   tcp_url=...          PgBouncer
# The nodes are 0 to 2, port=... is etcd's. Besides:
#   leader FOLDER        prints the node that writes
#   whole FOLDER         whether one node writes, one is its synchronous standby, and the third follows it
#   signal FOLDER NODE SIGNAL [server]    to Patroni and the server of a node, or to the server alone
#   again FOLDER NODE    starts Patroni of a node, and it the server; again FOLDER etcd
#   switch FOLDER        another node is to write, in good order
set -eu
kind=patroni
. "$(dirname "$0")/server.sh"
export LC_ALL=C
nodes="0 1 2"

# Without the services that the packages bring: those are told not to start.
install_packages() {
    command -v patroni >/dev/null && command -v etcd >/dev/null && command -v pgbouncer >/dev/null && return
    as_root=""
    [ "$(id -u)" = 0 ] || as_root=sudo
    for service in patroni etcd pgbouncer; do $as_root systemctl mask "$service" >/dev/null 2>&1 || true; done
    DEBIAN_FRONTEND=noninteractive $as_root apt-get install -q -y --no-install-recommends patroni etcd-server \
        pgbouncer >&2
}

as_server() {
    if [ "$(id -u)" = 0 ]; then
        setpriv --reuid=postgres --regid=postgres --clear-groups "$@"
    else
        "$@"
    fi
}

programs() { dirname "$(ls /usr/lib/postgresql/*/bin/postgres | sort -t/ -k5 -n | tail -n 1)"; }

prepare() {
    install_packages
    chmod 755 "$1"
    for part in etcd bouncer $nodes; do mkdir -p "$1/$part"; done
    od -An -N12 -tx1 /dev/urandom | tr -d ' \n' > "$1/password"
    [ "$(id -u)" != 0 ] || chown -R postgres:postgres "$1"
}

# configure FOLDER PORT: from there on etcd's two, PgBouncer's, the servers' and their Patronis'.
configure() {
    folder=$1 base=$2 password=$(cat "$1/password")
    echo "$base" > "$folder/base"
    for node in $nodes; do
        cat > "$folder/$node/patroni.yml" <<END
scope: skan
name: node$node
restapi: {listen: "127.0.0.1:$((base + 6 + node))", connect_address: "127.0.0.1:$((base + 6 + node))"}
etcd3: {host: "127.0.0.1:$base"}
bootstrap:
  dcs:
    ttl: 20
    loop_wait: 1
    retry_timeout: 3
    synchronous_mode: true
    master_start_timeout: 0
    postgresql:
      use_pg_rewind: true
      parameters: {max_connections: 200, wal_keep_size: 1GB, fsync: "off", synchronous_commit: "on"}
  initdb: [{encoding: UTF8}, no-locale]
postgresql:
  listen: 127.0.0.1:$((base + 3 + node))
  connect_address: 127.0.0.1:$((base + 3 + node))
  data_dir: $folder/$node/data
  bin_dir: $(programs)
  pgpass: $folder/$node/pgpass
  authentication:
    superuser: {username: skan, password: $password}
    replication: {username: copier, password: $password}
    rewind: {username: skan, password: $password}
  parameters: {unix_socket_directories: $folder/$node}
  pg_hba: [local all all trust, host all all 127.0.0.1/32 scram-sha-256, host replication copier 127.0.0.1/32 scram-sha-256]
END
    done
    cat > "$folder/bouncer/pgbouncer.ini" <<END
[databases]
postgres = host=127.0.0.1 port=$((base + 3)) user=skan password=$password
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = $((base + 2))
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 20
max_client_conn = 1000
ignore_startup_parameters = extra_float_digits
END
}

# begin FOLDER PART PROGRAM...: in a session of its own, with its number in the part's folder.
begin() {
    place=$1/$2
    shift 2
    (
        cd "$place"
        exec setsid setpriv --reuid="$(stat -c %u .)" --regid="$(stat -c %g .)" --clear-groups "$@"
    ) </dev/null >>"$place/log" 2>&1 &
    echo $! > "$place/pid"
}

begin_etcd() {
    base=$(cat "$1/base")
    begin "$1" etcd etcd --data-dir "$1/etcd/data" --unsafe-no-fsync --logger zap \
        --listen-client-urls "http://127.0.0.1:$base" --advertise-client-urls "http://127.0.0.1:$base" \
        --listen-peer-urls "http://127.0.0.1:$((base + 1))" \
        --initial-advertise-peer-urls "http://127.0.0.1:$((base + 1))" \
        --initial-cluster "default=http://127.0.0.1:$((base + 1))"
}

begin_node() { begin "$1" "$2" patroni "$1/$2/patroni.yml"; }

# run FOLDER [NODE|etcd]
run() {
    if [ "${2:-}" = etcd ]; then
        begin_etcd "$1"
    elif [ $# -gt 1 ]; then
        begin_node "$1" "$2"
    else
        begin_etcd "$1"
        for node in $nodes; do begin_node "$1" "$node"; done
        attempt=0
        until whole "$1"; do
            attempt=$((attempt + 1))
            [ $attempt -lt 600 ] || {
                tail -n 5 "$1"/*/log >&2
                return 1
            }
            sleep 0.2
        done
        begin "$1" bouncer pgbouncer "$1/bouncer/pgbouncer.ini"
        [ "$(leader "$1")" = 0 ] || switch "$1" 0
        until whole "$1" && [ "$(leader "$1")" = 0 ]; do sleep 0.2; done
    fi
    echo "pid=$(cat "$1/0/pid")"
}

# What the Patroni of a node says of all: a line of "name role state lag" for each.
seen_by() {
    said=$(curl -s -m 2 "http://127.0.0.1:$(($(cat "$1/base") + 6 + $2))/cluster") || return 1
    echo "$said" | grep -oE '\{"name"[^}]*\}' | while read -r member; do
        field() { echo "$member" | sed -nE "s/.*\"$1\": \"?([^\",}]*).*/\\1/p"; }
        echo "$(field name) $(field role) $(field state) $(field lag)"
    done
}

members() {
    for node in $nodes; do seen_by "$1" "$node" && return; done
}

leader() { members "$1" | sed -nE 's/^node([0-9]) leader running.*/\1/p'; }

# As each node sees it: one that was stopped goes on with what it saw before.
whole() {
    leaders=""
    for node in $nodes; do
        said=$(seen_by "$1" "$node") || return 1
        [ "$(echo "$said" | grep -cE ' sync_standby (running|streaming) 0')" = 1 ] || return 1
        [ "$(echo "$said" | grep -cE ' replica (running|streaming) 0')" = 1 ] || return 1
        leaders="$leaders $(echo "$said" | sed -nE 's/^node([0-9]) leader running.*/\1/p')"
    done
    case $leaders in " 0 0 0" | " 1 1 1" | " 2 2 2") ;; *) return 1 ;; esac
}

# switch FOLDER [NODE]
switch() {
    base=$(cat "$1/base") now=$(leader "$1")
    next=${2:-$(members "$1" | sed -nE 's/^node([0-9]) sync_standby.*/\1/p')}
    curl -s -m 30 -X POST "http://127.0.0.1:$((base + 6 + now))/switchover" \
        -d "{\"leader\": \"node$now\", \"candidate\": \"node$next\"}" >&2
}

# The server's own processes: they have the data folder as their own.
servers() {
    for process in $(pgrep -u "$(stat -c %u "$1/$2")" -x postgres); do
        [ "$(readlink "/proc/$process/cwd")" != "$1/$2/data" ] || echo "$process"
    done
}

signal() {
    [ "${4:-}" = server ] || kill "-$3" "$(cat "$1/$2/pid")"
    if [ "$2" = etcd ]; then return; fi
    processes=$(servers "$1" "$2")
    [ -z "$processes" ] || kill "-$3" $processes
}

stop() {
    for part in bouncer $nodes etcd; do
        [ -f "$1/$part/pid" ] || continue
        kill -KILL "$(cat "$1/$part/pid")" 2>/dev/null || true
        rm -f "$1/$part/pid"
    done
    for node in $nodes; do
        processes=$(servers "$1" "$node")
        [ -z "$processes" ] || kill -KILL $processes 2>/dev/null || true
    done
}

addresses() {
    login=skan:$(cat "$1/password")
    echo "url=postgres://$login@127.0.0.1:$(($2 + 3)),127.0.0.1:$(($2 + 4)),127.0.0.1:$(($2 + 5))/postgres?target_session_attrs=read-write"
    echo "tcp_url=postgres://$login@127.0.0.1:$(($2 + 2))/postgres"
}

case ${1:-} in
leader | whole | signal | switch) "$@" ;;
*) obey "$@" ;;
esac
