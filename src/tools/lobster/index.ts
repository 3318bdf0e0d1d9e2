// What the model sees of `lobster`: typed workflows that stop for approval and go on later.
// Which runtime runs them is configuration, not a parameter.

import { defineBuiltIn, t } from "../../core/index.js";

const MIN_TIMEOUT_MS = 200;
const MAX_TIMEOUT_MS = 30 * 60_000;
const DEADLINE_MS = MAX_TIMEOUT_MS + 60_000;
const MIN_STDOUT_BYTES = 1024;
const MAX_STDOUT_BYTES = 16 * 1024 * 1024;

const text = (description: string) => t.optional(t.string({ description }));
const whole = (description: string, limits: { minimum?: number; maximum?: number }) =>
  t.optional(t.integer({ description, ...limits }));

const parameters = t.object({
  action: t.choice(["run", "resume"], { description: "resume answers a waiting approval." }),
  pipeline: t.optional(
    t.string({
      description: "run: stages joined by |, such as `exec ls | head -n 5`, or a workflow file.",
      minLength: 1,
    }),
  ),
  argsJson: text("run: workflow arguments, a JSON object."),
  token: text("resume: resumeToken of the waiting run."),
  approvalId: text("resume: short id instead of token."),
  approve: t.optional(t.boolean({ description: "resume: true goes on, false cancels." })),
  cwd: text("Folder to run in, relative to the workspace."),
  timeoutMs: whole("Default 20000.", { minimum: MIN_TIMEOUT_MS, maximum: MAX_TIMEOUT_MS }),
  maxStdoutBytes: whole("Output limit (default 512000).", {
    minimum: MIN_STDOUT_BYTES,
    maximum: MAX_STDOUT_BYTES,
  }),
});

export const lobster = defineBuiltIn({
  name: "lobster",
  description:
    "Run a workflow of several typed steps in one call. Answers ok with the output, cancelled, or needs_approval with a prompt and a resumeToken.",
  parameters,
  effects: { destructive: true, idempotent: false, openWorld: true },
  guidance: [
    "Use lobster for work of many fixed steps. On needs_approval show the prompt to the user, and resume with their answer; never approve by yourself.",
  ],
  deadlineMs: DEADLINE_MS,
  awaits: "the workflow runtime",
});
