#!/bin/sh
# Requests of many threads at once share an HTTP/2 connection, and none is lost where the server ends it:
#   http2.sh PROGRAM
# against nginx.
set -u
program=$1
directory=$(mktemp -d)
server=""
stop() {
    [ -n "$server" ] && kill "$server" 2>/dev/null && wait "$server"
    rm -rf "$directory"
}
trap stop EXIT
trap 'exit 1' INT TERM
passed=0

# expect WHAT EXPECTED CAME
expect() {
    if [ "$2" != "$3" ]; then
        echo "FAILED $1: expected $2, came $3"
        cat "$directory/error.log"
        exit 1
    fi
    passed=$((passed + 1))
}

# authority, and a certificate for this machine
(
    cd "$directory" || exit 1
    openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj "/CN=localhost" \
        -addext "subjectAltName=IP:127.0.0.1" -keyout key.pem -out certificate.pem 2>/dev/null
    mkdir content
    answer='{"conversion_value":7,"skan_updated_coarse_value":1,"postback_sequence_index":0,"status":"ok"}'
    printf '%s' "$answer" > content/ok
)
nginx=$(PATH="$PATH:/usr/sbin" command -v nginx)

# serve REQUESTS: a server that ends each connection after so many; on another port where one is taken
serve() {
    rm -f "$directory/pid" "$directory/access.log"
    until start "$1"; do :; done
}

# start REQUESTS: fails where the server ended before it listened
start() {
    port=$(shuf -i 20000-31999 -n 1)
cat > "$directory/nginx.conf" <<END
daemon off;
master_process off;
pid $directory/pid;
error_log $directory/error.log;
events { worker_connections 1024; }
http {
    log_format connections '\$connection \$server_protocol \$status';
    access_log $directory/access.log connections;
    client_body_temp_path $directory/body;
    proxy_temp_path $directory/proxy;
    fastcgi_temp_path $directory/fastcgi;
    uwsgi_temp_path $directory/uwsgi;
    scgi_temp_path $directory/scgi;
    server {
        listen 127.0.0.1:$port ssl http2;
        ssl_certificate $directory/certificate.pem;
        ssl_certificate_key $directory/key.pem;
        keepalive_requests $1;
        root $directory/content;
    }
}
END
    "$nginx" -e "$directory/error.log" -p "$directory" -c "$directory/nginx.conf" &
    server=$!
    until [ -s "$directory/pid" ]; do
        if ! kill -0 "$server" 2>/dev/null; then
            grep -q 'Address already in use' "$directory/error.log" && return 1
            cat "$directory/error.log"
            exit 1
        fi
        sleep 0.1
    done
}

# ask THREADS TIMES
ask() {
    "$program" "https://127.0.0.1:$port/ok?event_id=1" "$directory/certificate.pem" "$1" "$2" > "$directory/output"
    expect "every request is answered" "$(($1 * $2)) of $(($1 * $2)) answered" "$(cat "$directory/output")"
    kill "$server" && wait "$server"
    server=""
    expect "over HTTP/2" "$(($1 * $2))" "$(grep -c ' HTTP/2.0 200$' "$directory/access.log")"
}

serve 1000000
ask 64 20
expect "by one connection" "1" "$(cut -d ' ' -f 1 "$directory/access.log" | sort -u | wc -l)"
serve 100
ask 64 20
# Each GOAWAY refuses most of the requests that are under way, so that libcurl gives up sending some of them again.
serve 20
ask 200 15
echo "$passed passed, 0 failed"
