// What the model sees of `llm-task`: one question to a model without tools, answered in JSON.

import { type DetailsOf, defineBuiltIn, type ToolCall, t } from "../../core/index.js";

const MAX_TIMEOUT_MS = 10 * 60_000;
const DEADLINE_MS = MAX_TIMEOUT_MS + 60_000;
const MAX_TEMPERATURE = 2;

const parameters = t.object({
  prompt: t.string({ description: "The task.", minLength: 1 }),
  input: t.optional(t.unknown({ description: "Any JSON value the task is about." })),
  schema: t.optional(t.record(t.unknown(), { description: "JSON Schema the answer must fit." })),
  provider: t.optional(t.string({ description: "Model provider (default: configured)." })),
  model: t.optional(t.string({ description: "Model id (default: configured)." })),
  authProfileId: t.optional(t.string({ description: "Id of stored credentials." })),
  temperature: t.optional(
    t.number({ description: "Sampling.", minimum: 0, maximum: MAX_TEMPERATURE }),
  ),
  maxTokens: t.optional(t.integer({ description: "Limit of the answer.", minimum: 1 })),
  timeoutMs: t.optional(
    t.integer({ description: "Default 30000.", minimum: 1, maximum: MAX_TIMEOUT_MS }),
  ),
});

const needs = ["models"] as const;

export type LlmTaskCall = ToolCall<typeof parameters, typeof needs>;

/** `details` of a result of `llm-task`. */
export type LlmTaskDetails = DetailsOf<typeof import("./execute.js").execute>;

export const llmTask = defineBuiltIn({
  name: "llm-task",
  description:
    "Ask a model one question, without tools, and get JSON back, checked against schema if given. For classifying, extracting, drafting inside a workflow.",
  parameters,
  effects: { destructive: false, idempotent: false, openWorld: true },
  guidance: [
    "Give llm-task a schema when another step reads the answer; an answer that does not fit is an error that says where.",
  ],
  deadlineMs: DEADLINE_MS,
  needs,
  load: () => import("./execute.js"),
});
