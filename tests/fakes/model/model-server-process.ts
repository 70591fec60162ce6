/**
 * The fake model server alone, steered by marks in the text (see model-rules.ts):
 *
 *   node tests/fakes/model/model-server-process.ts --port 0 [--delay-ms 0] [--delay-per-piece-ms 0] [--keep 1000]
 *
 * The first line it prints is {"port":12345}; GET /requests returns what it kept; a signal ends it.
 */
import { parseArgs } from "node:util";
import { startFakeModelServer } from "./fake-model-server.ts";
import { answerByRules } from "./model-rules.ts";

const { values } = parseArgs({
  options: {
    port: { type: "string", default: "0" },
    "delay-ms": { type: "string", default: "0" },
    "delay-per-piece-ms": { type: "string", default: "0" },
    keep: { type: "string", default: "1000" },
    models: { type: "string", default: "fake-model" },
  },
});

const delays = { delayMs: Number(values["delay-ms"]), delayPerPieceMs: Number(values["delay-per-piece-ms"]) };
const server = await startFakeModelServer({
  answers: (request) => ({ ...delays, ...answerByRules(request) }),
  port: Number(values.port),
  models: values.models.split(","),
  keepRequests: Number(values.keep),
});
console.log(JSON.stringify({ port: server.port }));
