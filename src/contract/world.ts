import { randomBytes } from "node:crypto";

/** Time and chance, passed in so that rules can be tested at any moment. */
export type World = { nowMs(): number; newId(prefix: string): string };

export const realWorld: World = {
  nowMs: () => Date.now(),
  newId: (prefix) => `${prefix}_${Date.now().toString(36).padStart(9, "0")}${randomBytes(8).toString("hex")}`,
};
