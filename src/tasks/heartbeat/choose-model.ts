import type { ModelChoice, ModelProvider } from "../../contract/model.ts";

/** `name`: null follows whatever model is in use. */
export type BeatModel = { kind: "model"; name: string | null } | { kind: "none" };

/** The model that looks around: the one that was set, or the cheapest of the provider in use. */
export async function chooseBeatModel(
  models: Pick<ModelProvider, "choose" | "list">,
  wish: string | null,
): Promise<BeatModel> {
  if (wish !== null) return { kind: "model", name: wish };
  const [used] = await models.choose(undefined);
  // rules cannot follow instructions
  if (!used || used.source === "built in") return { kind: "none" };
  const cheapest = cheapestBeside(used, await models.list());
  return { kind: "model", name: cheapest?.name ?? null };
}

/** Only where both prices are known can one of them be called cheaper. */
function cheapestBeside(used: ModelChoice, all: readonly ModelChoice[]): ModelChoice | undefined {
  const { price, name } = used;
  if (!price) return undefined;
  return all
    .filter((other) => providerOf(other.name) === providerOf(name) && isCheaper(other.price, price))
    .toSorted((one, other) => compare(one.price, other.price))[0];
}

type Price = NonNullable<ModelChoice["price"]>;

function isCheaper(price: Price | undefined, than: Price): boolean {
  return price !== undefined && price.input < than.input;
}

function compare(one: Price | undefined, other: Price | undefined): number {
  return (one?.input ?? 0) - (other?.input ?? 0) || (one?.output ?? 0) - (other?.output ?? 0);
}

function providerOf(name: string): string {
  return name.split("/", 1)[0] ?? name;
}
