#!/bin/sh
# What is done with programs of libFuzzer; FOLDER has them.
#   fuzz.sh replay FOLDER TARGET…           runs each on its corpus
#   fuzz.sh find FOLDER TARGET SECONDS      looks for new inputs; a small set that reaches the same code becomes the corpus
set -eu
corpora=$(dirname "$0")/Corpus
action=$1
folder=$2
shift 2

replay() {
    passed=0
    for target in "$@"; do
        "$folder/$target" -runs=0 "$corpora/$target" > "$folder/$target.log" 2>&1 \
            || { cat "$folder/$target.log"; echo "$passed passed, 1 failed"; exit 1; }
        files=$(ls "$corpora/$target" | wc -l)
        echo "$target: $files inputs"
        test "$files" -gt 0
        passed=$((passed + files))
    done
    echo "$passed passed, 0 failed"
}

# New inputs go to a folder of their own first. The time-out is of wall time: of a busy machine an input gets little.
find_inputs() {
    target=$1
    corpus=$corpora/$target
    found=$folder/found/$target
    merged=$folder/merged/$target
    words=$corpora/../$target.dict
    mkdir -p "$found" "$merged" "$corpus"
    "$folder/$target" -max_total_time="$2" -timeout=120 -rss_limit_mb=4096 -print_final_stats=1 \
        -artifact_prefix="$folder/" $([ ! -e "$words" ] || echo "-dict=$words") \
        "$found" "$corpus" > "$folder/$target.log" 2>&1 || { tail -n 40 "$folder/$target.log"; exit 1; }
    grep -E 'number_of_executed_units|average_exec_per_sec' "$folder/$target.log"
    rm -f "$merged"/*
    "$folder/$target" -set_cover_merge=1 -use_counters=0 -max_len=4096 "$merged" "$corpus" "$found" \
        > "$folder/$target.merge.log" 2>&1
    rm -f "$corpus"/*
    cp "$merged"/* "$corpus"/
}

# libFuzzer tells of a trap itself; the Swift runtime's own report would keep the process from ending.
export SWIFT_BACKTRACE=enable=no
case "$action" in
replay) replay "$@" ;;
find) find_inputs "$@" ;;
esac
