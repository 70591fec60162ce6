import { z } from "zod";

const positive = z.number().int().positive();
const share = z.number().min(0).max(1);

export const EmbedderSettings = z
  .strictObject({
    provider: z
      .enum(["builtin", "openai-compatible", "node-llama-cpp", "none"])
      .default("builtin")
      .describe(
        "builtin: on this machine, nothing to install. openai-compatible: OpenAI, Ollama or LM Studio. node-llama-cpp: a GGUF file, with that package installed. none: by words only.",
      ),
    model: z
      .string()
      .max(200)
      .nullable()
      .default(null)
      .describe("Of openai-compatible: the model. Null: text-embedding-3-small."),
    baseUrl: z
      .url({ protocol: /^https?$/ })
      .nullable()
      .default(null)
      .describe("Of openai-compatible: where the server is, such as http://127.0.0.1:11434/v1. Null: OpenAI."),
    apiKeyEnv: z
      .string()
      .max(200)
      .nullable()
      .default(null)
      .describe("Of openai-compatible: the environment variable that holds the key, if the usual one does not."),
    modelPath: z
      .string()
      .max(1_000)
      .nullable()
      .default(null)
      .describe("Of node-llama-cpp: the GGUF file, such as EmbeddingGemma."),
  })
  .describe("What turns texts into vectors, so that what is alike in meaning is found.");
export type EmbedderSettings = z.infer<typeof EmbedderSettings>;

const SearchSettings = z
  .strictObject({
    enabled: z
      .boolean()
      .default(true)
      .describe("Search the memory at all. False: only the convention files are known to the assistant."),
    ranking: z
      .enum(["learned", "weights", "rrf"])
      .default("learned")
      .describe(
        "How results are ordered. learned: the built-in re-ranker. weights: hybridWeights over pieces of chunkTokens. rrf: reciprocal rank fusion (k = 60) over the same pieces.",
      ),
    hybridWeights: z
      .strictObject({ vector: share.default(0.7), keyword: share.default(0.3) })
      .prefault({})
      .describe("Of weights: how much meaning and words count."),
    minScore: share.default(0.35).describe("Of weights: what scores less is not shown."),
    maxResults: positive.max(50).default(6).describe("Results of one search, if the call does not say."),
    chunkTokens: positive.min(20).max(4_000).default(400).describe("The most tokens of one result."),
    chunkOverlap: z
      .number()
      .int()
      .min(0)
      .max(2_000)
      .default(80)
      .describe("Of weights and rrf: tokens that neighbouring pieces share."),
  })
  .describe("Finding what was written down and said before.");

const RecallSettings = z
  .strictObject({
    enabled: z
      .boolean()
      .default(true)
      .describe(
        "Lay the few best finds for a message beside it, without being asked. Words of strangers are never among them.",
      ),
    maxTokens: positive.max(8_000).default(300).describe("The most tokens of what is laid beside one message."),
  })
  .describe("Remembering by itself.");

const TidySettings = z
  .strictObject({
    enabled: z
      .boolean()
      .default(true)
      .describe(
        "Look through the notes at night for what is there twice, contradicts itself or is out of date. What it finds is proposed to you; nothing changes without your yes. Needs a language model.",
      ),
    at: z
      .string()
      .regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, "write a time such as 03:30")
      .default("03:30")
      .describe("When, where Steward runs."),
  })
  .describe("Keeping the notes in order.");

export const MemorySettings = z
  .strictObject({
    enabled: z.boolean().default(true).describe("Keep an index of notes and conversations."),
    extraPaths: z
      .array(z.string().min(1).max(1_000))
      .default([])
      .describe(
        "Further Markdown files and folders to search, by whole paths or beside MEMORY.md. They are only read.",
      ),
    conversations: z.boolean().default(true).describe("Also find what was said in conversations."),
    embedder: EmbedderSettings.prefault({}),
    search: SearchSettings.prefault({}),
    recall: RecallSettings.prefault({}),
    tidy: TidySettings.prefault({}),
  })
  .describe("What lasts between conversations, and how it is found.");
export type MemorySettings = z.infer<typeof MemorySettings>;
