/**
 * The completion script for bash. It needs no package, and is one function, so that it can be sourced again. It parses
 * the line itself: bash would split words at "=" and ":", and evaluating the words would run the commands in them.
 */
export const bashScript = `# bash completion for runward
__runward_complete() {
  local line=\${COMP_LINE:0:COMP_POINT} words=() word='' quote='' started='' index character
  for ((index = 0; index < \${#line}; index++)); do
    character=\${line:index:1}
    if [[ $quote == "'" ]]; then
      if [[ $character == "'" ]]; then quote=''; else word+=$character; fi
    elif [[ $character == \\\\ ]]; then
      index=$((index + 1)) started=1
      word+=\${line:index:1}
    elif [[ $quote == '"' ]]; then
      if [[ $character == '"' ]]; then quote=''; else word+=$character; fi
    elif [[ $character == [\\'\\"] ]]; then
      quote=$character started=1
    elif [[ $character == [[:space:]] ]]; then
      [[ -n $started ]] && words+=("$word")
      word='' started=''
    else
      word+=$character started=1
    fi
  done
  words+=("$word")

  local output each value cut=''
  COMPREPLY=()
  output=$(RUNWARD_COMPLETION=bash runward complete -- "\${words[@]:1}" 2>/dev/null) || return
  # Readline replaces what follows the last character that it splits words at.
  [[ $word == *[=:]* ]] && cut=\${word%"\${word##*[=:]}"}
  while IFS= read -r each; do
    if [[ $each == :* ]]; then
      [[ $each == :4 ]] && compopt +o default 2>/dev/null
      continue
    fi
    value=\${each%%$'\\t'*}
    value=\${value#"$cut"}
    [[ -z $quote ]] && printf -v value %q "$value"
    COMPREPLY+=("$value")
  done <<<"$output"
}
complete -o default -F __runward_complete runward
`;
