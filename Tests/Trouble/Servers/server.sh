# What the scripts of servers share. A script sets `kind`, may set `ports`, and has these functions, each of a folder:
#   prepare FOLDER, configure FOLDER PORT SETTING=VALUE ..., run FOLDER ..., stop FOLDER [fast|immediate],
#   addresses FOLDER PORT
# It is called with a command:
#   start [--for PID] [SETTING=VALUE ...]    a new server; prints directory=..., pid=..., port=... and its addresses
#   again FOLDER [...]                       starts it after it was stopped or killed; prints pid=...
#   stop FOLDER [fast|immediate]             and leaves the folder
#   remove FOLDER                            stops it, if it runs, and removes the folder
# --for PID: the server is removed when that process has gone, however it ended.

start() {
    owner=""
    if [ "${1:-}" = --for ]; then
        owner=$2
        shift 2
    fi
    folder=$(mktemp -d "${TMPDIR:-/tmp}/skan-$kind-XXXXXX")
    trap 'remove "$folder"' EXIT
    prepare "$folder"
    while :; do
        port=$(shuf -i "${ports:-20000-31999}" -n 1)
        configure "$folder" "$port" "$@"
        said=$(run "$folder") && break
        grep -q 'Address already in use' "$folder/log" || exit 1
        # Servers of it that have started still use the ports of this try.
        (stop "$folder")
        : > "$folder/log"
    done
    trap - EXIT
    # In a session of its own: what ends the owner's group leaves it.
    [ -z "$owner" ] || setsid "$0" watch "$owner" "$folder" </dev/null >/dev/null 2>&1 &
    echo "directory=$folder"
    echo "$said"
    echo "port=$port"
    addresses "$folder" "$port"
}

watch() {
    while kill -0 "$1" && [ -d "$2" ]; do sleep 0.3; done
    remove "$2"
}

remove() {
    stop "$1"
    rm -rf "$1"
}

obey() {
    command=${1:-}
    [ $# -eq 0 ] || shift
    case $command in
    start) start "$@" ;;
    again) run "$@" ;;
    stop | watch | remove) "$command" "$@" ;;
    *)
        sed -n 's/^# \{0,1\}//p' "$(dirname "$0")/server.sh" >&2
        exit 2
        ;;
    esac
}
