import { expect, test } from "vitest";
import { Settings } from "../../contract/settings.ts";
import { realWorld } from "../../contract/world.ts";
import { researchRoom } from "./research-room.ts";

const search = { provider: "brave" } as const;

/** The tools that the reader gets, or undefined when there is no research at all. */
async function readerTools(settings: Record<string, unknown>): Promise<readonly string[] | undefined> {
  let given: readonly string[] = [];
  const room = await researchRoom.open?.({
    ...{ version: "1", settings: Settings.parse(settings), environment: { BRAVE_API_KEY: "k" }, world: realWorld },
    network: { fetch: () => Promise.reject(new Error("nothing is fetched here")) },
    redact: (text) => text,
    async askModel(_asked, { tools }) {
      given = tools.map((tool) => tool.name);
      return { ok: false, kind: "network", reason: "That was all." };
    },
  });
  const [tool] = (await room?.tools?.()) ?? [];
  const bound = tool?.bind({ question: "?", addresses: ["https://a.example"] });
  if (!bound?.ok) return undefined;
  const signal = new AbortController().signal;
  await bound.call.run({
    ...{ conversation: "", turn: "", callId: "", workspace: "" },
    asker: { kind: "owner", id: "owner" },
    signal,
    progress() {},
  });
  return given;
}

test("the reader has the web tools and nothing else", async () => {
  expect(await readerTools({ search })).toEqual(["web_fetch", "web_search"]);
});

test("it has no search where none is set up", async () => {
  expect(await readerTools({})).toEqual(["web_fetch"]);
});

test.each(["ask", "deny"])("what the owner has set to %s is not done by the reader unasked", async (policy) => {
  expect(await readerTools({ search, guard: { tools: { web_search: policy } } })).toEqual(["web_fetch"]);
  expect(await readerTools({ search, guard: { tools: { web_fetch: policy } } })).toBe(undefined);
});
