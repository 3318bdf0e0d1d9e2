// A process with a toolkit that does what it is told on standard input, one JSON list a line, and
// says what came of it; notices are lines of their own.

import { writeSync } from "node:fs";
import { createInterface } from "node:readline";
import { createToolkit } from "../../src/toolkit/index.js";

const STANDARD_OUTPUT = 1;

export async function obey([root = "", stateDir = ""]: readonly string[]): Promise<void> {
  const say = (line: string) => writeSync(STANDARD_OUTPUT, `${line}\n`);
  const toolkit = createToolkit({ root, ...(stateDir === "" ? {} : { stateDir }) });
  toolkit.on("notice", ({ message }) => say(`notice ${message}`));
  const commands: Record<string, (...args: string[]) => Promise<unknown>> = {
    async write(id = "", path = "", content = "") {
      const { isError, details } = await toolkit.invoke({
        ...{ id, name: "write", arguments: { path, content } },
      });
      return isError ? details : "written";
    },
    undo: async (id = "") => (await toolkit.undo(id)).undoId,
    changes: async () => (await toolkit.changes()).map(({ toolCallId }) => toolCallId),
    interrupted: async () => (await toolkit.interrupted()).map(({ toolCallId }) => toolCallId),
  };
  say("ready");
  for await (const line of createInterface({ input: process.stdin })) {
    // Told by the test beside this file.
    const [name = "", ...args]: string[] = JSON.parse(line);
    const answer = await commands[name]?.(...args).catch(({ reason }) => ({ reason }));
    say(`answer ${JSON.stringify(answer)}`);
  }
  await toolkit.close();
}
