// What `npm start` shows until there is a server to start: every tool, whether it can run here, and
// what to try next.

import { createNodeBridge } from "../drivers/fs/index.js";
import { createClawtools } from "../toolkit/index.js";
import { countReady, formatToolTable } from "./tool-table.js";
import { wrapText } from "./wrap-text.js";

const NEXT_STEPS = [
  { command: "node examples/read-a-file.mjs", text: "call a built-in tool" },
  { command: "node examples/add-a-tool.mjs", text: "add a tool of your own and call it" },
  { command: "node examples/toolkit.mjs", text: "a whole set of tools under a policy" },
  { command: "npx clawtools tools explain", text: "why each tool is there or not" },
];
const COMMAND_WIDTH = 34;
const MIN_WIDTH = 24;

export interface StartOptions {
  readonly root: string;
  readonly width: number;
  readonly version: string;
}

/** The lines to print; nothing is started. */
export function describeStart({ root, width: columns, version }: StartOptions): string[] {
  const width = Math.max(columns, MIN_WIDTH);
  const { tools } = createClawtools({ catalog: "all" });
  const rows = tools.explain({ root, workspaceDir: root, bridge: createNodeBridge(root) });
  const summary = `clawtools ${version}: ${countReady(rows)} of ${rows.length} tools can run here; the others say what they wait for. Try next:`;
  return [
    ...formatToolTable({ tools: tools.list(), rows, width }),
    "",
    ...wrapText(summary, width),
    ...NEXT_STEPS.flatMap((step) => formatStep(step, width)),
  ];
}

function formatStep({ command, text }: { command: string; text: string }, width: number): string[] {
  const line = `  ${command.padEnd(COMMAND_WIDTH)}${text}`;
  return line.length <= width ? [line] : [`  ${command}`, `    ${text}`];
}
