// What people and models write behind the fence, as the colours know it and as a reader calls it.

const sameAs: Readonly<Record<string, string>> = {
  // the grammar of C++ alone is larger than the rest of the page
  "c++": "c",
  cpp: "c",
  "c#": "csharp",
  cs: "csharp",
  console: "bash",
  dockerfile: "docker",
  golang: "go",
  js: "javascript",
  jsonc: "json",
  json5: "json",
  jsx: "tsx",
  kt: "kotlin",
  md: "markdown",
  mjs: "javascript",
  patch: "diff",
  ps1: "powershell",
  py: "python",
  rs: "rust",
  sh: "bash",
  shell: "bash",
  shellscript: "bash",
  svg: "xml",
  ts: "typescript",
  yml: "yaml",
  zsh: "bash",
};

const names: Readonly<Record<string, string>> = {
  bash: "Shell",
  csharp: "C#",
  css: "CSS",
  html: "HTML",
  ini: "INI",
  javascript: "JavaScript",
  json: "JSON",
  php: "PHP",
  powershell: "PowerShell",
  sql: "SQL",
  toml: "TOML",
  tsx: "TSX",
  typescript: "TypeScript",
  xml: "XML",
  yaml: "YAML",
};

export function languageId(written: string): string {
  const name = written.toLowerCase();
  return sameAs[name] ?? name;
}

export function languageName(written: string): string {
  if (/^c(?:\+\+|pp)$/i.test(written)) return "C++";
  const id = languageId(written);
  if (id === "" || id === "text" || id === "txt" || id === "plaintext") return "Text";
  return names[id] ?? id.charAt(0).toUpperCase() + id.slice(1, 30);
}
