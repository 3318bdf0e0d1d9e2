// `open` and `start`: a browser that lives as long as the command, for the other commands to use.

import type { CommandCall } from "../../command.js";
import { inOwnWords } from "../../own-command.js";
import { askDaemon } from "./daemon/ask.js";
import { socketPath } from "./daemon/message.js";
import { serveDaemon } from "./daemon/serve.js";
import type { ToolArguments } from "./parameters.js";
import { printAnswer } from "./print-answer.js";
import { callTool, withOwn } from "./with-caller.js";

const HINT =
  "The browser stays open until Ctrl+C, or `clawtools browser stop`. In another terminal: `clawtools browser snapshot`.";

export async function keepOpen(call: CommandCall, given: ToolArguments): Promise<number> {
  const answered = await askDaemon(call, { call: given });
  if (answered !== undefined) return printAnswer(call, answered);
  return await withOwn(call, async (ask, toolkit) => {
    const opened = await ask(given);
    const exitCode = printAnswer(call, opened);
    const path = socketPath(call);
    if (opened.isError || path === undefined) return exitCode;
    await call.untilStopped((signal) =>
      serveDaemon({
        path,
        signal,
        onOpen: () => call.output.warn(inOwnWords(HINT, call.ownCommand)),
        answer: (asked, gone) =>
          callTool(toolkit, { given: asked, signal: AbortSignal.any([signal, gone]) }),
      }),
    );
    return 0;
  });
}
