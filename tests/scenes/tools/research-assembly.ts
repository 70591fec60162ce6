// The whole assembly with a model on the wire that plays two minds: the conversation's and the reader's, told apart by what they were told.
import { onTestFinished } from "vitest";
import type { Base } from "../../../src/assistant.ts";
import type { RoomDefinition } from "../../../src/contract/room/room.ts";
import { filesRoom } from "../../../src/tools/files/files-room.ts";
import { researchRoom } from "../../../src/tools/research/research-room.ts";
import type { PageRequest } from "../../../src/tools/web/fetch-page.ts";
import { webRoom } from "../../../src/tools/web/web-room.ts";
import type { FakeAnswer, FakeRequest } from "../../fakes/model/model-answer.ts";
import { openAssistant } from "../assistant.ts";
import { openModelScene } from "../models/model-scene.ts";
import { type Serve, webScene } from "./web-scene.ts";

export type Mind = (request: FakeRequest, step: number) => FakeAnswer;

export type AssemblyOptions = {
  serve: Serve;
  home?: string;
  settings?: Record<string, unknown>;
  conversation(url: (path: string, host?: string) => string): Mind;
  reader(url: (path: string, host?: string) => string): Mind;
};

export async function researchAssembly(options: AssemblyOptions) {
  const site = await webScene(options.serve);
  const [conversation, reader] = [options.conversation(site.url), options.reader(site.url)];
  const readerRequests: FakeRequest[] = [];
  const scene = await openModelScene({
    answers(request) {
      if (!isReader(request)) return conversation(request, stepOf(request));
      readerRequests.push(request);
      return reader(request, readerRequests.length);
    },
  });
  onTestFinished(() => scene.close());
  // the real rooms, over a network on which the site is a public one
  const network = { fetch: (_exception: unknown, request: PageRequest) => site.fetchPage(request) };
  const overSite = (room: typeof webRoom | typeof researchRoom): RoomDefinition<Base> => ({
    name: room.name,
    open: async (base) => (await room.open?.({ ...base, network })) ?? {},
  });
  const assistant = await openAssistant({
    ...(options.home && { home: options.home }),
    model: scene.models,
    settings: options.settings ?? {},
    rooms: [filesRoom, overSite(webRoom), overSite(researchRoom)],
  });
  return { site, assistant, readerRequests };
}

function isReader({ body }: FakeRequest): boolean {
  return JSON.stringify(body.system).includes("You look into a question on the public web");
}

/** How many answers this turn has had, from 1. */
function stepOf({ body }: FakeRequest): number {
  const messages = body.messages as { role: string; content: unknown }[];
  const asked = messages.findLastIndex(
    ({ role, content }) => role === "user" && !JSON.stringify(content).includes("tool_result"),
  );
  return messages.slice(asked).filter(({ role }) => role === "assistant").length + 1;
}
