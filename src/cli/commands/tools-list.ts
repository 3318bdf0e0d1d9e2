// `clawtools tools list`: the tools that are offered, and how many are not.

import { valueAsWritten } from "../../config/index.js";
import { toPrintable } from "../../lib/printable.js";
import { type CommandCall, printJson, printLines } from "../command-call.js";
import { withToolkit } from "../with-toolkit.js";
import { formatColumns, wrapText } from "../wrap-text.js";

const MAX_DESCRIPTION_CHARS = 1_000;

export async function run(call: CommandCall): Promise<number> {
  const { output, switches, width } = call;
  return await withToolkit(call, async ({ toolkit, config }) => {
    const tools = toolkit.tools.map(({ name, label, description }) =>
      valueAsWritten({ name, label, description }, config.written),
    );
    const absent = toolkit.explain().filter(({ status }) => status === "absent");
    if (switches.has("json")) {
      printJson(output, {
        tools,
        absent: absent.map(({ id }) => id),
      });
      return 0;
    }
    const rows = tools.map(({ name, description }): [string, string] => [
      toPrintable(name),
      toPrintable(description.replace(/\s+/g, " ").trim(), MAX_DESCRIPTION_CHARS),
    ]);
    const count = `${tools.length} of ${tools.length + absent.length} tools are offered; \`clawtools tools explain\` says why the others are not.`;
    printLines(output, [
      ...formatColumns({ rows, width }),
      ...(rows.length === 0 ? [] : [""]),
      ...wrapText(count, width),
    ]);
    return 0;
  });
}
