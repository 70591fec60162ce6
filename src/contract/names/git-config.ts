// Which words of a repository's config make git run a program or reach outside the repository. What is not known to be
// harmless counts as such, and so does what git might read differently.

const harmlessKeys = [
  /^core\.(?:repositoryformatversion|filemode|bare|logallrefupdates|symlinks|ignorecase|precomposeunicode|abbrev)$/,
  /^core\.(?:autocrlf|eol|safecrlf|quotepath|compression|bigfilethreshold|sparsecheckout|sparsecheckoutcone)$/,
  /^core\.(?:protecthfs|protectntfs|untrackedcache|preloadindex|trustctime|checkstat|commentchar)$/,
  /^(?:user|author|committer)\.(?:name|email)$/,
  /^branch\..+\.(?:remote|merge|rebase|description|pushremote)$/,
  /^remote\..+\.(?:fetch|push|tagopt|prune|gh-resolved)$/,
  /^submodule\..+\.(?:active|branch|ignore)$/,
  /^(?:color|column|advice|pack|index|feature|status|rerere|stash|rebase)\.[a-z]+$/,
  /^(?:push\.(?:default|followtags|autosetupremote)|pull\.(?:rebase|ff)|fetch\.(?:prune|prunetags|parallel|writecommitgraph))$/,
  /^(?:merge\.(?:conflictstyle|ff|log|stat|renames)|diff\.(?:algorithm|renames|noprefix|mnemonicprefix|colormoved|context))$/,
  /^(?:gc\.auto|log\.(?:date|follow|decorate|mailmap)|lfs\.repositoryformatversion|extensions\.objectformat)$/,
  /^(?:init\.defaultbranch|tag\.sort|branch\.sort)$/,
];

const urlKeys = /^(?:remote\..+\.(?:url|pushurl)|submodule\..+\.url)$/;
// `transport::address` runs a program called after the transport, and a dash begins an option
const plainUrl = /^(?!-)(?![\w+.-]*::)[^\n]+$/;
const knownFilter = /^filter\.lfs\.(?:clean|smudge|process|required)=(?:git-lfs [a-z-]+(?: -- %f)?|true)$/;

/** Which settings in the text of a git config file are not known to be harmless; none for a config that git just made. */
export function gitConfigRunsPrograms(text: string): readonly string[] {
  const found: string[] = [];
  let section = "";
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    const read = readLine(line);
    if (read === undefined) found.push(`line ${index + 1}`);
    else if (read.kind === "section") section = read.name;
    else if (read.kind === "setting" && !isHarmless(`${section}.${read.key}`, read.value))
      found.push(`${section}.${read.key}`);
  }
  return found;
}

function isHarmless(key: string, value: string): boolean {
  if (urlKeys.test(key)) return plainUrl.test(value);
  if (knownFilter.test(`${key}=${value}`)) return true;
  return harmlessKeys.some((pattern) => pattern.test(key));
}

type Line = { kind: "nothing" } | { kind: "section"; name: string } | { kind: "setting"; key: string; value: string };

// git's own idea of a blank, which is narrower than \s
const plainSection = /^[ \t]*\[([A-Za-z0-9-]+)(?:[ \t]+"((?:[^"\\]|\\["\\])*)")?\][ \t]*$/;
const plainSetting = /^[ \t]*([A-Za-z][A-Za-z0-9-]*)[ \t]*(?:=[ \t]*(.*?)[ \t]*)?$/;

/** Only the plain forms that git itself writes; a line that goes on in the next one, say, is not read at all. */
function readLine(line: string): Line | undefined {
  if (/^[ \t]*(?:[#;].*)?$/.test(line)) return { kind: "nothing" };
  const [isSection, word = "", part] = plainSection.exec(line) ?? [];
  const section = word.toLowerCase();
  if (isSection !== undefined) return { kind: "section", name: part === undefined ? section : `${section}.${part}` };
  const [isSetting, key = "", value = "true"] = plainSetting.exec(line) ?? [];
  if (isSetting === undefined || line.endsWith("\\")) return undefined;
  return { kind: "setting", key: key.toLowerCase(), value: value.replace(/^"(.*)"$/, "$1") };
}
