// Commands of a group run in a sandbox of its own.
import { chmod } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
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
