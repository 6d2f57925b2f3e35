/** The completion script for fish. It evaluates no words of the line; fish quotes what it inserts. */
export const fishScript = `# fish completion for runward
function __runward_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct | string replace -r '^["\\']' '' | string unescape)
    set -l lines (RUNWARD_COMPLETION=fish runward complete -- $words[2..] "$current" 2>/dev/null)
    set -q lines[1]; or return
    if test (count $lines) -gt 1
        printf '%s\\n' $lines[1..-2]
    else if test "$lines[1]" = :0
        set -l option (string match -r -- '^-[^=]*=' "$current")
        for path in (__fish_complete_path (string replace -r -- '^-[^=]*=' '' "$current"))
            printf '%s%s\\n' "$option" $path
        end
    end
end
complete -c runward -e
complete -c runward -f -k -a '(__runward_complete)'
`;
