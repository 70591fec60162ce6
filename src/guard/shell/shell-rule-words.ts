/** Every rule of the shell check, for a person: what it asks for, and what can be done. */
export const shellRuleWords = {
  parse: [
    "The whole command must be understood.",
    "Look whether quotes and brackets are closed and the line is whole; else write it more simply, perhaps as several commands.",
  ],
  command: [
    "Only listed commands run without asking.",
    "Approve it when it is asked, or add it to guard.allowedCommands in the settings.",
  ],
  environment: [
    "Few variables may be set.",
    "Set it with a lower-case name in a command of its own (name=value; …), or in the script that is run.",
  ],
  "re-evaluation": ["Text must not become code again.", "Use literal numbers and plain variables."],
  "unknown value": [
    "Arguments must be known beforehand.",
    "Write the value out, or run the inner command first and use what it printed.",
  ],
  path: [
    "Files must lie in the workspace.",
    "Use a path inside the workspace, or add the folder to sandbox.readDirs or sandbox.writeDirs in the settings.",
  ],
  redirection: ["Output and input are files of the workspace.", "Redirect to a file in the workspace or to /dev/null."],
  secrets: ["Keys and passwords are opened by the owner only.", "Look it up yourself; commands work without it."],
  "protected path": ["Files that other programs obey are left alone.", "If it must change, change it yourself."],
  "steering files": [
    "What steers the assistant or is remembered by it is not written by commands.",
    "Use the file tools for it, which show what is written.",
  ],
  "symlink walk": [
    "Links are not followed while walking.",
    "Leave out the option that follows links, or name the folders.",
  ],
  "code as argument": [
    "Code must stand in a file of the workspace.",
    "Put the code into a script file there and run that.",
  ],
  option: ["Only known options are used.", "Use options that the check knows, spelled in full."],
  curl: [
    "curl may only fetch from listed hosts.",
    "Let it use web_fetch, which needs no command. For curl itself: plain GET options, and the host in guard.allowedHosts and sandbox.allowedHosts.",
  ],
  rm: ["The workspace itself is not deleted.", "Name the files or folders that should go."],
} as const;

export type ShellRule = keyof typeof shellRuleWords;
