import { CallRefused } from "./client.ts";

/** Who can be spoken to, found out anew each time: the owner adds agents while Steward runs. */
export type FindAgents = () => Promise<readonly { id: string }[]>;

/** Refuses the name of an agent that there is not, and says which there are. */
export async function requireAgent(findAgents: FindAgents, id: string): Promise<void> {
  const ids = (await findAgents()).map((agent) => agent.id);
  if (!ids.includes(id)) throw new CallRefused("not_found", `There is no agent ${id}. There are: ${ids.join(", ")}.`);
}
