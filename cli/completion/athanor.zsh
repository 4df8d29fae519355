#compdef athanor
# Completion of athanor for zsh. athanor --candidates gets the words up to the cursor; ":files" asks for files, too.
_athanor() {
  local -a found texts
  local line files
  for line in "${(@f)$(athanor --candidates zsh "${(@Q)words[2,CURRENT]}" 2>/dev/null)}"; do
    case $line in
      :files) files=yes ;;
      ?*) found+=("${line%%$'\t'*}") texts+=("${line/$'\t'/  -- }") ;;
    esac
  done
  (( $#found )) && compadd -l -d texts -a found
  [[ -n $files ]] && _files
}
compdef _athanor athanor
