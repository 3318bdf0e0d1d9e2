// `clawtools agent`: one message to an agent, its answer as it arrives, and how the run ended.

import { ERROR_CODES } from "../../../core/index.js";
import type { RunState } from "../../../core/server.js";
import { toPrintable } from "../../../lib/printable.js";
import { type Command, type CommandCall, show } from "../../command.js";
import { CONVERSATION_FLAGS, JSON_FLAG, readWhole } from "../../flags.js";
import { readInput } from "../../read-input.js";
import { toPlainLines } from "../../terminal/plain-lines.js";
import type { RunReport, Step } from "./conversation.js";

const FROM_STDIN = "-";
const MAX_INPUT_BYTES = 4_000_000;
const MAX_ERROR_CHARS = 4_000;
const SECOND_MS = 1_000;

const EXIT_CODES = {
  done: 0,
  limit: ERROR_CODES.limit.exit,
  timed_out: ERROR_CODES.timeout.exit,
  cancelled: ERROR_CODES.aborted.exit,
  failed: ERROR_CODES.failed.exit,
  interrupted: ERROR_CODES.failed.exit,
  queued: ERROR_CODES.failed.exit,
  running: ERROR_CODES.failed.exit,
} as const satisfies Record<RunState, number>;

export const command: Command = {
  usage: "MESSAGE",
  notes: [
    "`-` reads the message from stdin. Tool calls are shown on stderr, one line each.",
    "Goes through the gateway when one uses the state folder, else runs by itself. Ctrl-C stops the run.",
  ],
  flags: {
    ...CONVERSATION_FLAGS,
    "--timeout SECONDS": "Time limit of the run (default: none).",
    ...JSON_FLAG,
  },
  sample: 'clawtools agent "What is in this folder?"',
  async run(call) {
    const [word = ""] = call.words;
    const seconds = readWhole(call, "timeout", { min: 1 });
    const timeoutMs = seconds === undefined ? undefined : seconds * SECOND_MS;
    const message = word === FROM_STDIN ? await readInput(call.input, MAX_INPUT_BYTES) : word;
    const isJson = call.switches.has("json");
    const { withConversation } = await import("./conversation.js");
    return await withConversation(call, {
      work: async (conversation) => {
        const printer = createRunPrinter(call);
        const report = await call.untilStopped((signal) =>
          conversation.send(message, {
            ...{ signal, timeoutMs },
            onStep: (step) => (isJson && step.type === "text" ? undefined : printer.step(step)),
          }),
        );
        if (isJson) show(call, report, () => []);
        else printer.end(report);
        return EXIT_CODES[report.status];
      },
    });
  },
};

export interface RunPrinter {
  step(step: Step): void;
  end(report: RunReport): void;
}

/** Text on stdout as it arrives; calls and problems on stderr, always on lines of their own. */
export function createRunPrinter({ output, width }: CommandCall): RunPrinter {
  let last = "\n";
  let hasText = false;
  const write = (text: string) => {
    if (text === "") return;
    output.write(toPlainLines(output, text));
    last = text;
    hasText = true;
  };
  const warn = (line: string) => {
    if (!last.endsWith("\n")) write("\n");
    output.warn(output.style.dim(toPrintable(line, Math.max(0, width - 2))));
  };
  return {
    step(step) {
      if (step.type === "text") write(step.delta);
      if (step.type === "call") warn(`→ ${step.name} ${JSON.stringify(step.arguments) ?? ""}`);
      if (step.type === "failed") warn(`✗ ${step.name} failed`);
      if (step.type === "retry") warn(`Retrying: ${step.message}`);
    },
    end({ status, text, error }) {
      // A message that joined another run has no events of its own.
      if (!hasText) write(text);
      if (!last.endsWith("\n")) write("\n");
      if (status === "done") return;
      if (status === "cancelled") return output.warn("Stopped. The session is kept.");
      const why = error === undefined || error === "" ? "" : `: ${error}`;
      output.warn(toPrintable(`error: The run ended as ${status}${why}`, MAX_ERROR_CHARS));
    },
  };
}
