// How the web tools see the guarded fetch, which they get as an argument: every address is checked before it is spoken to.

export type PageRequest = {
  url: string;
  method: "GET" | "POST";
  headers: Readonly<Record<string, string>>;
  body?: Uint8Array;
  signal: AbortSignal;
  limits: { maxBytes: number; timeoutMs: number; maxRedirects?: number; maxDecompressionRatio: number };
};

export type PageResponse = {
  kind: "response";
  /** After all redirects. */
  url: string;
  status: number;
  headers: Readonly<Record<string, string>>;
  body: Uint8Array;
};

/** `connected` lists the addresses that were spoken to; none means that nothing left this machine. */
export type PageOutcome = { connected: readonly string[] } & (
  | PageResponse
  | { kind: "refused"; reason: string; url: string }
  | { kind: "failed"; failure: string; reason: string }
);

export type FetchPage = (request: PageRequest) => Promise<PageOutcome>;

export function userAgent(version: string): string {
  return `Steward/${version} (personal assistant)`;
}
