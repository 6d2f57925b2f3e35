/**
 * The completion script for zsh, to be sourced or installed as `_runward` on the fpath. It removes quotes from words
 * and evaluates nothing; zsh quotes what it inserts.
 */
export const zshScript = `#compdef runward
# zsh completion for runward
_runward() {
  local -a lines found
  local line value
  lines=("\${(@f)$(RUNWARD_COMPLETION=zsh runward complete -- "\${(@Q)words[2,CURRENT-1]}" "\${(Q)PREFIX}" 2>/dev/null)}")
  for line in "\${(@)lines[1,-2]}"; do
    value=\${line%%$'\\t'*}
    value=\${value//\\\\/\\\\\\\\}
    found+=("\${value//:/\\\\:}:\${line#*$'\\t'}")
  done
  if (( $#found )); then
    # The values of choices are in capitals, and can be typed in small letters.
    _describe -V runward found -M 'm:{[:lower:][:upper:]}={[:upper:][:lower:]}'
  elif [[ $lines[-1] == :0 ]]; then
    [[ $PREFIX == -*=* ]] && compset -P '*='
    _files
  fi
}
if [[ $funcstack[1] == _runward ]]; then
  _runward
else
  (( $+functions[compdef] )) || { autoload -Uz compinit && compinit }
  compdef _runward runward
fi
`;
