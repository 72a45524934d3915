#!/bin/sh
# certificates.sh FOLDER: certificates and keys of a test's own, in PEM form:
#   authority.pem             signs the others
#   server, elsewhere,        .pem and .key: for localhost and 127.0.0.1; for elsewhere.example; for localhost, and
#   expired, client           expired; of a client
#   stranger.pem              an authority that has signed nothing
set -eu
mkdir -p "$1"
cd "$1"

quietly() {
    "$@" > openssl.log 2>&1 || {
        cat openssl.log >&2
        exit 1
    }
}

key="-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes"

authority() {
    quietly openssl req -x509 $key -keyout "$1.key" -out "$1.pem" -days 2 -subj "/CN=$1"
}

# signed NAME DAYS SUBJECT [SUBJECT-ALTERNATIVE-NAMES]
signed() {
    quietly openssl req $key -keyout "$1.key" -out "$1.csr" -subj "/CN=$3"
    printf 'subjectAltName=%s\n' "${4:-DNS:$3}" > "$1.ext"
    quietly openssl x509 -req -in "$1.csr" -CA authority.pem -CAkey authority.key -CAcreateserial -days "$2" \
        -extfile "$1.ext" -out "$1.pem"
}

authority authority
authority stranger
signed server 2 server DNS:localhost,IP:127.0.0.1
signed elsewhere 2 elsewhere DNS:elsewhere.example
signed expired -1 expired DNS:localhost,IP:127.0.0.1
signed client 2 client
# Servers of another user read them.
chmod 644 ./*.key
