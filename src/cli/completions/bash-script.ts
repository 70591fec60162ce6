import { listSessions, type Offer, type Place, stepsBetween } from "./completion-places.ts";

export function bashScript(places: readonly Place[]): string {
  return `# Completions of steward for bash. Use them now with: source <(steward completions bash)
_steward_sessions() { ${listSessions}; }
_steward() {
  local word="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}" place="" options="" words="" given=0 at
  for ((at = 1; at < COMP_CWORD; at++)); do
    case "$place \${COMP_WORDS[at]}" in
      ${stepsBetween(places).map(quote).join(" | ")}) place="\${place:+$place }\${COMP_WORDS[at]}" ;;
      *" -"*) ;;
      *) given=$((given + 1)) ;;
    esac
  done
  case "$place" in
${places.map(branch).join("\n")}
  esac
  if [[ $word == -* || -z $words || $given -gt 0 ]]; then words="$options"; fi
  COMPREPLY=($(compgen -W "$words" -- "$word"))
}
complete -o default -F _steward steward
`;
}

function branch({ path, commands, options, argument }: Place): string {
  const words = [...commands.map(({ name }) => name), ...argument.words].join(" ");
  const valued = options.flatMap(({ flag, value }) =>
    value ? [`        ${flag}) COMPREPLY=($(compgen -W ${offered(value)} -- "$word")); return 0 ;;`] : [],
  );
  const values = valued.length === 0 ? [] : ['      case "$before" in', ...valued, "      esac"];
  const lines = [
    `      options=${quote(options.map(({ flag }) => flag).join(" "))}`,
    `      words=${argument.sessions ? offered(argument) : quote(words)} ;;`,
  ];
  return [`    ${quote(path)})`, ...values, ...lines].join("\n");
}

function offered({ words, sessions }: Offer): string {
  return sessions ? '"$(_steward_sessions)"' : quote(words.join(" "));
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
