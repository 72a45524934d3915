#!/bin/sh
# on_server.sh NAME COMMAND...: COMMAND... URL DIRECTORY, with a server of Tests/Trouble/Servers/NAME.sh of its own.
set -eu
script=$(dirname "$0")/../../Trouble/Servers/$1.sh
eval "$("$script" start --for $$ | sed "s/'/'\\\\''/g; s/^\([a-z_]*\)=\(.*\)/\1='\2'/")"
trap '"$script" remove "$directory"' EXIT
shift
"$@" "$url" "$directory"
