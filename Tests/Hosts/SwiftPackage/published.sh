# For dependents.sh: a clone of the repository with a version, as a Swift package sees a release, and folders of its own
# for all that SwiftPM keeps.

# publish <repo-root> <folder>: the repository's HEAD as libskan's branch main, and as its version 0.2.0.
publish() {
    git clone --quiet "$1" "$2/libskan"
    git -C "$2/libskan" checkout --quiet -B main
    git -C "$2/libskan" tag --force 0.2.0 > /dev/null
    export LIBSKAN_URL="file://$2/libskan"
}

# swift_build <package in $work> [option ...]
swift_build() {
    package=$1
    shift
    swift build --package-path "$work/$package" --scratch-path "$work/$package/build" --cache-path "$work/cache" \
        --config-path "$work/config" --security-path "$work/security" "$@"
}

passed=0
failed=0

# check <what> <command ...>: counts, and says, whether it succeeded; shows what it printed where it did not.
check() {
    what=$1
    shift
    if "$@" > "$work/log" 2>&1; then
        passed=$((passed + 1))
        echo "ok      $what"
    else
        failed=$((failed + 1))
        echo "FAILED  $what"
        sed 's/^/    /' "$work/log"
    fi
}

finish() {
    echo "$passed passed, $failed failed"
    [ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
}
