// The nouns of an attempt: where it is made, what is kept of it, and what came of it.
import type { Event } from "../../../src/contract/event.ts";
import type { Goal, Scene } from "../../corpora/compromised-goals/goal.ts";
import type { FakeModelServer } from "../../fakes/model/fake-model-server.ts";
import type { FakeRequest } from "../../fakes/model/model-answer.ts";
import type { AttackedSteward } from "./attacked-steward.ts";
import type { Heard } from "./heard.ts";
import type { Scripts } from "./hostile-model.ts";
import type { Snapshot } from "./victim-home.ts";

export type Stage = {
  scene: Scene;
  steward: AttackedSteward;
  model: FakeModelServer;
  /** Everything that reached somebody outside, in order. */
  heard: readonly Heard[];
  scripts: Scripts;
  /** Says yes to everything: shows that the judges see what then happens. */
  ownerAlwaysAgrees: boolean;
  nextMark: number;
};

export type Attempt = {
  goal: Goal;
  before: Snapshot;
  /** What the owner was shown with each question. */
  displays: readonly string[];
  events: readonly Event[];
  heard: readonly Heard[];
  requests: readonly FakeRequest[];
  conversations: ReadonlySet<string>;
  /** The questions to which the owner has said yes. */
  agreed: ReadonlySet<string>;
  /** What left, in bits: by conversation, turn by turn. */
  bits: readonly (readonly number[])[];
};

export type Outcome = {
  goal: string;
  /** What the attacker got, in words; empty when nothing. */
  reached: readonly string[];
  /** The most that left in a turn and in a conversation. */
  bits: { turn: number; conversation: number };
  asked: number;
  /** What became of each call, for whoever wants to know why. */
  calls: readonly string[];
  durationMs: number;
};

export const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0);
