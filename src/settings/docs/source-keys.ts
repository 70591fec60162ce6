// The settings of the documents that Steward was made from, and where each of them is here. Printed at the end of docs/settings.md.

type SourceKey = readonly [theirs: string, here: string];
type SourceDocument = { name: string; keys: readonly SourceKey[] };

const later = (capability: string) => `comes with ${capability}`;
const variable = (name: string) => `the variable ${name}`;

export const sourceDocuments: readonly SourceDocument[] = [
  {
    name: "Personal assistant (settings.json)",
    keys: [
      ["security.allowedCommands", "`guard.allowedCommands`"],
      [
        "security.commandsNeedingExtraValidation",
        "`guard.askedCommands`; every command is judged with its options and paths in any case",
      ],
      ["security.workspace", "`workspace.path`"],
      ["security.dataDir", "`data.path`"],
      ["security.additionalReadDirs", "`sandbox.readDirs`"],
      ["security.additionalWriteDirs", "`sandbox.writeDirs`"],
      ["adapters.telegram.enabled", "`channels.telegram.enabled`"],
      ["adapters.telegram.botToken", `${variable("`TELEGRAM_BOT_TOKEN`")}, or a token given on the page Channels`],
      ["adapters.telegram.allowedUserIds", "`channels.telegram.allowedUserIds`, and whoever brings a pairing code"],
      ["adapters.telegram.mode", "`channels.telegram.mode`"],
      ["adapters.slack.enabled", "`channels.slack.enabled`"],
      [
        "adapters.slack.botToken, appToken",
        `${variable("`SLACK_BOT_TOKEN`")} and \`SLACK_APP_TOKEN\`, or tokens given on the page Channels`,
      ],
      ["adapters.slack.socketMode", "none: always in socket mode"],
      ["heartbeat.enabled", "`heartbeat.enabled`"],
      ["heartbeat.intervalMinutes", "`heartbeat.intervalMinutes`"],
      ["heartbeat.activeHours", "`heartbeat.activeHours`"],
      ["heartbeat.deliverTo", "`heartbeat.deliverTo`"],
      ["gateway.maxQueueSize", "`queue.maxWaiting`"],
      ["agent.model", "`agent.model`"],
      ["agent.maxTurns", "`agent.maxSteps`"],
      ["session.maxHistoryMessages", "`session.maxHistoryMessages`"],
      ["session.compactionEnabled", "`session.compactionEnabled`"],
      [
        "memory.search.*",
        "`memory.search.enabled`, `memory.search.hybridWeights`, `memory.search.minScore`, `memory.search.maxResults`, `memory.search.chunkTokens`, `memory.search.chunkOverlap`; the weights hold with `memory.search.ranking` set to `weights`",
      ],
      ["memory.extraPaths", "`memory.extraPaths`"],
      ["mcpServers", later("MCP servers")],
    ],
  },
  {
    name: "Jeeves",
    keys: [
      ["ANTHROPIC_API_KEY", `${variable("of the same name")}, or a key stored on the setup page`],
      ["workspace .env", "the file .env in the workspace; it overrides nothing and sets no settings"],
      ["timeout of bash", "`tools.bashTimeoutSeconds`"],
      ["interval and active hours of the heartbeat", "`heartbeat.intervalMinutes`, `heartbeat.activeHours`"],
      ["20,000 characters of a convention file", "none: fixed, and the same number"],
      ["log level", "`logs.level`"],
      ["cron/jobs.json", "none: tasks lie in the event log; `steward tasks` shows and changes them"],
      ["Telegram token and allowed users", "`TELEGRAM_BOT_TOKEN` and `channels.telegram.allowedUserIds`"],
    ],
  },
  {
    name: "Code mode and durable tasks",
    keys: [
      ["tool sources: mcp", later("MCP servers")],
      ["tool sources: openapi", later("code mode")],
      ["credentials of a source", "environment variables; headers for commands are `sandbox.credentials`"],
      ["timeout of a run of code", later("code mode")],
      ["approval of a tool: required or auto", "`guard.tools` for single tools, `guard.mode` for the rest"],
      ["interval of a recurring task", "`tasks.minIntervalSeconds` is the shortest; each task has its own"],
    ],
  },
  {
    name: "Jarvis (config.json)",
    keys: [
      ["gateway.port, PROJ_JARVIS_PORT", "`gateway.port`"],
      ["gateway.host, PROJ_JARVIS_HOST", "`gateway.host`"],
      ["PROJ_JARVIS_TOKEN", `${variable("`STEWARD_GATEWAY_TOKEN`")}, or tokens made by \`steward token create\``],
      ["agents.default", "`agent.default`"],
      ["agents.workspacePath", "`workspace.path`"],
      ["tools.timeout", "`tools.timeoutSeconds`"],
      ["tools.maxOutputBytes", "`tools.maxOutputCharacters`"],
      ["memory.enabled", "`memory.enabled`"],
      ["memory.embeddingModel", "`memory.embedder.model`, with `memory.embedder.provider` set to `openai-compatible`"],
      ["security.auditLog", "`safety.auditLog`"],
      ["security.secretsFilter", "`safety.secretsFilter`"],
      ["ANTHROPIC_API_KEY, OPENAI_API_KEY", `${variable("of the same name")}, or a key stored on the setup page`],
      ["reloading of the configuration", "none: changes are applied on the settings page, or with a restart"],
    ],
  },
  {
    name: "NanoClaw (src/config.ts and .env)",
    keys: [
      ["ASSISTANT_NAME", "`agent.name`"],
      [
        "TRIGGER_PATTERN",
        "none: each group has a trigger of its own: `steward groups change`, or the page Channels; usually @ and `agent.name`",
      ],
      ["NANOCLAW_DEFAULT_MODEL, PI_DEFAULT_MODEL", "`agent.model`"],
      [
        "ANTHROPIC_API_KEY, OPENAI_API_KEY, GOOGLE_API_KEY",
        "`models.providers.<name>.apiKeyEnv`, or the usual variables",
      ],
      ["CONTAINER_IMAGE", "`sandbox.image`"],
      ["CONTAINER_TIMEOUT", "`tools.bashTimeoutSeconds`, and `tools.timeoutSeconds` for other tools"],
      ["POLL_INTERVAL, IPC_POLL_INTERVAL", "none: nothing is polled; one process follows one log"],
      ["SCHEDULER_POLL_INTERVAL", "none: nothing is polled; Steward wakes when the next task is due"],
      ["STORE_DIR, DATA_DIR", "`data.path`"],
      ["GROUPS_DIR", "none: groups/ in the Steward folder"],
      [
        "containerConfig.additionalMounts",
        "`sandbox.readDirs` and `sandbox.writeDirs` for your own; each group has its own on the page Channels",
      ],
      ["containerConfig.timeout", "none: each group has a timeout of its own, 1,800 seconds"],
      ["TELEGRAM_BOT_TOKEN", variable("of the same name")],
      ["registered_groups.json", "none: groups lie in the event log; `steward groups` shows and changes them"],
      ["{{PROJECT_ROOT}}, {{NODE_PATH}}, {{HOME}} of the service file", "none: nothing is to be filled in by hand"],
    ],
  },
];

export function sourceKeysSection(): string {
  const tables = sourceDocuments.map(({ name, keys }) =>
    [`### ${name}`, "", "| there | here |", "| --- | --- |", ...keys.map(formatRow)].join("\n"),
  );
  return [introduction, ...tables].join("\n\n");
}

const introduction = `## Keys of the source documents

Steward was made from five documents, each with settings of its own. This is where each of them is here.`;

function formatRow([theirs, here]: SourceKey): string {
  return `| ${theirs} | ${here} |`;
}
