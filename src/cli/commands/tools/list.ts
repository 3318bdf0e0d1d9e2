// `clawtools tools list`: the tools that are offered, one line each.

import { toPrintable } from "../../../lib/printable.js";
import { type Command, show } from "../../command.js";
import { AUDIENCE_FLAGS } from "../../flags.js";
import { cutLine, wrapText } from "../../terminal/wrap-text.js";
import { withToolkit } from "../../with-toolkit.js";

export const command: Command = {
  notes: ["`clawtools tools explain` gives the reason for each tool that is not offered."],
  flags: AUDIENCE_FLAGS,
  run: async (call) =>
    await withToolkit(call, async ({ toolkit, asWritten }) => {
      const { style } = call.output;
      const tools = toolkit.tools.map(({ name, label, description }) =>
        asWritten({ name, label, description }),
      );
      const absent = toolkit.explain().flatMap(({ status, id }) => (status === "absent" ? id : []));
      return show(call, { tools, absent }, () => {
        const names = tools.map(({ name }) => toPrintable(name));
        const nameWidth = Math.max(0, ...names.map((name) => name.length));
        const rows = tools.map(({ description }, index) => {
          const name = style.cyan((names[index] ?? "").padEnd(nameWidth));
          return `  ${name}  ${cutLine(firstSentence(toPrintable(description, 1_000)), call.width - nameWidth - 4)}`;
        });
        const all = tools.length + absent.length;
        const count = `${tools.length} of ${all} tools are offered. \`clawtools tools explain\` says why the others are not.`;
        return [...rows, ...(rows.length === 0 ? [] : [""]), ...wrapText(count, call.width)];
      });
    }),
};

function firstSentence(text: string): string {
  return /^.*?[.](?= |$)/s.exec(text)?.[0] ?? text;
}
