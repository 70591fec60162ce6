// A repository's own config can make git run programs at a mere look. What has a fixed name is settled here, above every
// config file; drivers and filters have names of their own choice, so `gitConfigRunsPrograms` looks for those.

const settings: readonly (readonly [key: string, value: string])[] = [
  // a folder that looks like a repository is none unless somebody says so
  ["safe.bareRepository", "explicit"],
  ["core.fsmonitor", "false"],
  // not a folder, so it holds no hook
  ["core.hooksPath", "/dev/null"],
  ["core.attributesFile", "/dev/null"],
  ["core.pager", "cat"],
  ["core.editor", ":"],
  ["sequence.editor", ":"],
  ["core.sshCommand", "ssh"],
  ["core.askPass", "true"],
  ["core.alternateRefsCommand", ":"],
  // an empty one forgets those named before it
  ["credential.helper", ""],
  ["interactive.diffFilter", "cat"],
  ["log.showSignature", "false"],
  ["gpg.program", "gpg"],
  ["gpg.openpgp.program", "gpg"],
  ["gpg.x509.program", "gpgsm"],
  ["gpg.ssh.program", "ssh-keygen"],
  ["gpg.ssh.defaultKeyCommand", "false"],
  ["submodule.recurse", "false"],
  ["protocol.ext.allow", "never"],
];

/** What every git in a command obeys before the config of any repository. */
export const gitVariables: Readonly<Record<string, string>> = {
  // what is missing in a partial clone is fetched by a program that the clone names
  GIT_NO_LAZY_FETCH: "1",
  // of several proxies git takes the first it reads, so a last word in the config comes too late
  GIT_PROXY_COMMAND: "",
  GIT_TERMINAL_PROMPT: "0",
  GIT_CONFIG_COUNT: String(settings.length),
  ...Object.fromEntries(
    settings.flatMap(([key, value], index) => [
      [`GIT_CONFIG_KEY_${index}`, key],
      [`GIT_CONFIG_VALUE_${index}`, value],
    ]),
  ),
};
