// What people ask of a reader, through the whole assembly with the model on the wire: nobody is asked anything.
import { expect, test } from "vitest";
import type { FakeRequest } from "../../fakes/model/model-answer.ts";
import { eventually } from "../../scenes/eventually.ts";
import { type Mind, researchAssembly } from "../../scenes/tools/research-assembly.ts";
import type { Serve } from "../../scenes/tools/web-scene.ts";

const offers = Array.from({ length: 10 }, (_, at) => ({ path: `/offers/${at}`, price: 40 + ((at * 7) % 23) }));
const pages: Record<string, string> = {
  "/mills": '<title>Mills</title><p>There are <a href="/mills/a">A</a> and <a href="/mills/b">B</a>.</p>',
  "/mills/a": "<title>Mill A</title><p>Mill A was built in 1712.</p>",
  "/mills/b": "<title>Mill B</title><p>Mill B was built in 1690.</p>",
  "/mills/c": "<title>Mill C</title><p>Mill C was built in 1804.</p>",
  "/offers": `<title>Offers</title><ul>${offers.map(({ path }) => `<li><a href="${path}">an offer</a></li>`).join("")}</ul>`,
  ...Object.fromEntries(
    offers.map(({ path, price }) => [path, `<title>Offer</title><p>The kettle costs ${price} crowns.</p>`]),
  ),
  "/kettle/releases":
    '<title>Releases</title><p>See <a href="/kettle/releases/3.2">3.2</a> and <a href="/kettle/releases/3.1">3.1</a>.</p>',
  "/kettle/releases/3.2": "<title>Kettle 3.2</title><p>Released on 2 November 2026. It boils twice as fast.</p>",
};
const serve: Serve = (request, response) => {
  const body = pages[request.url ?? ""];
  response.writeHead(body === undefined ? 404 : 200, { "content-type": "text/html; charset=utf-8" });
  response.end(body ?? "not here");
};

const read = (...urls: readonly string[]) => ({
  toolCalls: urls.map((url) => ({ name: "web_fetch", arguments: { url } })),
});
const linksOf = ({ toolOutputs }: FakeRequest) =>
  [...toolOutputs.join(" ").matchAll(/\]\((http[^)]+)\)/g)].map(([, url = ""]) => url);

type Task = {
  name: string;
  question: string;
  begin: readonly string[];
  reader(url: (path: string) => string): Mind;
  found: RegExp;
};
const tasks: readonly Task[] = [
  {
    name: "three pages are compared",
    question: "Which of these mills is the oldest?",
    begin: ["/mills/a", "/mills/b", "/mills/c"],
    reader: (url) => (request, step) =>
      step === 1
        ? read(url("/mills/a"), url("/mills/b"), url("/mills/c"))
        : { text: `The oldest: ${oldest(request.toolOutputs)}` },
    found: /^3 pages read\..*The oldest: Source \[2\].*Mill B was built in 1690/s,
  },
  {
    name: "the cheapest of ten pages is found",
    question: "Where is the kettle cheapest?",
    begin: ["/offers"],
    reader: (url) => (request, step) => {
      if (step === 1) return read(url("/offers"));
      return step === 2
        ? read(...linksOf(request))
        : { text: `Cheapest: ${Math.min(...request.toolOutputs.map(priceIn))} crowns.` };
    },
    found: /^11 pages read\..*Cheapest: 40 crowns\..*\[11\] Offer/s,
  },
  {
    name: "what changed in the last release is found behind a link",
    question: "What changed in the last release of kettle?",
    begin: ["/kettle/releases"],
    reader: (url) => (request, step) => {
      if (step === 1) return read(url("/kettle/releases"));
      return step === 2
        ? read(linksOf(request)[0] ?? "")
        : { text: /It boils[^.]*\./.exec(request.toolOutputs[0] ?? "")?.[0] ?? "?" };
    },
    found: /^2 pages read\..*It boils twice as fast\..*\[2\] Kettle 3\.2/s,
  },
];

test.each(tasks)("$name without a question", async ({ question, begin, reader, found }) => {
  const { assistant } = await researchAssembly({
    ...{ serve, reader },
    conversation: (url) => (request, step) =>
      step === 1
        ? { toolCalls: [{ name: "research", arguments: { question, addresses: begin.map((path) => url(path)) } }] }
        : { text: `Found: ${request.toolOutputs[0]}` },
  });
  const live: string[] = [];
  assistant.follow(0, (followed) => {
    if (followed.type === "live.tool_progress") live.push(followed.text);
  });
  await assistant.say(question);
  // each page is read by a process of its own
  await eventually(async () => (await assistant.replies()).length, 1, 110_000);
  const [returned] = await assistant.until("tool.returned");
  expect([returned?.outcome, returned?.output]).toEqual(["done", expect.stringMatching(found)]);
  expect(returned?.labels).toEqual([expect.stringMatching(/^web:site\.example/), "web:research"]);
  expect((await assistant.events()).filter((event) => event.type === "approval.asked")).toEqual([]);
  expect(live[0]).toMatch(/^reading site\.example:\d+ …$/);
});

test("a link on a page that it read may then be followed without a question", async () => {
  const { assistant } = await researchAssembly({
    serve,
    reader: (url) => (_request, step) =>
      step === 1 ? read(url("/mills")) : { text: `More is at ${url("/mills/b")}.` },
    conversation: (url) => (_request, step) => {
      if (step === 1)
        return { toolCalls: [{ name: "research", arguments: { question: "Mills?", addresses: [url("/mills")] } }] };
      return step === 2 ? read(url("/mills/b")) : { text: "Done." };
    },
  });
  await assistant.say("Mills?");
  await assistant.until("turn.finished");
  const returned = await assistant.until("tool.returned", 2);
  expect(returned.map(({ tool, outcome }) => [tool, outcome])).toEqual([
    ["research", "done"],
    ["web_fetch", "done"],
  ]);
});

function oldest(outputs: readonly string[]): string {
  const year = (output: string) => Number(/built in (\d+)/.exec(output)?.[1]);
  return outputs.toSorted((one, other) => year(one) - year(other))[0] ?? "";
}

function priceIn(output: string): number {
  return Number(/costs (\d+)/.exec(output)?.[1] ?? Number.POSITIVE_INFINITY);
}
