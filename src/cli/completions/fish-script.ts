import { listSessions, type Offer, type Place, stepsBetween } from "./completion-places.ts";

export function fishScript(places: readonly Place[]): string {
  return `# Completions of steward for fish. Use them now with: steward completions fish | source
function __steward_sessions
    sh -c ${quote(listSessions)}
end
function __steward_place
    set -l place ''
    set -l more ''
    set -l given (commandline -opc)
    for word in $given[2..-1]
        switch "$place $word"
            case ${stepsBetween(places).map(quote).join(" ")}
                set place (string trim -- "$place $word")
            case '* -*'
            case '*'
                set more ' …'
        end
    end
    echo "$place$more"
end
function __steward_at
    set -l place (__steward_place)
    contains -- "$place" $argv
end
complete -c steward -e
complete -c steward -f
${places.flatMap(lines).join("\n")}
`;
}

function lines({ path, commands, options, argument }: Place): string[] {
  const at = `complete -c steward -n ${quote(`__steward_at "${path}"`)}`;
  // options may also come after further words
  const around = `complete -c steward -n ${quote(`__steward_at "${path}" "${path} …"`)}`;
  const offered = offerOf(argument);
  return [
    ...commands.map(({ name, description }) => `${at} -a ${quote(name)} -d ${quote(description)}`),
    ...(offered === "''" ? [] : [`${at} -a ${offered}`]),
    ...options.map(({ flag, description, value }) => {
      const words = value === undefined ? "" : valueWords(offerOf(value));
      return `${around} -l ${flag.replace(/^--/, "")}${words} -d ${quote(description)}`;
    }),
  ];
}

// where nothing can be offered, a file may be meant
function valueWords(offered: string): string {
  return offered === "''" ? " -r -F" : ` -x -a ${offered}`;
}

function offerOf({ words, sessions }: Offer): string {
  return sessions ? "'(__steward_sessions)'" : quote(words.join(" "));
}

function quote(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}
