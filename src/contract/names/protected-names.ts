// What must not change behind the owner's back. The guard's rules and the sandbox's mounts both read these tables, so that
// neither forgets a name that the other knows.

export type ProtectedName = {
  name: string;
  kind: "file" | "folder";
  /** What the sandbox lays in the place of a missing one; every reader must take it for "nothing". */
  standIn: string;
  /** secret: only the owner opens it. obeyed: other programs run it or do what it says. */
  role: "secret" | "obeyed" | "steering" | "memory";
  /** top: directly in the workspace. any: in every folder of it. */
  depth: "top" | "any";
};

type Place = Pick<ProtectedName, "role" | "depth">;
const anywhere = (role: Place["role"]): Place => ({ role, depth: "any" });
const onTop = (role: Place["role"]): Place => ({ role, depth: "top" });
const file = (place: Place, name: string, standIn = ""): ProtectedName => ({ name, kind: "file", standIn, ...place });
const folder = (place: Place, name: string): ProtectedName => ({ name, kind: "folder", standIn: "", ...place });
const obeyed = anywhere("obeyed");

/** Run or obeyed by other programs: shells, package managers, editors, other agents. */
export const obeyedByPrograms: readonly ProtectedName[] = [
  ...[".bashrc", ".bash_profile", ".bash_login", ".bash_logout", ".profile"].map((name) => file(obeyed, name)),
  ...[".zshrc", ".zshenv", ".zprofile", ".zlogin", ".zlogout"].map((name) => file(obeyed, name)),
  file(obeyed, ".envrc"),
  file(obeyed, ".npmrc"),
  file(obeyed, ".mcp.json", "{}\n"),
  folder(obeyed, ".claude"),
  folder(obeyed, ".vscode"),
  ...[".yarnrc", ".yarnrc.yml", ".pnpmfile.cjs"].map((name) => file(obeyed, name)),
  ...[".idea", ".cursor", ".husky", ".devcontainer", ".gemini", ".codex", ".hg"].map((name) => folder(obeyed, name)),
  ...[".devcontainer.json", ".pre-commit-config.yaml", ".cursorrules"].map((name) => file(obeyed, name)),
  // orders to other assistants
  ...["CLAUDE.md", "GEMINI.md"].map((name) => file(obeyed, name)),
];

/** Shape how the assistant behaves: its character, its rules, its skills. */
export const steeringNames: readonly ProtectedName[] = [
  ...["AGENTS.md", "SOUL.md", "IDENTITY.md", "TOOLS.md", "HEARTBEAT.md"].map((name) => file(onTop("steering"), name)),
  // what every group is told
  file(onTop("steering"), "GLOBAL.md"),
  folder(onTop("steering"), "skills"),
  folder(onTop("steering"), "agents"),
];

/** Read into every later conversation; only the file tools write them, which judge what is written. */
export const memoryNames: readonly ProtectedName[] = [
  file(onTop("memory"), "MEMORY.md"),
  file(onTop("memory"), "USER.md"),
  folder(onTop("memory"), "memory"),
];

/** Of a memory, the owner's or a group's: MEMORY.md, USER.md and every .md below memory/. */
export function isNote(path: string): boolean {
  return /^(?:(?:MEMORY|USER)\.md|memory(?:\/(?!\.)[^/\\\p{Cc}]+)+(?<=\.[mM][dD]))$/u.test(path);
}

/** Keys and passwords: neither read nor written by anybody but the owner. */
export const secretFile: ProtectedName = file(anywhere("secret"), ".env");

/** Further places of keys and passwords, and everything named after the file above; see `isSecretName`. */
export const otherSecrets: readonly ProtectedName[] = [
  ...[".netrc", "_netrc", ".git-credentials", ".pypirc", ".pgpass"].map((name) => file(anywhere("secret"), name)),
  ...["id_rsa", "id_dsa", "id_ecdsa", "id_ed25519"].map((name) => file(anywhere("secret"), name)),
  ...[".ssh", ".aws", ".gnupg"].map((name) => folder(anywhere("secret"), name)),
];

export const gitFolder: ProtectedName = folder(obeyed, ".git");

/** Inside .git the rest stays writable for git itself, so that commit, branch and fetch work in the sandbox. */
export const obeyedByGit: readonly ProtectedName[] = [
  file(obeyed, "config"),
  file(obeyed, "config.worktree"),
  // git takes config and hooks from where this file points; a dot is the folder itself
  file(obeyed, "commondir", ".\n"),
  folder(obeyed, "hooks"),
  folder(obeyed, "modules"),
  folder(obeyed, "worktrees"),
];

/**
 * A folder that holds all of one of these is a repository to git, whatever it is called, or what a repository points to with
 * `commondir`: its config and hooks are obeyed.
 */
export const repositorySigns: readonly (readonly string[])[] = [
  ["objects", "refs"],
  ["HEAD", "commondir"],
];

export function isRepositoryWith(has: (name: string) => boolean): boolean {
  return repositorySigns.some((sign) => sign.every(has));
}

/**
 * A name as a disk may compare it that takes several spellings for one: cases and forms of a letter are folded, invisible
 * characters, a stream (`::$DATA`) and dots or spaces at the end count for nothing.
 */
export function foldName(name: string): string {
  if (/^\.?[\w-]+(?:\.[\w-]+)*$/.test(name)) return name.toLowerCase();
  return name
    .normalize("NFKC")
    .replace(/\p{Default_Ignorable_Code_Point}/gu, "")
    .toUpperCase()
    .toLowerCase()
    .replace(/(?<=[^:]):.*$/s, "")
    .replace(/(?<=[^. ])[. ]+$/, "");
}

const secretKinds = new Map(otherSecrets.map(({ name, kind }) => [name, kind]));

/** Keys and passwords of the owner: the file itself, its copies for other places, and what editors leave beside it. */
export function isSecretName(name: string, kind: "file" | "folder" = "file"): boolean {
  const folded = foldName(name);
  const known = secretKinds.get(folded);
  if (known || kind === "folder") return known === "folder" || known === kind;
  return /^\.?#?\.env(?![a-z0-9])|^env~\d/.test(folded) && !/[._-](?:example|sample|template)$/.test(folded);
}

const words = (list: string) => list.trim().split(/\s+/);

const refusedNames = new Set(
  words(`PATH HOME SHELL USER LOGNAME USERNAME PWD OLDPWD TMPDIR TMP TEMP ENV IFS CDPATH PROMPT_COMMAND SHELLOPTS BASHOPTS
    GLOBIGNORE EXECIGNORE PS0 PS1 PS2 PS3 PS4 ZDOTDIR FPATH INPUTRC EDITOR VISUAL PAGER BROWSER MANPAGER LESSOPEN LESSCLOSE
    LESS TERM TERMINFO TERMCAP TZ TZDIR LANG LANGUAGE NLSPATH LOCPATH DISPLAY XAUTHORITY HOSTALIASES LOCALDOMAIN RES_OPTIONS
    RESOLV_HOST_CONF GCONV_PATH GLIBC_TUNABLES PROXY CC CXX CPP LD AR AS MAKE CLASSPATH AWKPATH AWKLIBPATH ARGV0 COMSPEC
    PATHEXT SYSTEMROOT WINDIR APPDATA LOCALAPPDATA USERPROFILE OPENAI_API_BASE OLLAMA_HOST REQUESTS_CA_BUNDLE NETRC
    PSMODULEPATH VIRTUAL_ENV __PROTO__`),
);

const refusedBeginnings =
  words(`STEWARD_ NODE_ NPM_ NVM_ YARN_ PNPM_ COREPACK_ BUN_ DENO_ TS_NODE_ TSX_ VITEST_ ELECTRON_ UV_ LD_ DYLD_
    MALLOC_ GIT_ SSH_ GPG_ GNUPG BASH_ ZSH_ FISH_ SUDO_ PYTHON PIP_ CONDA_ POETRY_ PIPENV_ PERL RUBY GEM_ BUNDLE_ JAVA_ JDK_
    _JAVA MAVEN_ GRADLE_ LUA_ PHP CARGO_ RUSTUP_ RUSTC RUST_ GO111 GOPATH GOROOT GOFLAGS GOPROXY GOENV GOBIN DOTNET_ CORECLR_
    COR_ COMPLUS_ ERL_ ELIXIR_ R_PROFILE R_ENVIRON DOCKER_ PODMAN_ CONTAINER BUILDAH_ KUBE HELM_ XDG_ DBUS_ SYSTEMD_ NOTIFY_
    LISTEN_ GTK_ QT_ GIO_ LC_ OPENSSL_ SSL_ TLS_ CURL_ WGET PLAYWRIGHT_ PUPPETEER_ CHROME_ MAKEFLAGS MFLAGS ZIPINFO UNZIP
    AWS_CONFIG AWS_ENDPOINT AWS_PROFILE AWS_CONTAINER AWS_WEB CLOUDSDK_ FUNC_`);

const refusedEndings =
  words(`_PROXY _BASE_URL _API_BASE _API_URL _ENDPOINT _ENDPOINT_URL _OPTIONS _OPTS FLAGS _PRELOAD _PATH _HOME _ROOT
    _RC _CONFIG _CONFIG_FILE _CONFIG_DIR _CA_BUNDLE _CA_FILE _CERT_FILE _CERT_DIR _EXTRA_CA_CERTS _EDITOR _PAGER _SHELL
    _COMMAND _ASKPASS _WRAPPER _HOOK`);

/**
 * A variable by which a harmless program loads other code, trusts another certificate, reads another configuration or talks
 * to another server. Compared without case, as some of their readers do.
 */
export function isRefusedVariable(name: string): boolean {
  const capitals = name.toUpperCase();
  return (
    refusedNames.has(capitals) ||
    refusedBeginnings.some((beginning) => capitals.startsWith(beginning)) ||
    refusedEndings.some((ending) => capitals.endsWith(ending))
  );
}
