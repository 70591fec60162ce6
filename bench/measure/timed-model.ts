import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { z } from "zod";

export type Exchange = { arrivedMs: number; endedMs: number };

/** The provider of bench/measure/timed-model-process.ts, in a process of its own. */
export type TimedModel = AsyncDisposable & {
  url: string;
  /** The exchanges since the last call, oldest first. */
  newExchanges(): Promise<readonly Exchange[]>;
  lastBody(): Promise<string>;
};

const Started = z.object({ port: z.number() });
const Exchanges = z.array(z.object({ arrivedMs: z.number(), endedMs: z.number() }));

export async function startTimedModel(gapMs: number, tokens = 20, tokensInPiece = 1): Promise<TimedModel> {
  const script = fileURLToPath(new URL("./timed-model-process.ts", import.meta.url));
  const options = { "--gap-ms": gapMs, "--tokens": tokens, "--tokens-in-piece": tokensInPiece };
  const child = spawn(process.execPath, [script, ...Object.entries(options).flat().map(String)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [line] = await once(child.stdout, "data");
  const url = `http://127.0.0.1:${Started.parse(JSON.parse(String(line))).port}`;
  let told = 0;
  return {
    url,
    async newExchanges() {
      const response = await fetch(`${url}/exchanges?from=${told}`);
      const exchanges = Exchanges.parse(await response.json());
      told += exchanges.length;
      return exchanges;
    },
    lastBody: async () => (await fetch(`${url}/last-body`)).text(),
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
    },
  };
}
