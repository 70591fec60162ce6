import { z } from "zod";
import { ChannelSettings } from "./channel/channel-settings.ts";
import { MemorySettings } from "./memory/memory-settings.ts";
import { ModelName, ThinkingLevel } from "./model.ts";
import { HeartbeatSettings, TaskSettings } from "./task/task-settings.ts";

// the shell rules' own example, which suits most people who let an assistant work on files
const exampleCommands =
  "ls cat head tail grep rg find sort uniq wc cut tr sed awk jq node npm npx git mkdir cp mv rm touch echo printf date diff tar unzip curl python3 test [ true".split(
    " ",
  );

const positive = z.number().int().positive();
const webAddress = z.url({ protocol: /^https?$/ });
const list = (byDefault: readonly string[] = []) => z.array(z.string()).default([...byDefault]);
const flag = (byDefault: boolean, description: string) => z.boolean().default(byDefault).describe(description);
const tokenPrice = (description: string) => z.number().nonnegative().describe(description);
const dollars = (description: string) => z.number().positive().nullable().default(null).describe(description);
const section = <Shape extends z.ZodRawShape>(description: string, shape: Shape) =>
  z.strictObject(shape).describe(description);

const Provider = section("A place where models are served.", {
  kind: z
    .enum(["anthropic", "openai", "openai-compatible"])
    .describe("The wire protocol: Anthropic Messages, OpenAI Responses, or OpenAI-compatible chat completions."),
  baseUrl: z.url().optional().describe("Where the server is, such as http://127.0.0.1:11434/v1."),
  apiKeyEnv: z.string().optional().describe("The environment variable that holds the key, if the usual one does not."),
  contextTokens: positive.optional().describe("How many tokens its models can read, if not the usual number."),
  maxOutputTokens: positive.optional().describe("How many tokens its models may write in one step."),
});

const Price = section("What a model costs.", {
  input: tokenPrice("US dollars for a million tokens read."),
  output: tokenPrice("US dollars for a million tokens written."),
  cacheRead: tokenPrice("US dollars for a million tokens read from the cache.").optional(),
  cacheWrite: tokenPrice("US dollars for a million tokens written to the cache.").optional(),
});

const Agent = section("The assistant and the models behind it.", {
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
  default: z
    .string()
    .regex(/^[a-z0-9][a-z0-9-]{0,39}$/)
    .default("main")
    .describe("Who speaks in a conversation that has chosen no agent: main, or the name of a file in agents/."),
  maxSteps: positive.max(1000).default(50).describe("Model calls in one turn before it is ended."),
  maxRepeats: positive
    .min(2)
    .max(50)
    .default(3)
    .describe("How often the same call may return the same result before the turn is ended."),
  maxOutputTokens: positive.default(8192).describe("Tokens the model may write in one step."),
});

const Models = section("Where models are found.", {
  providers: z
    .record(z.string().regex(/^[a-z0-9-]+$/), Provider)
    .default({})
    .describe("Model servers by name, beside the built-in anthropic, openai and openrouter."),
  prices: z
    .record(z.string(), Price)
    .default({})
    .describe("Prices by provider/model, where the built-in ones are missing or old."),
  probeLocal: flag(true, "Look for Ollama, LM Studio and llama.cpp on this machine's usual ports."),
  maxAttempts: positive.max(10).default(4).describe("Tries of one model before the next one is asked."),
  timeoutSeconds: positive.default(600).describe("Longest wait for one answer."),
  idleTimeoutSeconds: positive.default(120).describe("Longest silence inside an answer."),
});

const Session = section("How much of a conversation the model sees.", {
  maxHistoryMessages: positive
    .min(4)
    .default(100)
    .describe("Messages of a conversation that the model sees before older ones are summarised."),
  compactionEnabled: flag(true, "Summarise older messages; false: leave them out without a summary."),
});

const Queue = section("What happens when messages come faster than answers.", {
  maxWaiting: positive
    .default(20)
    .describe("Messages that may wait in one conversation; the next one gets a limit-reached reply."),
  concurrency: positive.max(1000).default(16).describe("Conversations worked on side by side."),
  whenBusy: z
    .enum(["steer", "wait"])
    .default("steer")
    .describe("A message during a turn joins it at the next step, or waits for its end."),
});

const Approvals = section("Questions to the owner before something is done.", {
  expireAfterHours: z
    .number()
    .positive()
    .max(8760)
    .default(72)
    .describe("An approval that nobody answers counts as denied after this time."),
  backgroundExpireAfterHours: z
    .number()
    .positive()
    .max(8760)
    .default(2160)
    .describe("The same for what tasks and the heartbeat ask while nobody sits before them."),
});

const Workspace = section("The folder the agent works in.", {
  path: z.string().nullable().default(null).describe("The agent's folder. Null: workspace/ in the Steward folder."),
});

const Data = section("The folder of the database, the transcripts and whatever else is kept.", {
  path: z
    .string()
    .nullable()
    .default(null)
    .describe("A whole path. Null: data/ in the Steward folder. What lies there already is not moved by itself."),
});

const Guard = section("What runs at once, what asks, and what never runs.", {
  mode: z
    .enum(["ask", "auto", "deny"])
    .default("ask")
    .describe(
      "ask: reading runs, everything else asks. auto: reading and changes in the workspace run, the rest asks. deny: only reading runs.",
    ),
  allowedCommands: list(exampleCommands).describe(
    "Programs that shell commands may use without asking, if the shell rules find nothing else to object to.",
  ),
  askedCommands: list().describe(
    "Programs of that list that are asked about each time all the same, such as rm, curl or chmod.",
  ),
  allowedHosts: list().describe("Hosts that curl may fetch from without asking."),
  trustedDestinations: list().describe(
    "Addresses, URLs and recipients that may be sent to although the owner did not name them in the conversation.",
  ),
  vouchedFor: list().describe(
    "Files and folders of the workspace whose words are your own. What others may have written counts as untrusted text once it is read; . is everything.",
  ),
  freeBits: z
    .strictObject({
      perTurn: z
        .number()
        .min(0)
        .max(1e6)
        .default(64)
        .describe("In one turn; 8 bits are about a letter, 0 always asks."),
      perConversation: z
        .number()
        .min(0)
        .max(1e6)
        .default(256)
        .describe("In one conversation, all turns together; of tasks, in one day."),
    })
    .prefault({})
    .describe(
      "What others may learn at most, in bits, from links and searches chosen without asking once a conversation holds untrusted text.",
    ),
  tools: z
    .record(z.string().max(100), z.enum(["allow", "ask", "deny"]))
    .default({})
    .describe(
      "A policy for single tools, by name. allow: runs without asking unless a rule about its target objects. ask: always asks. deny: never runs.",
    ),
});

const Safety = section("Switches that should stay on; whoever turns one off is told so at every start.", {
  auditLog: flag(true, "Write what happens in conversations to the audit log, whose lines vouch for each other."),
  secretsFilter: flag(
    true,
    "Mask whatever looks like a secret in what is shown, sent and kept. False: only the keys that Steward itself holds.",
  ),
});

const Tools = section("How long tools may take and how much they may say.", {
  timeoutSeconds: positive
    .max(86_400)
    .default(600)
    .describe("Longest time of one call. Many tools have a shorter limit of their own."),
  bashTimeoutSeconds: positive
    .max(3_600)
    .default(120)
    .describe("Longest time of a bash command; exec may take longer."),
  maxOutputCharacters: positive
    .min(1_000)
    .max(100_000)
    .default(60_000)
    .describe("What the model is shown of one output; the middle of a longer one is kept, and read_output shows it."),
});

const Sandbox = section("The sandbox in which commands run.", {
  kind: z
    .enum(["auto", "bwrap", "podman", "docker", "apple-container", "none"])
    .default("auto")
    .describe("What commands run in. auto: bwrap, or no commands at all. none: no sandbox, on your own risk."),
  image: z.string().default("").describe("The image for podman, docker or apple-container."),
  runtime: z.string().nullable().default(null).describe("The container runtime, such as runsc; null: the usual one."),
  cpus: z.number().positive().default(2).describe("Processors that a container may use."),
  readDirs: list().describe("Further folders that file tools and commands may read, with all that is in them."),
  writeDirs: list().describe("Further folders that file tools and commands may change."),
  allowedHosts: list().describe("Hosts that commands may reach, such as pypi.org or *.example.org. Empty: no network."),
  credentials: z
    .record(z.string(), z.strictObject({ header: z.string(), valueEnv: z.string() }))
    .default({})
    .describe(
      "Headers that are added outside the sandbox to plain HTTP requests, by host; the value is read from an environment variable.",
    ),
  memoryMb: positive.default(2048).describe("Memory that a command may use."),
  processes: positive.default(256).describe("Processes that a command may start."),
});

export const SearchSettings = section("Web search.", {
  provider: z
    .enum(["searxng", "brave", "tavily"])
    .nullable()
    .default(null)
    .describe("Who answers web_search: your own SearXNG, or Brave or Tavily with a key. Null: no web search."),
  url: webAddress
    .nullable()
    .default(null)
    .describe("Where SearXNG is, such as http://127.0.0.1:8888. Brave and Tavily have a usual place."),
  allowPrivateAddress: flag(
    false,
    "The url may be on this machine or in its own network, as a SearXNG of your own mostly is.",
  ),
});

const Budgets = section("What may be spent; reserved before each call.", {
  perDayUsd: dollars("US dollars that models may cost in a day; null: no limit."),
  perConversationUsd: dollars("US dollars that one conversation may cost; null: no limit."),
  perTurnUsd: dollars("US dollars that one turn or task may cost; null: no limit."),
});

const Gateway = section("The web page and the interfaces for other programs.", {
  enabled: flag(true, "Serve the web page and the HTTP and WebSocket interfaces."),
  host: z
    .string()
    .min(1)
    .default("127.0.0.1")
    .describe("The address to listen on. Anything but 127.0.0.1 lets other machines connect."),
  port: z.number().int().min(0).max(65_535).default(18_789).describe("The port to listen on; 0: any free one."),
  publicUrl: webAddress
    .nullable()
    .default(null)
    .describe("How browsers reach it when a proxy stands before it, such as https://steward.example.org."),
  allowedHosts: list().describe("Further names by which browsers may call it, such as steward.lan."),
  trustedProxies: list().describe("Addresses of proxies whose X-Forwarded headers are believed. Empty: nobody's."),
});

const Logs = section("Log files.", {
  level: z.enum(["debug", "info", "warn", "error"]).default("info").describe("What is written to the log files."),
  keepDays: positive.default(30).describe("Log files older than this are removed."),
});

/** The whole of config.json. Every key has a default that suits most people. */
export const Settings = z.strictObject({
  agent: Agent.prefault({}),
  models: Models.prefault({}),
  session: Session.prefault({}),
  queue: Queue.prefault({}),
  approvals: Approvals.prefault({}),
  guard: Guard.prefault({}),
  safety: Safety.prefault({}),
  tools: Tools.prefault({}),
  sandbox: Sandbox.prefault({}),
  search: SearchSettings.prefault({}),
  budgets: Budgets.prefault({}),
  tasks: TaskSettings.prefault({}),
  heartbeat: HeartbeatSettings.prefault({}),
  memory: MemorySettings.prefault({}),
  channels: ChannelSettings,
  workspace: Workspace.prefault({}),
  data: Data.prefault({}),
  gateway: Gateway.prefault({}),
  logs: Logs.prefault({}),
});
export type Settings = z.infer<typeof Settings>;
