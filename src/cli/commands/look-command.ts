import type { CommandContext, SingleCommand } from "../../contract/room/command.ts";
import type { GatewayClient } from "../../contract/wire/client.ts";

type Look<Result> = {
  name: string;
  summary: string;
  /** The fields of the JSON, which programs rely on. */
  fields: string;
  ask(client: GatewayClient): Promise<Result>;
  show(result: Result, context: CommandContext): void;
};

/** A command that shows one answer of the gateway: in words, or whole as JSON. */
export function lookCommand<Result>({ name, summary, fields, ask, show }: Look<Result>): SingleCommand {
  return {
    name,
    summary,
    notes: `With --json, one object: {${fields}}`,
    options: [{ form: "--json", description: "print JSON" }],
    async run({ flags }, context) {
      const result = await withClient(context, ask);
      if (flags.has("json")) context.console.output.write(`${JSON.stringify(result, undefined, 2)}\n`);
      else show(result, context);
      return 0;
    },
  };
}

/** Connects for as long as the work takes. */
export async function withClient<Result>(
  context: CommandContext,
  work: (client: GatewayClient) => Promise<Result>,
): Promise<Result> {
  const client = await context.connect();
  try {
    return await work(client);
  } finally {
    await client.close();
  }
}
