/** Where a URL leads, judged and looked up once; the connection goes to one of these addresses and nowhere else. */
export type CheckedAddress = { ok: true; addresses: readonly string[] } | { ok: false; reason: string };

export type CheckAddress = (url: string, signal: AbortSignal) => Promise<CheckedAddress>;
