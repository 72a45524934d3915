# What the scripts of Redis servers share beside server.sh; `$0` is one of them.

# The server is in redis-tools, under the name of the program that checks its files; redis-server adds a service.
program() {
    if command -v redis-server; then return; fi
    ln -sf "$(command -v redis-check-rdb)" "$1/redis-server"
    echo "$1/redis-server"
}

await_end() {
    while kill -0 "$1" 2>/dev/null; do
        # One that has ended, with all its threads, and that nobody has waited for yet.
        grep -q '^State:.Z' "/proc/$1/status" 2>/dev/null && [ "$(ls "/proc/$1/task" | wc -l)" -le 1 ] && return
        sleep 0.02
    done
}

# speak_tls FOLDER PORT NAME: settings of a server that speaks TLS alone, and asks clients for a certificate.
speak_tls() {
    [ -d "$1" ] || "$(dirname "$0")/certificates.sh" "$1"
    printf 'port 0\ntls-port %s\ntls-cert-file %s.pem\ntls-key-file %s.key\ntls-ca-cert-file %s/authority.pem\n' \
        "$2" "$1/$3" "$1/$3" "$1"
}

# client_files FOLDER: the part of a URL that names a client's files.
client_files() {
    echo "cacert=$1/authority.pem&cert=$1/client.pem&key=$1/client.key"
}
