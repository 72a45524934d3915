#!/bin/sh
# What a report with estimates costs, of 1 000 000 installs and 300 000 postbacks: report.sh BUILD FOLDER. The world is
# played once, in about a minute, and kept in the folder.
set -eu
truth=$(dirname "$0")/../Command/Truth
[ -e "$2/counted.tsv" ] || {
    mkdir -p "$2"
    "$1/bin/world" "$2" 0 1 "$truth/first.json" "$truth/second.json" 1000000 45 > "$2/at"
}
read -r at models < "$2/at"
/usr/bin/time -f "%e s, %M KB" "$1/bin/skan" report "sqlite:$2/world.db" --installs "sqlite:$2/world.db" --at="$at" \
    --campaigns="$2/campaigns.csv" --model="$truth/first.json" $([ "$models" = 1 ] || echo --model="$truth/second.json") |
    sed -n '1,/^all /p'
