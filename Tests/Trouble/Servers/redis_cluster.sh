#!/bin/sh
# A Redis Cluster of one test's own: three masters with a replica each, in a new folder with a folder of each node, 0 to
# 5, which has its Unix socket. server.sh says what to call it with; also
#   again FOLDER NODE       starts one node again
# pid=... is that of node 0; each node's is in its folder. Its addresses:
#   url=...                 redis+cluster:// with the ports of the first and the last node; rediss+cluster:// with tls=yes
#   port=...                that of node 0: the next ones are those of the others
# The setting tls=yes has them speak TLS alone, to clients and to each other; certificates.sh says what is in tls/.
set -eu
kind=redis-cluster
# A node speaks to the others at its port + 10000, which stays below those that the system gives to connections.
ports=20000-22760
here=$(dirname "$0")
. "$here/server.sh"
. "$here/redis_program.sh"
nodes="0 1 2 3 4 5"

prepare() { :; }

configure() {
    folder=$1 base=$2
    shift 2
    tls=""
    for setting in "$@"; do
        [ "$setting" != tls=yes ] || tls=yes
    done
    echo "$base" > "$folder/base"
    for node in $nodes; do
        mkdir -p "$folder/$node"
        {
            printf 'bind 127.0.0.1\nunixsocket %s/socket\nunixsocketperm 777\ndir %s\n' \
                "$folder/$node" "$folder/$node"
            printf 'cluster-enabled yes\ncluster-node-timeout 1000\nrepl-diskless-sync-delay 0\nsave ""\n'
            if [ -n "$tls" ]; then
                speak_tls "$folder/tls" $((base + node)) server
                printf 'tls-cluster yes\ntls-replication yes\n'
            else
                printf 'port %s\n' $((base + node))
            fi
            for setting in "$@"; do
                [ "$setting" = tls=yes ] || echo "${setting%%=*} ${setting#*=}"
            done
        } > "$folder/$node/redis.conf"
    done
}

ask() {
    socket=$1/$2/socket
    shift 2
    redis-cli -s "$socket" "$@" 2>&1
}

start_node() {
    [ ! -f "$1/$2/pid" ] || await_end "$(cat "$1/$2/pid")"
    (
        cd "$1/$2"
        exec setsid "$(program "$1/$2")" "$1/$2/redis.conf"
    ) </dev/null >>"$1/log" 2>&1 &
    pid=$!
    echo "$pid" > "$1/$2/pid"
    until [ "$(ask "$1" "$2" ping)" = PONG ]; do
        kill -0 "$pid" 2>/dev/null || {
            tail -n 5 "$1/log" >&2
            return 1
        }
        sleep 0.02
    done
}

# run FOLDER [NODE]
run() {
    if [ $# -gt 1 ]; then
        start_node "$1" "$2"
        echo "pid=$(cat "$1/$2/pid")"
        return
    fi
    for node in $nodes; do start_node "$1" "$node" || return 1; done
    [ -f "$1/made" ] || make_cluster "$1"
    echo "pid=$(cat "$1/0/pid")"
}

# By hand: redis-cli --cluster create waits for whole seconds.
make_cluster() {
    base=$(cat "$1/base")
    for node in 1 2 3 4 5; do ask "$1" 0 cluster meet 127.0.0.1 $((base + node)) > /dev/null; done
    ask "$1" 0 cluster addslotsrange 0 5460 > /dev/null
    ask "$1" 1 cluster addslotsrange 5461 10922 > /dev/null
    ask "$1" 2 cluster addslotsrange 10923 16383 > /dev/null
    for node in $nodes; do ask "$1" "$node" cluster set-config-epoch $((node + 1)) > /dev/null; done
    for node in $nodes; do
        until [ "$(ask "$1" "$node" cluster nodes | grep -c ' connected')" = 6 ]; do sleep 0.05; done
    done
    for node in 3 4 5; do
        until [ "$(ask "$1" "$node" cluster replicate "$(ask "$1" $((node - 3)) cluster myid)")" = OK ]; do
            sleep 0.05
        done
    done
    for node in $nodes; do
        until ask "$1" "$node" cluster info | grep -q cluster_state:ok &&
            [ "$(ask "$1" "$node" cluster nodes | grep -c slave)" = 3 ]; do sleep 0.05; done
    done
    for node in 3 4 5; do
        until ask "$1" "$node" info replication | grep -q master_link_status:up; do sleep 0.05; done
    done
    touch "$1/made"
}

stop() {
    for node in $nodes; do
        [ -f "$1/$node/pid" ] || continue
        pid=$(cat "$1/$node/pid")
        kill -KILL "$pid" 2>/dev/null || true
        await_end "$pid"
        rm -f "$1/$node/pid"
    done
}

addresses() {
    if [ -d "$1/tls" ]; then
        echo "url=rediss+cluster://127.0.0.1:$2,127.0.0.1:$(($2 + 5))/?$(client_files "$1/tls")"
    else
        echo "url=redis+cluster://127.0.0.1:$2,127.0.0.1:$(($2 + 5))"
    fi
}

obey "$@"
