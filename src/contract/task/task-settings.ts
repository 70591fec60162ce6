import { z } from "zod";
import { ModelName } from "../model.ts";

const positive = z.number().int().positive();

export const TaskSettings = z
  .strictObject({
    maxActive: positive.max(100_000).default(1_000).describe("Tasks that may be planned at the same time."),
    maxPerConversation: positive
      .max(100_000)
      .default(200)
      .describe("Of these, how many the assistant may make in one conversation."),
    minIntervalSeconds: positive.min(60).default(60).describe("The shortest time between two runs of a task."),
  })
  .describe("Reminders, schedules and other work that Steward does on its own.");

export const HeartbeatSettings = z
  .strictObject({
    enabled: z
      .boolean()
      .default(true)
      .describe(
        "Look around at all, with tools that read and with those that HEARTBEAT.md names between backticks. While it holds no instruction, nothing is asked and nothing costs.",
      ),
    intervalMinutes: positive.min(1).max(10_080).default(30).describe("Minutes between two looks."),
    activeHours: z
      .string()
      .regex(
        /^(?:[01]?\d|2[0-4])(?::[0-5]\d)?\s*-\s*(?:[01]?\d|2[0-4])(?::[0-5]\d)?$/,
        "write hours such as 8-21 or 22:30-6",
      )
      .default("8-21")
      .describe("From when to when, such as 8-21; 22-6 goes over midnight, 0-24 is always."),
    timeZone: z.string().nullable().default(null).describe("The time zone of these hours. Null: where Steward runs."),
    deliverTo: z
      .string()
      .max(180)
      .default("last")
      .describe("Who hears of it: last, main, none, a channel, or a conversation such as terminal--default."),
    model: ModelName.nullable()
      .default(null)
      .describe("The model that looks. Null: the cheapest known one of the provider in use."),
  })
  .describe("Looking around now and then by the instructions in HEARTBEAT.md.");
