import type { GatewayClient } from "../../contract/client.ts";
import type { CommandLineDeps } from "../command-line-deps.ts";

/** Connects for as long as the work takes. */
export async function withClient<Result>(
  deps: Pick<CommandLineDeps, "connect">,
  work: (client: GatewayClient) => Promise<Result>,
): Promise<Result> {
  const client = await deps.connect();
  try {
    return await work(client);
  } finally {
    await client.close();
  }
}

export function printJson(deps: Pick<CommandLineDeps, "console">, value: unknown): void {
  deps.console.output.write(`${JSON.stringify(value, undefined, 2)}\n`);
}
