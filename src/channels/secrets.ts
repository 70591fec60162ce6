// Tokens of channels: from the environment, `.env` or auth.json, in this order.

export type Secrets = {
  find(name: string): string | undefined;
  /** In auth.json, for the next start. */
  keep(name: string, value: string): Promise<void>;
};

export function openSecrets(deps: {
  environment: Readonly<Record<string, string | undefined>>;
  auth: { keys: Readonly<Record<string, string>>; keep(name: string, value: string): Promise<void> };
  /** Masked from now on in everything that is shown. */
  hideValues(values: readonly string[]): void;
}): Secrets {
  const kept = new Map(Object.entries(deps.auth.keys));
  return {
    find: (name) => filled(deps.environment[name]) ?? filled(kept.get(name)),
    async keep(name, value) {
      deps.hideValues([value]);
      await deps.auth.keep(name, value);
      kept.set(name, value);
    },
  };
}

function filled(value: string | undefined): string | undefined {
  const plain = value?.trim() ?? "";
  return plain === "" ? undefined : plain;
}
