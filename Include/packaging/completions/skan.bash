# Completion of skan for bash: the command itself says what may stand at the end of the line.
_skan() {
    local line=${COMP_LINE:0:COMP_POINT} words answer entry last
    read -ra words <<< "$line"
    [[ $line == *[[:space:]] ]] && words+=("")
    last=${words[-1]}
    COMPREPLY=()
    if ! answer=$(skan help --complete "${words[@]:1}" 2> /dev/null); then
        compopt -o default
        return
    fi
    while IFS=$'\t' read -r entry _; do
        # readline takes what stands behind the last "=" or ":" for the whole word.
        [[ $last == *[=:]* ]] && entry=${entry#"${last%"${last##*[=:]}"}"}
        [[ -n $entry ]] && COMPREPLY+=("$entry")
    done <<< "$answer"
}
complete -F _skan skan
