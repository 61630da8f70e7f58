# Completion of impactsweep for bash. The program itself prints the candidates.
_impactsweep() {
    local call=${COMP_LINE:0:COMP_POINT} words last before="" name files=no
    read -ra words <<<"$call"
    [[ $call == *[[:blank:]] ]] && words+=("")
    last=${words[-1]}
    # If "=" separates words, bash completes only the part after it.
    [[ $COMP_WORDBREAKS == *=* && $last == *=* ]] && before=${last%"${last##*=}"}
    COMPREPLY=()
    while IFS=$'\t' read -r name _; do
        if [[ $name == :files ]]; then
            files=yes
        else
            COMPREPLY+=("${name#"$before"}")
            [[ $name == *= ]] && compopt -o nospace 2>/dev/null
        fi
    done < <("${words[0]}" complete -- "${words[@]:1}" 2>/dev/null)
    if [[ $files == yes ]]; then
        compopt -o filenames 2>/dev/null
        mapfile -t COMPREPLY < <(compgen -f -- "$last")
    fi
}
complete -F _impactsweep impactsweep
