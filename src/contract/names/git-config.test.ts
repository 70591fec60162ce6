import { expect, test } from "vitest";
import { gitConfigRunsPrograms } from "./git-config.ts";

const afterClone = `[core]
	repositoryformatversion = 0
	filemode = true
	bare = false
	logallrefupdates = true
[remote "origin"]
	url = https://example.org/a.git
	fetch = +refs/heads/*:refs/remotes/origin/*
[branch "main"]
	remote = origin
	merge = refs/heads/main
[user]
	name = "A B"
; a remark
`;

test("what git init and git clone write names no program", () => {
  expect(gitConfigRunsPrograms(afterClone)).toEqual([]);
});

test("the filter that git lfs installs is known", () => {
  expect(gitConfigRunsPrograms('[filter "lfs"]\n\tclean = git-lfs clean -- %f\n\trequired = true\n')).toEqual([]);
});

test.each([
  ["[core]\n\tfsmonitor = ./x\n", "core.fsmonitor"],
  ["[CORE]\n\tFsMonitor = ./x\n", "core.fsmonitor"],
  ["[core]\n\tsshCommand = ./x\n", "core.sshcommand"],
  ["[core]\n\tworktree = ../..\n", "core.worktree"],
  ["[core]\n\thooksPath = x\n", "core.hookspath"],
  ['[filter "lfs"]\n\tclean = git-lfs clean -- %f; ./x\n', "filter.lfs.clean"],
  ['[diff "a"]\n\ttextconv = ./x\n', "diff.a.textconv"],
  ["[diff]\n\texternal = ./x\n", "diff.external"],
  ['[merge "a"]\n\tdriver = ./x\n', "merge.a.driver"],
  ["[alias]\n\tst = !./x\n", "alias.st"],
  ["[include]\n\tpath = x\n", "include.path"],
  ['[includeIf "gitdir:/"]\n\tpath = x\n', "includeif.gitdir:/.path"],
  ['[remote "a"]\n\turl = ext::./x\n', "remote.a.url"],
  ['[remote "a"]\n\turl = "ext::./x"\n', "remote.a.url"],
  ['[remote "a"]\n\turl = --upload-pack=x\n', "remote.a.url"],
  ['[remote "a"]\n\tuploadpack = ./x\n', "remote.a.uploadpack"],
  ['[remote "a"]\n\tvcs = x\n', "remote.a.vcs"],
  ['[submodule "a"]\n\tupdate = !./x\n', "submodule.a.update"],
  ["[extensions]\n\tpartialClone = a\n", "extensions.partialclone"],
  ["[extensions]\n\tworktreeConfig = true\n", "extensions.worktreeconfig"],
  ["[gpg]\n\tprogram = ./x\n", "gpg.program"],
  ["[log]\n\tshowSignature = true\n", "log.showsignature"],
  ["[pull]\n\ttwohead = x\n", "pull.twohead"],
  ["[credential]\n\thelper = ./x\n", "credential.helper"],
  // forms that git reads and never writes
  ["[core] fsmonitor = ./x\n", "line 1"],
  ["[core]\n\tabbrev = 9 \\\n\tfsmonitor = ./x\n", "line 2"],
  ['[core "a\n', "line 1"],
  ["[core.a]\n", "line 1"],
  ["\uFEFF[core]\n", "line 1"],
  ["[core]\n\u00A0abbrev = 9\n", "line 2"],
  ["[core]\n\tabbrev = 9\r\tfsmonitor = ./x\n", "line 2"],
])("%j names %s", (text, key) => {
  expect(gitConfigRunsPrograms(text)).toContain(key);
});
