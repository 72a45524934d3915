#!/bin/sh
# Seconds that the targets of a run of make take. The log has a line for each command: when it ended, its seconds, its
# target, and its CPU seconds.
#   timed.sh begin LOG                  a run begins
#   timed.sh run LOG TARGET COMMAND     what make calls in place of a shell
#   timed.sh tell LOG                   what each check and each longer build took, and how busy the processors were
set -eu

now() { date +%s.%N; }

# How long all processors of the machine were busy and idle since it started, in their own unit.
busy_and_idle() { awk '$1 == "cpu" { print $2 + $3 + $4 + $7 + $8 + $9, $5 + $6 }' /proc/stat; }

tell() {
    awk -v now="$(now)" -v machine="$(busy_and_idle)" '
        NR == 1 { begun = $1; busy = $3; idle = $4; next }
        {
            kind = $3 ~ /^(check|fuzz)-/ ? "check" : "build"
            if (!($3 in seconds)) { names[++count] = $3; kinds[$3] = kind }
            seconds[$3] += $2
            processor[$3] += $4
            all[kind] += $2
            all_processor[kind] += $4
        }
        function line(wall, cpu, name) { printf "%6.0f s  %6.0f s of CPU  %s\n", wall, cpu, name }
        END {
            split(machine, total)
            line(all["build"], all_processor["build"], "building; of it, what took more than 5 s:")
            for (i = 1; i <= count; i++)
                if (kinds[names[i]] == "build" && seconds[names[i]] > 5)
                    line(seconds[names[i]], processor[names[i]], "  " names[i])
            for (i = 1; i <= count; i++)
                if (kinds[names[i]] == "check") line(seconds[names[i]], processor[names[i]], names[i])
            line(now - begun, all_processor["build"] + all_processor["check"], "all of it, side by side")
            busy = total[1] - busy
            idle = total[2] - idle
            printf "The processors of this machine were busy for %.0f %% of the time.\n", 100 * busy / (busy + idle + 1)
        }' "$1"
}

# The CPU seconds of what this shell has run, from a file with the output of `times`.
processor_seconds() { awk -F '[ms ]+' 'NR == 2 { printf "%.3f", $1 * 60 + $2 + $3 * 60 + $4 }' "$1"; }

action=$1
log=$2
case "$action" in
begin)
    mkdir -p "$(dirname "$log")"
    echo "$(now) begin $(busy_and_idle)" > "$log"
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
    # In a pipe, `times` would be that of another shell.
    times > "$log.$$"
    echo "$begun $(now) $3 $(processor_seconds "$log.$$")" | awk '{ printf "%s %.3f %s %s\n", $2, $2 - $1, $3, $4 }' >> "$log"
    rm "$log.$$"
    exit "$status"
    ;;
esac
