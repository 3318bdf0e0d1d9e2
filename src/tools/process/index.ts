// `process`: follows and controls background commands.

import { defineBuiltIn, type ToolCall, t } from "../../core/index.js";
import { DEFAULT_LOG_LINES, type describeListed, MAX_POLL_MS, PROCESS_ACTIONS } from "./session.js";

const parameters = t.object({
  action: t.choice(PROCESS_ACTIONS, {
    description:
      "poll: new output and exit status; log: lines of the whole output; submit: data, if any, then Enter; clear: forget a finished session; remove: kill if needed, then forget.",
  }),
  sessionId: t.optional(
    t.string({ description: "From exec or list; needed for all actions but list.", minLength: 1 }),
  ),
  timeout: t.optional(
    t.number({
      description: "poll: milliseconds to wait for new output or the end; default 0.",
      minimum: 0,
      maximum: MAX_POLL_MS,
    }),
  ),
  offset: t.optional(
    t.integer({
      description: "log: first line, counted from 0; without it the last lines are shown.",
      minimum: 0,
    }),
  ),
  column: t.optional(
    t.integer({
      description: "log: first character of the line at offset, counted from 0, for a long line.",
      minimum: 0,
    }),
  ),
  limit: t.optional(
    t.integer({
      description: `log: number of lines; default ${DEFAULT_LOG_LINES}.`,
      minimum: 1,
    }),
  ),
  data: t.optional(t.string({ description: "write, submit: text for stdin, sent as it is." })),
  eof: t.optional(t.boolean({ description: "write: close stdin afterwards." })),
  keys: t.optional(
    t.array(t.string(), { description: "send-keys: key names, such as Enter, Up, C-c, M-x, F5." }),
  ),
  hex: t.optional(t.array(t.string(), { description: "send-keys: bytes in hex, such as 1b." })),
  literal: t.optional(t.string({ description: "send-keys: text typed before hex and keys." })),
  text: t.optional(t.string({ description: "paste: text." })),
  bracketed: t.optional(
    t.boolean({ description: "paste: mark it as a paste for the program; default true." }),
  ),
});

export type ProcessCall = ToolCall<typeof parameters>;

/** The fields depend on the action. */
export interface ProcessDetails {
  status: "running" | "completed" | "failed";
  error?: string;
  sessionId?: string;
  name?: string;
  exitCode?: number;
  exitSignal?: string;
  /** For list. */
  sessions?: readonly ReturnType<typeof describeListed>[];
  /** For poll: the new output. */
  aggregated?: string;
  retryInMs?: number;
  /** For log. */
  total?: number;
  totalLines?: number;
  totalChars?: number;
  offset?: number;
  column?: number;
  nextColumn?: number;
  lines?: number;
  lostLines?: number;
  truncated?: boolean;
  /** For kill: processes that could not be ended. */
  survivors?: readonly number[];
}

export const process = defineBuiltIn({
  name: "process",
  description:
    "Follow and control commands that exec left running: list them, read output, send input, end them. Only this agent's sessions are seen; finished ones are kept for a while.",
  parameters,
  effects: { destructive: true, idempotent: false, openWorld: true },
  aliases: { id: "sessionId", session: "sessionId", timeoutMs: "timeout" },
  guidance: [
    "To wait for a background command, call process poll with a timeout of up to 120000; do not poll in a tight loop or sleep in `exec`.",
    "Do not start a command again because it is still running: list shows what is there.",
  ],
  load: () => import("./execute.js"),
});
