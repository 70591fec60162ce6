import { listSessions, type Offer, type Place, stepsBetween } from "./completion-places.ts";

export function zshScript(places: readonly Place[]): string {
  return `#compdef steward
# Completions of steward for zsh. Use them now with: source <(steward completions zsh)
_steward_sessions() { ${listSessions} }
_steward() {
  local before="\${words[CURRENT-1]}" place="" given=0 at
  local -a commands options offered
  for ((at = 2; at < CURRENT; at++)); do
    case "$place \${words[at]}" in
      (${stepsBetween(places).map(quote).join("|")}) place="\${place:+$place }\${words[at]}" ;;
      (*" -"*) ;;
      (*) given=$((given + 1)) ;;
    esac
  done
  case "$place" in
${places.map(branch).join("\n")}
  esac
  if [[ \${words[CURRENT]} != -* ]] && (( given == 0 && $#commands + $#offered > 0 )); then
    (( $#commands )) && _describe command commands
    (( $#offered )) && compadd -- $offered
  else
    _describe option options
  fi
}
if [[ "\${funcstack[1]}" == _steward ]]; then
  _steward "$@"
else
  (( $+functions[compdef] )) || { autoload -Uz compinit && compinit }
  compdef _steward steward
fi
`;
}

function branch({ path, commands, options, argument }: Place): string {
  const valued = options.flatMap(({ flag, value }) =>
    value
      ? [`        (${flag}) offered=(${offered(value)}); (( $#offered )) && compadd -- $offered || _files; return ;;`]
      : [],
  );
  const values = valued.length === 0 ? [] : ['      case "$before" in', ...valued, "      esac"];
  const lines = [
    `      commands=(${commands.map(({ name, description }) => described(name, description)).join(" ")})`,
    `      options=(${options.map(({ flag, description }) => described(flag, description)).join(" ")})`,
    `      offered=(${offered(argument)}) ;;`,
  ];
  return [`    (${quote(path)})`, ...values, ...lines].join("\n");
}

function described(name: string, description: string): string {
  return quote(`${name.replaceAll(":", "\\:")}:${description.replaceAll(":", "\\:")}`);
}

function offered({ words, sessions }: Offer): string {
  return sessions ? "$" + '{(f)"$(_steward_sessions)"}' : words.map(quote).join(" ");
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
