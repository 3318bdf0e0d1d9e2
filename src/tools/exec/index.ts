// `exec`: running a command.

import { defineBuiltIn, type ProcessRun, type ToolCall, t } from "../../core/index.js";
import { readField } from "../../lib/read-field.js";
import { MAX_TIMEOUT_SECONDS, MAX_YIELD_MS } from "./limits.js";

/** For approvals and ending children. */
const DEADLINE_RESERVE_MS = 60 * 60_000;

const parameters = t.object({
  command: t.string({ description: "Shell command.", minLength: 1 }),
  workdir: t.optional(
    t.string({
      description: "Existing directory to run in; default: the workspace.",
      minLength: 1,
    }),
  ),
  env: t.optional(
    t.record(t.string(), {
      description: "Extra environment variables; risky names such as PATH and LD_* are refused.",
    }),
  ),
  yieldMs: t.optional(
    t.number({
      description:
        "Milliseconds to wait before it goes on in the background, at least 10; default 10000.",
      minimum: 0,
      maximum: MAX_YIELD_MS,
    }),
  ),
  background: t.optional(t.boolean({ description: "Go to the background at once." })),
  timeout: t.optional(
    t.number({
      description:
        "Seconds until it is killed, also in the background; default 1800, 0 = the maximum.",
      minimum: 0,
      maximum: MAX_TIMEOUT_SECONDS,
    }),
  ),
  pty: t.optional(
    t.boolean({ description: "Give it a real terminal, for programs that want one." }),
  ),
  elevated: t.optional(
    t.boolean({
      description:
        "Leave the sandbox and run on the host with full rights, where the owner allows it.",
    }),
  ),
  host: t.optional(
    t.choice(["sandbox", "gateway", "node"], {
      description: "Where to run; default as configured.",
    }),
  ),
  security: t.optional(
    t.choice(["deny", "allowlist", "full"], {
      description: "Which commands may run; can only tighten the configured mode.",
    }),
  ),
  ask: t.optional(
    t.choice(["off", "on-miss", "always"], {
      description: "When to ask for approval; can only tighten the configured mode.",
    }),
  ),
  node: t.optional(t.string({ description: "Node id or name, for host node." })),
});

export type ExecCall = ToolCall<typeof parameters>;

export type ExecDetails = ExecRunning | ExecEnded;

interface ExecRunning {
  status: "running";
  sessionId: string;
  pid: number;
  startedAt: number;
  cwd: string;
  host: string;
  tail: string;
}

interface ExecEnded {
  status: "completed" | "failed";
  /** null when a signal ended it. */
  exitCode: number | null;
  exitSignal?: string;
  failureKind?: string;
  exitReason?: string;
  timedOut?: boolean;
  durationMs: number;
  aggregated: string;
  cwd: string;
  host: string;
  containment: ProcessRun["containment"];
  survivors?: readonly number[];
  truncated: boolean;
  omittedChars?: number;
  totalChars?: number;
  totalLines?: number;
  lostBytes?: number;
  /** For `process log`. */
  sessionId?: string;
}

export const exec = defineBuiltIn({
  name: "exec",
  description:
    "Run a shell command. Returns its output and exit code; an exit code other than 0 is an answer, not a failure of the tool. A command that runs longer than yieldMs goes on in the background and gives a sessionId for process (without process it is waited for). Long output keeps its start and end and says where the rest is.",
  parameters,
  effects: { destructive: true, idempotent: false, openWorld: true },
  aliases: {
    cmd: "command",
    cwd: "workdir",
    dir: "workdir",
    directory: "workdir",
    workingDirectory: "workdir",
    working_directory: "workdir",
    timeoutSeconds: "timeout",
    run_in_background: "background",
    is_background: "background",
  },
  unsent: ({ config }) => [
    ...["node", "host=node"],
    ...(readField(readField(config, "tools"), "elevated") === undefined ? ["elevated"] : []),
  ],
  alsoKnownAs: ["bash"],
  deadlineMs: MAX_TIMEOUT_SECONDS * 1000 + DEADLINE_RESERVE_MS,
  guidance: [
    "Work on files with `read`, `write` and `edit` rather than with cat, sed or echo in exec.",
    "Start servers and watchers with background: true, then follow them with `process`.",
    "Set pty: true for programs that need a terminal, such as editors, REPLs and login prompts.",
    "When a command is denied or waits for approval, tell the user; do not look for a way around it.",
  ],
  load: () => import("./execute.js"),
});
