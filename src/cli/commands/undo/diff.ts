// `clawtools diff`: what a call changed in files, as a unified diff.

import { type Command, show } from "../../command.js";
import { JSON_FLAG } from "../../flags.js";
import { toPlainLines } from "../../terminal/plain-lines.js";
import type { Style } from "../../terminal/style.js";
import { withToolkit } from "../../with-toolkit.js";
import { chooseCall, namingRoot } from "./choose-call.js";

export const command: Command = {
  usage: "[CALL]",
  notes: ["Without CALL: the latest call that changed files in this root and is not undone."],
  flags: JSON_FLAG,
  run: async (call) =>
    await withToolkit(call, async ({ toolkit }) => {
      const { output } = call;
      const diff = await namingRoot(call, async () => {
        const id = call.words[0] ?? (await chooseCall(toolkit)).toolCallId;
        return await call.untilStopped((signal) => toolkit.diff(id, { signal }));
      });
      return show(call, diff, () =>
        toPlainLines(output, diff.text.replace(/\n$/, ""))
          .split("\n")
          .map((line) => paint(line, output.style)),
      );
    }),
};

function paint(line: string, { bold, cyan, green, red }: Style): string {
  if (/^(?:---|\+\+\+|diff) /.test(line)) return bold(line);
  if (line.startsWith("@@")) return cyan(line);
  if (line.startsWith("+")) return green(line);
  return line.startsWith("-") ? red(line) : line;
}
