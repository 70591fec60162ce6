// The learned order: what is known of each candidate comes in, a score for each goes out. Three small nets, a linear part and sixteen
// hidden units each, and their mean.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import type { Features } from "./features.ts";

export type Ranker = {
  scores(candidates: readonly Features[]): Float64Array;
  /** The scores as shares of one (soft-max). */
  shares(scores: Float64Array): Float64Array;
};

const numbers = z.array(z.number());
const Weights = z.object({
  features: z.array(z.string()),
  mu: numbers,
  sd: numbers,
  temperature: z.number(),
  nets: z.array(z.object({ w: numbers, b: z.number(), W1: numbers, b1: numbers, w2: numbers, b2: z.number() })),
});

type Net = {
  linear: Float64Array;
  bias: number;
  hidden: Float64Array;
  hiddenBiases: Float64Array;
  output: Float64Array;
};

const farthest = 5;
const weightsFile = fileURLToPath(new URL("../../assets/ranker.json", import.meta.url));

export function openRanker(): Ranker {
  const weights = Weights.parse(JSON.parse(readFileSync(weightsFile, "utf8")));
  const { features, mu, sd, temperature } = weights;
  const nets = weights.nets.map(
    ({ w, b, W1, b1, w2, b2 }): Net => ({
      ...{ linear: Float64Array.from(w), bias: b + b2, hidden: Float64Array.from(W1) },
      ...{ hiddenBiases: Float64Array.from(b1), output: Float64Array.from(w2) },
    }),
  );
  const inputs = new Float64Array(features.length);
  return {
    scores: (candidates) => Float64Array.from(candidates, scoreOf),
    shares(scores) {
      const highest = scores.reduce((most, score) => Math.max(most, score), Number.NEGATIVE_INFINITY);
      const shares = scores.map((score) => Math.exp((score - highest) / temperature));
      const sum = shares.reduce((all, share) => all + share, 0) || 1;
      return shares.map((share) => share / sum);
    },
  };

  function scoreOf(candidate: Features): number {
    const known: Readonly<Record<string, number>> = candidate;
    for (let place = 0; place < inputs.length; place++) {
      const value = ((known[features[place] ?? ""] ?? 0) - (mu[place] ?? 0)) / (sd[place] ?? 1);
      inputs[place] = Math.max(-farthest, Math.min(farthest, value));
    }
    return nets.reduce((sum, net) => sum + outputOf(net, inputs), 0) / nets.length;
  }
}

function outputOf({ linear, bias, hidden, hiddenBiases, output }: Net, inputs: Float64Array): number {
  let sum = bias + dot(linear, inputs, 0);
  for (let unit = 0; unit < output.length; unit++) {
    const value = (hiddenBiases[unit] ?? 0) + dot(hidden, inputs, unit * inputs.length);
    if (value > 0) sum += (output[unit] ?? 0) * value;
  }
  return sum;
}

function dot(rows: Float64Array, inputs: Float64Array, start: number): number {
  let sum = 0;
  for (let place = 0; place < inputs.length; place++) sum += (rows[start + place] ?? 0) * (inputs[place] ?? 0);
  return sum;
}
