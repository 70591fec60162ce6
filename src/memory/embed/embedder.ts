// What every embedder offers, and what it is opened with.
import { Failure } from "../../contract/failure.ts";
import type { EmbedderSettings } from "../../contract/memory/memory-settings.ts";

/** Some models want to be told whether a text is searched for or searched in. */
export type EmbedOptions = { kind?: "text" | "query"; signal?: AbortSignal | undefined };

/** Turns texts into vectors of length one; a text with nothing in it becomes zeros. */
export type Embedder = {
  /** Whose vectors these are: provider, model and dimensions; vectors of another key are not comparable. */
  key: string;
  dimensions: number;
  /** Whether the texts stay on this machine. */
  isLocal: boolean;
  /** In the order of the texts. Throws an EmbedderFailure, or the signal's reason once it is aborted. */
  embed(texts: readonly string[], options?: EmbedOptions): Promise<readonly Float32Array[]>;
  close(): Promise<void>;
};

export type EmbedderDeps = {
  environment: Readonly<Record<string, string | undefined>>;
  storedKeys: Readonly<Record<string, string>>;
  nowMs?(): number;
  sleep?(ms: number, signal: AbortSignal): Promise<void>;
  /** For one request to a server. */
  timeLimitMs?: number;
  /** The table of the built-in embedder, where it is open for other things already. */
  tokenTable?: { dimensions: number; vectorOf(text: string): Float32Array };
  /** How a package that is not among Steward's own is loaded; usually from beside them. */
  importPackage?(name: string): Promise<unknown>;
};

/** Throws an EmbedderFailure when the embedder cannot be had. */
export type OpenEmbedder = (settings: EmbedderSettings, deps: EmbedderDeps, signal?: AbortSignal) => Promise<Embedder>;

export class EmbedderFailure extends Failure {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "EmbedderFailure";
  }
}
