# Completion of athanor for bash. athanor --candidates gets the words up to the cursor; ":files" asks for files, too.
_athanor() {
  local IFS=$'\n' line current=${COMP_WORDS[COMP_CWORD]}
  COMPREPLY=()
  for line in $(athanor --candidates bash "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null); do
    if [[ $line == :files ]]; then
      COMPREPLY+=($(compgen -f -- "$current"))
    elif [[ $line != $'\t'* ]]; then
      COMPREPLY+=("${line%%$'\t'*}")
    fi
  done
  # Folders get a slash, and spaces a backslash.
  compopt -o filenames 2>/dev/null
}
complete -F _athanor athanor
