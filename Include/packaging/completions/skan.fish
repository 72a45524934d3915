# Completion of skan for fish: the command itself says what may stand at the end of the line.
function __skan_complete
    set -l words (commandline -opc) (commandline -ct)
    skan help --complete $words[2..-1] 2>/dev/null
    or __fish_complete_path (commandline -ct)
end
complete -c skan -f -a '(__skan_complete)'
