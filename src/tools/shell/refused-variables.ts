// Variables by which a harmless command line runs something else: loaders, start-up files, options, pagers, search paths.
const refusedNames = new Set([
  ...["PATH", "HOME", "SHELL", "ENV", "IFS", "PS4", "SHELLOPTS", "BASHOPTS", "PROMPT_COMMAND", "CDPATH", "GLOBIGNORE"],
  ...["EXECIGNORE", "TMPDIR", "PAGER", "MANPAGER", "EDITOR", "VISUAL", "BROWSER", "LESSOPEN", "LESSCLOSE"],
  ...["TAR_OPTIONS", "GREP_OPTIONS", "RIPGREP_CONFIG_PATH", "CURL_HOME", "CURL_CA_BUNDLE", "AWKPATH", "AWKLIBPATH"],
  ...["GCONV_PATH", "LOCPATH", "NLSPATH", "GLIBC_TUNABLES", "HOSTALIASES", "CLASSPATH", "CC", "CXX", "MAKEFLAGS"],
]);
const refusedBeginnings = [
  ...["LD_", "DYLD_", "BASH_", "GIT_", "NPM_", "PNPM_", "YARN_", "COREPACK_", "NODE_", "PYTHON", "PIP_", "UV_", "PERL"],
  ...["RUBY", "GEM_", "BUNDLE_", "PHP", "LUA_", "JAVA_", "_JAVA", "JDK_", "MAVEN_", "GRADLE_", "CARGO_", "RUSTC"],
  ...["GO111", "GOFLAGS", "GOPROXY", "XDG_", "SSH_", "SSL_", "OPENSSL_", "MALLOC_", "ZIPINFO", "UNZIP", "STEWARD_"],
];
const harmlessNames = new Set(["NODE_ENV"]);

/** Compared without case, as some of their readers do. */
export function isRefusedVariable(name: string): boolean {
  const capitals = name.toUpperCase();
  if (harmlessNames.has(name)) return false;
  return (
    refusedNames.has(capitals) ||
    capitals.endsWith("_PROXY") ||
    refusedBeginnings.some((beginning) => capitals.startsWith(beginning))
  );
}
