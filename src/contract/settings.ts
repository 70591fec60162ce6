import { z } from "zod";
import { ModelName, ThinkingLevel } from "./model.ts";

const positive = z.number().int().positive();

const Provider = z
  .strictObject({
    kind: z
      .enum(["anthropic", "openai", "openai-compatible"])
      .describe("The wire protocol: Anthropic Messages, OpenAI Responses, or OpenAI-compatible chat completions."),
    baseUrl: z.url().optional().describe("Where the server is, such as http://127.0.0.1:11434/v1."),
    apiKeyEnv: z
      .string()
      .optional()
      .describe("The environment variable that holds the key, if the usual one does not."),
    contextTokens: positive.optional().describe("How many tokens its models can read, if not the usual number."),
    maxOutputTokens: positive.optional().describe("How many tokens its models may write in one step."),
  })
  .describe("A place where models are served.");

const Price = z
  .strictObject({
    input: z.number().nonnegative().describe("US dollars for a million tokens read."),
    output: z.number().nonnegative().describe("US dollars for a million tokens written."),
    cacheRead: z.number().nonnegative().optional().describe("US dollars for a million tokens read from the cache."),
    cacheWrite: z.number().nonnegative().optional().describe("US dollars for a million tokens written to the cache."),
  })
  .describe("What a model costs.");

const Agent = z
  .strictObject({
    name: z.string().min(1).max(40).default("Steward").describe("What the assistant is called."),
    model: ModelName.nullable()
      .default(null)
      .describe(
        "The model to use, as provider/model. Null: the best one that a key or a local server offers, else the offline model.",
      ),
    fallbackModels: z
      .array(ModelName)
      .default([])
      .describe("Models tried in this order when the chosen one does not answer."),
    thinking: ThinkingLevel.default("off").describe("How long the model may think before it answers."),
    maxSteps: positive.max(1000).default(50).describe("Model calls in one turn before it is ended."),
    maxRepeats: positive
      .min(2)
      .max(50)
      .default(3)
      .describe("How often the same call may return the same result before the turn is ended."),
    maxOutputTokens: positive.default(8192).describe("Tokens the model may write in one step."),
  })
  .describe("The assistant and the models behind it.");

const Models = z
  .strictObject({
    providers: z
      .record(z.string().regex(/^[a-z0-9-]+$/), Provider)
      .default({})
      .describe("Model servers by name, beside the built-in anthropic, openai and openrouter."),
    prices: z
      .record(z.string(), Price)
      .default({})
      .describe("Prices by provider/model, where the built-in ones are missing or old."),
    probeLocal: z
      .boolean()
      .default(true)
      .describe("Look for Ollama, LM Studio and llama.cpp on this machine's usual ports."),
    maxAttempts: positive.max(10).default(4).describe("Tries of one model before the next one is asked."),
    timeoutSeconds: positive.default(600).describe("Longest wait for one answer."),
    idleTimeoutSeconds: positive.default(120).describe("Longest silence inside an answer."),
  })
  .describe("Where models are found.");

const Session = z
  .strictObject({
    maxHistoryMessages: positive
      .min(4)
      .default(100)
      .describe("Messages of a conversation that the model sees before older ones are summarised."),
    compactionEnabled: z
      .boolean()
      .default(true)
      .describe("Summarise older messages; false: leave them out without a summary."),
  })
  .describe("How much of a conversation the model sees.");

const Queue = z
  .strictObject({
    maxWaiting: positive
      .default(20)
      .describe("Messages that may wait in one conversation; the next one gets a limit-reached reply."),
    concurrency: positive.max(1000).default(16).describe("Conversations worked on side by side."),
    whenBusy: z
      .enum(["steer", "wait"])
      .default("steer")
      .describe("A message during a turn joins it at the next step, or waits for its end."),
  })
  .describe("What happens when messages come faster than answers.");

const Approvals = z
  .strictObject({
    expireAfterHours: z
      .number()
      .positive()
      .max(8760)
      .default(72)
      .describe("An approval that nobody answers counts as denied after this time."),
  })
  .describe("Questions to the owner before something is done.");

const Workspace = z
  .strictObject({
    path: z.string().nullable().default(null).describe("The agent's folder. Null: workspace/ in the Steward folder."),
  })
  .describe("The folder the agent works in.");

const Logs = z
  .strictObject({
    level: z.enum(["debug", "info", "warn", "error"]).default("info").describe("What is written to the log files."),
    keepDays: positive.default(30).describe("Log files older than this are removed."),
  })
  .describe("Log files.");

/** The whole of config.json. Every key has a default that suits most people. */
export const Settings = z.strictObject({
  agent: Agent.prefault({}),
  models: Models.prefault({}),
  session: Session.prefault({}),
  queue: Queue.prefault({}),
  approvals: Approvals.prefault({}),
  workspace: Workspace.prefault({}),
  logs: Logs.prefault({}),
});
export type Settings = z.infer<typeof Settings>;
