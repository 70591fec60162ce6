// JSON Schemas of our zod schemas, with what is used in many places kept once under components.
import { z } from "zod";
import { Event } from "../../../contract/event.ts";
import { Usage } from "../../../contract/model.ts";
import { LiveSignal } from "../../../contract/wire/live-signal.ts";
import { OpenApproval, Session, UsageRow } from "../../../contract/wire/method.ts";
import { PlannedTask, TaskRun } from "../../../contract/wire/methods/tasks.ts";
import { ToolSummary } from "../../../contract/wire/methods/tools.ts";
import { TaskEvent } from "../../../contract/wire/task-event.ts";
import { Question } from "../question.ts";
import { Task } from "../tasks/task.ts";

export const ErrorBody = z.object({ error: z.object({ code: z.string(), message: z.string() }) });

export type JsonSchema = Record<string, unknown>;

const named: Readonly<Record<string, z.ZodType>> = {
  Event,
  LiveSignal,
  TaskEvent,
  Task,
  Question,
  Session,
  OpenApproval,
  UsageRow,
  Usage,
  PlannedTask,
  TaskRun,
  ToolSummary,
  Error: ErrorBody,
};

export type JsonSchemas = ReturnType<typeof openJsonSchemas>;

export function openJsonSchemas() {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(named)) registry.add(schema, { id });
  const components = new Map<string, JsonSchema>();
  return {
    /** input: what a client may write; output: what it is answered. */
    schemaOf(schema: z.ZodType, io: "input" | "output"): JsonSchema {
      const made = z.toJSONSchema(schema, {
        io,
        target: "draft-2020-12",
        unrepresentable: "any",
        metadata: registry,
        override: ({ jsonSchema }) => {
          // an answer may say more one day, and no client should break then
          if (io === "output" && jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
        },
      });
      const { $schema: _, $defs = {}, ...own } = made;
      // what a client may leave out in a request is always there in an answer, so the two have different names
      const suffix = io === "input" ? "Input" : "";
      for (const [name, definition] of Object.entries($defs))
        components.set(`${name}${suffix}`, rewrite(definition as JsonSchema, suffix));
      return rewrite(own, suffix);
    },
    components: () => Object.fromEntries([...components].toSorted(([one], [other]) => one.localeCompare(other))),
  };
}

// zod keeps shared schemas under #/$defs of each document and notes their names; OpenAPI has one place for all
function rewrite(schema: JsonSchema, suffix: string): JsonSchema {
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([key, value]) => !(key === "id" && typeof value === "string" && Object.hasOwn(named, value)))
      .map(([key, value]) => [key, rewriteValue(key, value, suffix)]),
  );
}

function rewriteValue(key: string, value: unknown, suffix: string): unknown {
  if (key === "$ref" && typeof value === "string")
    return `${value.replace("#/$defs/", "#/components/schemas/")}${suffix}`;
  if (Array.isArray(value)) return value.map((item) => rewriteValue("", item, suffix));
  return typeof value === "object" && value !== null ? rewrite(value as JsonSchema, suffix) : value;
}
