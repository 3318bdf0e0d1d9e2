// Calls the tool in the command that keeps a browser open, else in a toolkit of its own.

import { randomBytes } from "node:crypto";
import { ToolError, type Toolkit } from "../../../core/index.js";
import { toPrintable } from "../../../lib/printable.js";
import { readText } from "../../../lib/read-field.js";
import type { CommandCall } from "../../command.js";
import { inOwnWords } from "../../own-command.js";
import { withAdaptedToolkit } from "../../with-toolkit.js";
import { allowLocal } from "./allow-local.js";
import { askDaemon } from "./daemon/ask.js";
import { type DaemonAnswer, socketPath } from "./daemon/message.js";
import { serveDaemon } from "./daemon/serve.js";
import { readParameters, type ToolArguments } from "./parameters.js";
import { type Printing, printAnswer } from "./print-answer.js";

const ID_BYTES = 4;
const TOOL = "browser";
const KEPT_OPEN =
  "The browser stays open until Ctrl+C, or `clawtools browser stop`. In another terminal: `clawtools browser snapshot`.";

interface OneCall extends Printing {
  readonly given: ToolArguments;
  readonly isOwn?: boolean;
}

export async function callOnce(
  call: CommandCall,
  { given, isOwn = false, ...printing }: OneCall,
): Promise<number> {
  const answered = await askDaemon(call, { call: given });
  if (answered !== undefined) return printAnswer(call, answered, printing);
  if (!isOwn) throw notOpen();
  return await withOwn(call, async (ask) => printAnswer(call, await ask(given), printing));
}

/** `open` and `start`: a browser that lives as long as the command, for the other commands to use. */
export async function keepOpen(call: CommandCall, given: ToolArguments): Promise<number> {
  const answered = await askDaemon(call, { call: given });
  if (answered !== undefined) return printAnswer(call, answered);
  return await withOwn(call, async (ask, toolkit) => {
    const opened = await ask(given);
    const exitCode = printAnswer(call, opened);
    if (opened.isError) return exitCode;
    await call.untilStopped((signal) =>
      serveDaemon({
        path: socketPath(call),
        signal,
        onOpen: () => call.output.warn(inOwnWords(KEPT_OPEN, call.ownCommand)),
        answer: (asked, gone) =>
          callTool(toolkit, { given: asked, signal: AbortSignal.any([signal, gone]) }),
      }),
    );
    return 0;
  });
}

type AskTool = (given: ToolArguments) => Promise<DaemonAnswer>;

/** Opens a page for one command; without `url`, uses the one that is kept open. */
export async function withPage(
  call: CommandCall,
  work: (ask: AskTool, given: ToolArguments) => Promise<number>,
): Promise<number> {
  const { url } = call.texts;
  const given = readParameters(call);
  const ask: AskTool = async (asked) => {
    const answer = await askDaemon(call, { call: asked });
    if (answer === undefined) throw notOpen();
    return answer;
  };
  if (url === undefined) return await work(ask, given);
  const { profile, timeoutMs, targetId: _tab, ...view } = given;
  const place = { profile, timeoutMs };
  const opening = { action: "open", targetUrl: url, ...place };
  const answered = await askDaemon(call, { call: opening });
  if (answered === undefined) {
    return await withOwn(call, async (own) => {
      const opened = await own(opening);
      return opened.isError ? printAnswer(call, opened) : await work(own, { ...view, ...place });
    });
  }
  if (answered.isError) return printAnswer(call, answered);
  const targetId = readText(answered.details, "targetId");
  try {
    return await work(ask, { ...view, ...place, targetId });
  } finally {
    await ask({ action: "close", ...place, targetId });
  }
}

export async function withOwn<T>(
  call: CommandCall,
  work: (ask: AskTool, toolkit: Toolkit) => Promise<T>,
): Promise<T> {
  return await withAdaptedToolkit(call, {
    adapt: (options) => allowLocal(call, options),
    work: async ({ toolkit }) => {
      toolkit.on("notice", ({ message }) => call.output.warn(toPrintable(message)));
      return await work(
        (given) => call.untilStopped((signal) => callTool(toolkit, { given, signal })),
        toolkit,
      );
    },
  });
}

async function callTool(
  toolkit: Toolkit,
  { given, signal }: { readonly given: ToolArguments; readonly signal: AbortSignal },
): Promise<DaemonAnswer> {
  const id = `cli_${randomBytes(ID_BYTES).toString("hex")}`;
  const asked = Object.fromEntries(
    Object.entries(given).filter(([, value]) => value !== undefined),
  );
  const request = { id, name: TOOL, arguments: asked, entryPoint: "cli", signal } as const;
  const { content, details, isError = false } = await toolkit.invoke(request);
  return { content, details, isError };
}

function notOpen(): ToolError {
  const message =
    "No browser is kept open. Open one with `clawtools browser open URL` in another terminal; snapshot, screenshot, text and pdf also take --url.";
  return new ToolError("unavailable", message, { reason: "browser_not_open" });
}
