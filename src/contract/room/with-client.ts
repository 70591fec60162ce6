import type { GatewayClient } from "../wire/client.ts";
import type { CommandContext } from "./command.ts";

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
