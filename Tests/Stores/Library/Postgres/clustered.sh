#!/bin/sh
# clustered.sh STORE: the contract of the store's program, by Patroni, and by PgBouncer that lends a server for one
# transaction at a time.
set -eu
said=$(Tests/Trouble/Servers/patroni.sh start --for $$)
address() { echo "$said" | sed -n "s/^$1=//p"; }
"$1" "$(address url)"
"$1" "$(address tcp_url)" pooled
