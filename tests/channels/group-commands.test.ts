// Commands of a group run in a sandbox of its own.
import { chmod, rename, symlink } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { MethodResult } from "../../src/contract/wire/method.ts";
import { filesIn, type GroupChat, openGroupChat, put } from "../scenes/channels/group-scene.ts";
import { temporaryFolder } from "../scenes/temporary-folder.ts";

const bash = (command: string) => ({ tool: "bash", arguments: { command } });

/** What the group's command has answered, whatever the rules for commands would make of its words. */
async function ran(chat: GroupChat, script: string): Promise<string> {
  await put(chat.folder(), {
    "probe.sh": script,
    "probe.mjs":
      'import { spawnSync } from "node:child_process";\nconsole.log(spawnSync("bash", ["probe.sh"], { encoding: "utf8" }).stdout);',
  });
  await chat.answered({ calls: [bash("node probe.mjs")] });
  return (await chat.outputs()).at(-1)?.output ?? "";
}

test("a command of a group sees its folder, and neither the owner's nor another group's", async () => {
  const chat = await openGroupChat({ group: { mode: "auto" } });
  await chat.register(-2_000, "work");
  await chat.turn({ chat: -2_000 });
  await put(chat.workspace, { "diary.md": "walnut" });
  await put(chat.folder(), { "list.md": "milk" });
  await chat.turn({ calls: [bash("cat list.md")] });
  expect((await chat.outputs()).at(-1)).toMatchObject({ outcome: "done", output: expect.stringContaining("milk") });
  const seen = await ran(chat, `pwd; ls ${join(chat.home, "groups")}; ls -a ${chat.home}; ls ${chat.workspace} 2>&1`);
  expect(seen).toContain(chat.folder());
  expect(seen).not.toMatch(/^work$|diary|data|local\.sock/m);
});

test("folders that the owner gives a group lie in /workspace/extra, to read or to write as they were given", async () => {
  const [books, drafts] = [await temporaryFolder(), await temporaryFolder()];
  // as root, commands run as somebody else, who gets no further in folders that are not theirs than others do
  for (const folder of [books, drafts]) await chmod(folder, 0o777);
  await put(books, { "book.txt": "once upon a time" });
  const additionalMounts = [
    { hostPath: books, containerPath: "books" },
    { hostPath: drafts, containerPath: "our/drafts", readonly: false },
  ];
  const chat = await openGroupChat({ group: { mode: "auto", sandbox: { additionalMounts } } });
  const extra = "/workspace/extra";
  const seen = await ran(
    chat,
    `exec 2>&1; cat ${extra}/books/book.txt; echo no > ${extra}/books/new.txt; echo yes > ${extra}/our/drafts/new.txt`,
  );
  expect(seen).toContain("once upon a time");
  expect(Object.keys(await filesIn(books))).toEqual(["book.txt"]);
  expect(await filesIn(drafts)).toEqual({ "new.txt": "yes\n" });
  const plain = [bash(`cat ${extra}/books/book.txt`), { tool: "read", arguments: { path: join(books, "book.txt") } }];
  await chat.turn({ calls: plain });
  expect((await chat.outputs()).slice(-2).map(({ output }) => output.includes("once upon a time"))).toEqual([
    true,
    true,
  ]);
  await chat.turn({ calls: [bash(`echo no > ${extra}/books/new.txt`)] });
  expect((await chat.outputs()).at(-1)).toMatchObject({ outcome: "denied" });
  await chat.change({ mode: "auto" });
  expect(await ran(chat, `ls ${extra} 2>&1`)).not.toContain("books");
});

test.each([
  ["~/.ssh", "/.ssh may not be shown to commands"],
  ["photos", "it is not an absolute path"],
  ["/mnt/not-plugged-in", "it does not exist"],
])("the folder %s is not given to a group, and the owner hears why", async (hostPath, reason) => {
  const chat = await openGroupChat();
  await chat.register(-2_000, "work");
  const options = { sandbox: { additionalMounts: [{ hostPath }] } };
  await expect(chat.change(options)).rejects.toThrow(reason);
  await expect(chat.register(-3_000, "club", options)).rejects.toThrow(reason);
  const { groups } = (await chat.call("groups.list", {})) as MethodResult<"groups.list">;
  expect(groups.map(({ options: settled }) => settled.sandbox.additionalMounts)).toEqual([[], []]);
});

test("a folder is given by where it really is, and a link put in its place later opens no other one", async () => {
  const [host, secrets] = [await temporaryFolder(), await temporaryFolder()];
  for (const folder of [host, secrets]) await chmod(folder, 0o777);
  await put(host, { "books/book.txt": "once upon a time" });
  await put(secrets, { "secret.txt": "walnut" });
  await symlink(join(host, "books"), join(host, "link"));
  const additionalMounts = [{ hostPath: join(host, "link"), containerPath: "books" }];
  const chat = await openGroupChat({ group: { mode: "auto", sandbox: { additionalMounts } } });
  const listed = async () => ((await chat.call("groups.list", {})) as MethodResult<"groups.list">).groups[0];
  const settled = (await listed())?.options;
  expect(settled?.sandbox.additionalMounts).toMatchObject([{ hostPath: join(host, "books") }]);
  expect(await ran(chat, "cat /workspace/extra/books/*")).toContain("once upon a time");
  await rename(join(host, "books"), join(host, "gone"));
  await symlink(secrets, join(host, "books"));
  const seen = await ran(chat, "cat /workspace/extra/books/* 2>&1; echo went on");
  expect(seen).toContain("went on");
  expect(seen).toContain("leads to another folder, or was given by another name");
  expect(seen).not.toContain("walnut");
  // whatever else is changed does not give it either
  await chat.change({ ...settled, trigger: "Computer" });
  expect((await listed())?.options.sandbox.additionalMounts).toMatchObject([{ hostPath: join(host, "books") }]);
  expect((await listed())?.problems).toEqual([
    expect.stringContaining("leads to another folder, or was given by another name"),
  ]);
});

test("when a disk is unplugged the group's commands go on without it and say so, and have it again when it is back", async () => {
  const host = await temporaryFolder();
  await chmod(host, 0o777);
  await put(host, { "disk/book.txt": "once upon a time" });
  const [disk, away] = [join(host, "disk"), join(host, "away")];
  const sandbox = { additionalMounts: [{ hostPath: disk }] };
  const chat = await openGroupChat({ group: { mode: "auto", sandbox } });
  const read = { tool: "read", arguments: { path: join(disk, "book.txt") } };
  const problems = async () =>
    ((await chat.call("groups.list", {})) as MethodResult<"groups.list">).groups[0]?.problems;
  await chat.turn({ calls: [read] });
  await rename(disk, away);
  const seen = await ran(chat, "ls /workspace/extra 2>&1; echo went on");
  expect(seen).toContain("went on");
  expect(seen).toContain(`[${disk} may not be shown to commands: it does not exist. This ran without it.]`);
  expect(await problems()).toEqual([`${disk} may not be shown to commands: it does not exist.`]);
  await rename(away, disk);
  expect(await ran(chat, "cat /workspace/extra/disk/book.txt")).toContain("once upon a time");
  await chat.turn({ calls: [read] });
  expect((await chat.outputs()).at(-1)).toMatchObject({ output: expect.stringContaining("once upon a time") });
  expect(await problems()).toEqual([]);
});

test("a command of a group reaches no network and holds none of the owner's keys", async () => {
  const server = createServer((_request, response) => response.end("reached"));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const chat = await openGroupChat({
    group: { mode: "auto" },
    environment: { WEATHER_KEY: "walnut-weather" },
    settings: {
      sandbox: {
        allowedHosts: ["weather.example"],
        credentials: { "weather.example": { header: "X-Key", valueEnv: "WEATHER_KEY" } },
      },
    },
  });
  const seen = await ran(
    chat,
    `env; (exec 3<>/dev/tcp/127.0.0.1/${port}) 2>&1 && echo reached; ip addr; ls /sys/class/net`,
  );
  expect(seen).toContain("refused");
  expect(seen).not.toMatch(/^reached$|walnut-weather|HTTPS?_PROXY=./m);
});

test("a command of a group ends when the time that its owner gives it is over", async () => {
  const chat = await openGroupChat({ group: { mode: "auto", sandbox: { timeoutSeconds: 1 } } });
  await chat.answered({ calls: [bash("sleep 600")] });
  expect((await chat.outputs()).at(-1)).toMatchObject({
    outcome: "failed",
    output: expect.stringMatching(/\[stopped after 1 s\]$/),
  });
});

test("a command of a group may take longer than calls of the owner, if its owner says so", async () => {
  const settings = { tools: { timeoutSeconds: 1, bashTimeoutSeconds: 1 } };
  const chat = await openGroupChat({ settings, group: { mode: "auto", sandbox: { timeoutSeconds: 60 } } });
  await chat.answered({ calls: [bash("sleep 2; echo slept")] });
  expect((await chat.outputs()).at(-1)).toMatchObject({ outcome: "done", output: expect.stringContaining("slept") });
  expect((await chat.asked()).at(-1)).toContain("A bash command may take 1 min here.");
});
