#compdef impactsweep
# Completion of impactsweep for zsh. The program itself prints the candidates.
local -a whole begun
local name meaning files=no
while IFS=$'\t' read -r name meaning; do
    case $name in
        :files) files=yes ;;
        *=) begun+=("${name//:/\\:}:$meaning") ;;
        *) whole+=("${name//:/\\:}:$meaning") ;;
    esac
done < <("${words[1]}" complete -- "${(@)words[2,CURRENT-1]}" "$PREFIX" 2>/dev/null)
if [[ $files == yes ]]; then
    _files
else
    _describe impactsweep whole -- begun -S ''
fi
