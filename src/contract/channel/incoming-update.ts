import type { Address } from "./address.ts";

export type Person = { /** Stable: never a name that its bearer can change. */ id: string; name: string };

/** What a channel hands on: a message, or a press on a button that Steward has sent. */
export type IncomingUpdate = {
  address: Address;
  /** One person and Steward, nobody else. */
  isDirect: boolean;
  /** What the platform calls the place. */
  title: string;
  from: Person;
  atMs: number;
  /** The chat was another one before: it has moved. */
  movedFrom?: Address;
  /** See Chat.details; replaces what was known. */
  details?: Readonly<Record<string, string>>;
} & (IncomingWords | IncomingPress);

export type IncomingWords = {
  kind: "message";
  /** The platform's own number of the message, unlike any other in this place; the same number twice is one message. */
  key: string;
  /** As it was written, without a mention of Steward at its start: that stands in `addressesUs`. */
  text: string;
  files: readonly IncomingFile[];
  /** The message that it is, to react to it. */
  ref?: string;
  /** It names Steward in the platform's own way, or answers one of its messages. */
  addressesUs?: boolean;
  /** The message that it answers, where the platform lets one choose it. */
  answersRef?: string;
  /** What came with it that its sender has not written, such as a forwarded message. */
  data?: string;
  /** Where such words come from. */
  labels?: readonly string[];
  /** Somebody else has said all of it, what is spoken in its files too. */
  isForwarded?: boolean;
};

export type IncomingPress = {
  kind: "press";
  /** What the button was given. */
  press: string;
  /** The message below which it stands, where only the press can tell that it has arrived. */
  ref?: string;
  /** Tells the person what came of it, if the platform has a place for that. */
  answer(text: string): Promise<void>;
};

export type IncomingFile = {
  name: string;
  mediaType: string;
  /** If the platform says so. */
  bytes: number | undefined;
  isVoice?: boolean;
  read(signal: AbortSignal): Promise<Uint8Array>;
};
