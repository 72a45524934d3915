#!/bin/sh
# Seconds that the targets of a run of make take. The log has a line for each command: when it ended, its seconds, its
# target.
#   timed.sh begin LOG                  a run begins
#   timed.sh run LOG TARGET COMMAND     what make calls in place of a shell
#   timed.sh tell LOG                   what each check took, what all builds took together, and the whole run
set -eu

now() { date +%s.%N; }

tell() {
    awk -v now="$(now)" '
        NR == 1 { begun = $1; next }
        $3 ~ /^(check|fuzz)-/ { if (!($3 in checks)) names[++count] = $3; checks[$3] += $2; next }
        { builds += $2 }
        END {
            printf "%6.0f s  building\n", builds
            for (i = 1; i <= count; i++) printf "%6.0f s  %s\n", checks[names[i]], names[i]
            printf "%6.0f s  all of it, side by side\n", now - begun
        }' "$1"
}

action=$1
log=$2
case "$action" in
begin)
    mkdir -p "$(dirname "$log")"
    echo "$(now) begin" > "$log"
    ;;
tell)
    tell "$log"
    ;;
run)
    # $(shell ...) has no target.
    [ $# -eq 4 ] || exec /bin/sh -c "$3"
    begun=$(now)
    status=0
    # A make that the command calls is the command's.
    unset SECONDS_LOG
    /bin/sh -c "$4" || status=$?
    echo "$begun $(now) $3" | awk '{ printf "%s %.3f %s\n", $2, $2 - $1, $3 }' >> "$log"
    exit "$status"
    ;;
esac
