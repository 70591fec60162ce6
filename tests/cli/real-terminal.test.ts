import { execFile } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { eventually } from "../scenes/eventually.ts";
import { program as steward } from "../scenes/steward-process.ts";
import { temporaryFolder } from "../scenes/temporary-folder.ts";

const run = promisify(execFile);
const root = fileURLToPath(new URL("../..", import.meta.url));

/** The program in a terminal of its own, as a person has it. */
async function openTerminal(home: string) {
  const socket = join(home, "tmux");
  const tmux = async (...args: string[]) => (await run("tmux", ["-S", socket, ...args])).stdout;
  const program = `exec env -i PATH='${process.env.PATH}' TERM=screen HOME='${home}' STEWARD_HOME='${home}' STEWARD_GATEWAY_PORT=0 '${join(root, "node_modules/node/bin/node")}' '${steward}'`;
  await tmux("-f", "/dev/null", "new-session", "-d", "-x", "100", "-y", "40", program);
  const isOpen = () =>
    tmux("list-sessions").then(
      () => true,
      () => false,
    );
  // the terminal ends with the program, which is asked to end and may still write until it has
  onTestFinished(async () => {
    if (await isOpen()) await tmux("send-keys", "C-c", "C-c", "C-d");
    await eventually(isOpen, false);
  });
  return {
    press: (...keys: string[]) => tmux("send-keys", ...keys),
    see: (text: string) => eventually(() => tmux("capture-pane", "-p"), expect.stringContaining(text)),
  };
}

test("what is typed before the chat is there is sent, and a command in one burst is completed", async () => {
  const { press, see } = await openTerminal(await temporaryFolder());
  await press("what is 2+3", "Enter");
  await see("That is 5.");
  await press("/mo", "Tab");
  await see(" /model\n");
  await press("default", "Enter");
  await see("This conversation uses the usual model again: offline/rules");
});
