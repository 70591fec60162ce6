import type { AllowAddress, Refusal } from "./check-url.ts";

export type FetchLimits = {
  /** Counted before and after decompression. */
  maxBytes: number;
  /** For the whole walk: look-ups, redirects and body. */
  timeoutMs: number;
  maxRedirects?: number;
  maxDecompressionRatio: number;
};

export type FetchRequest = {
  url: string;
  method: "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE" | "OPTIONS";
  headers: Readonly<Record<string, string>>;
  body?: Uint8Array;
  signal: AbortSignal;
  limits: FetchLimits;
};

export type FetchDeps = {
  resolve(host: string, signal: AbortSignal): Promise<readonly string[]>;
  connect: Transport;
  nowMs(): number;
  allowAddress?: AllowAddress | undefined;
};

/** One exchange with one address; the transport looks nothing up and follows nothing. */
export type Transport = (request: TransportRequest) => Promise<TransportAnswer>;

export type TransportRequest = Omit<FetchRequest, "url" | "limits"> & {
  url: URL;
  port: number;
  /** The name for the certificate; for a literal address, that address. */
  host: string;
  address: string;
};

export type TransportResponse = {
  kind: "answered";
  status: number;
  headers: Readonly<Record<string, string>>;
  body: AsyncIterable<Uint8Array>;
  discard(): void;
};

export type TransportAnswer =
  | TransportResponse
  /** No connection came about, so another address of the same name may be tried. */
  | { kind: "unreachable"; reason: string }
  | { kind: "failed"; reason: string };

export type FailedFetch = {
  kind: "failed";
  failure: "look-up" | "connection" | "time" | "stopped" | "size" | "encoding";
  reason: string;
};

/** `connected` lists the addresses that were spoken to, one for each hop. */
export type FetchOutcome = { connected: readonly string[] } & (
  | {
      kind: "response";
      url: string;
      status: number;
      headers: Readonly<Record<string, string>>;
      body: Uint8Array;
      durationMs: number;
    }
  | Refusal
  | FailedFetch
);
