# Completion of athanor for fish. athanor --candidates gets the words up to the cursor; ":files" asks for files, too.
function __athanor_candidates
    set -l words (commandline -opc) (commandline -ct)
    for line in (athanor --candidates fish $words[2..] 2>/dev/null)
        if test "$line" = :files
            __fish_complete_path (commandline -ct)
        else
            printf '%s\n' $line
        end
    end
end
complete -c athanor -f -a '(__athanor_candidates)'
