// `clawtools approvals watch`: asks each pending question here.

import type { Readable } from "node:stream";
import { isToolError } from "../../../core/index.js";
import {
  describeOutcome,
  type ListedRequest,
  registerApprover,
} from "../../../drivers/approvals/index.js";
import { toPrintable } from "../../../lib/printable.js";
import type { Command, Terminal } from "../../command.js";
import { UsageError } from "../../failure.js";
import { askPerson } from "./ask-person.js";
import { pause } from "./line-reader.js";
import { type ApprovalsUse, withApprovals } from "./with-approvals.js";

const LOOK_MS = 200;
/** Long enough to see whether a pipe or file is already at its end. */
const SETTLE_MS = 200;
const NAME = "clawtools approvals watch";

export const command: Command = {
  notes: [
    "While it runs, agents of this user with the same state folder wait for your answer instead of being refused.",
  ],
  run: async (call) =>
    await call.untilStopped(async (signal) => {
      const terminal = await call.openTerminal();
      try {
        const ended = watchInput(call.input);
        if (!call.isInteractive) await pause(SETTLE_MS, AbortSignal.any([signal, ended]));
        const asked = ended.aborted
          ? 0
          : await withApprovals(call, (use) => ask(use, { terminal, signal, ended }));
        if (asked === 0 && ended.aborted && !call.isInteractive) throw nobodyThere();
      } finally {
        terminal.close();
      }
      return 0;
    }),
};

/** Resolves to the number of questions that were asked. */
async function ask(use: ApprovalsUse, watching: Watching): Promise<number> {
  const registration = await registerApprover(NAME, use);
  watching.terminal.write("Waiting for commands that need approval. Press Ctrl-C to stop.");
  try {
    return await watch(use, watching);
  } finally {
    await registration.close();
  }
}

function watchInput(input: Readable): AbortSignal {
  const end = new AbortController();
  if (input.readableEnded || input.destroyed) end.abort();
  for (const event of ["end", "error", "close"]) input.once(event, () => end.abort());
  return end.signal;
}

function nobodyThere(): UsageError {
  return new UsageError(
    "No terminal to ask in: the input has ended. Run `clawtools approvals watch` in a terminal, or answer with `clawtools approvals list` and `clawtools approvals approve REQUEST`.",
  );
}

interface Watching {
  readonly terminal: Terminal;
  readonly signal: AbortSignal;
  readonly ended: AbortSignal;
}

async function watch(use: ApprovalsUse, { terminal, signal, ended }: Watching): Promise<number> {
  const asked = new Set<string>();
  while (!signal.aborted) {
    const next = (await use.table.list()).find(
      ({ question, isAbandoned }) => !isAbandoned && !asked.has(question.id),
    );
    if (next === undefined) {
      if (ended.aborted) break;
      await pause(LOOK_MS, signal);
      continue;
    }
    asked.add(next.question.id);
    const hasInput = await answer(next, { use, terminal, signal });
    if (!hasInput) break;
  }
  return asked.size;
}

/** False at the end of the input; then nothing was answered. */
async function answer(
  { question }: ListedRequest,
  { use, terminal, signal }: Omit<Watching, "ended"> & { readonly use: ApprovalsUse },
): Promise<boolean> {
  const resolved = new AbortController();
  const stop = watchForEnd(question.id, { use, resolved });
  const both = AbortSignal.any([signal, resolved.signal]);
  let hasEnded = false;
  const readLine = async (until: AbortSignal) => {
    const line = await terminal.readLine(until);
    hasEnded = line === undefined;
    return line;
  };
  try {
    const given = await askPerson(question, { terminal: { ...terminal, readLine }, signal: both });
    if (hasEnded) return false;
    await use.table.answer({ name: question.id, ...given, by: use.by });
    terminal.write(`Request ${question.slug}: ${given.decision}.`);
  } catch (error) {
    if (signal.aborted) return true;
    if (!both.aborted && !isToolError(error)) throw error;
    const end = describeOutcome(await use.table.read(question.id));
    const why = isToolError(error) ? error.message : `Request ${question.slug} ${end}.`;
    terminal.write(toPrintable(why));
  } finally {
    stop();
  }
  return true;
}

/** Another approver may answer first, or the agent may cancel. */
function watchForEnd(
  id: string,
  { use, resolved }: { readonly use: ApprovalsUse; readonly resolved: AbortController },
): () => void {
  let takeBack: (() => void) | undefined;
  let isOver = false;
  const look = async () => {
    const row = await use.table.read(id).catch(() => undefined);
    if (isOver) return;
    const isOpen = row?.state === "pending" && row.question.expiresAtMs > use.clock.now();
    if (isOpen) takeBack = use.clock.after(LOOK_MS, look);
    else resolved.abort();
  };
  takeBack = use.clock.after(LOOK_MS, look);
  return () => {
    isOver = true;
    takeBack?.();
  };
}
