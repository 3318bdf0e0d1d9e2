// What `npm start` shows until there is a server to start: every tool, whether it can run here, and
// what to try next.

import { createNodeBridge } from "../drivers/fs/index.js";
import { createClawtools } from "../toolkit/index.js";
import { countReady, formatToolTable } from "./tool-table.js";

const NEXT_STEPS = [
  "Try next",
  "  node examples/read-a-file.mjs     call a built-in tool",
  "  node examples/add-a-tool.mjs      add a tool of your own and call it",
  "  README.md                         a tour of 60 seconds",
];

export interface StartOptions {
  readonly root: string;
  readonly width: number;
  readonly version: string;
}

/** The lines to print; nothing is started. */
export function describeStart(options: StartOptions): string[] {
  const { tools } = createClawtools({ catalog: "all" });
  const { root } = options;
  const rows = tools.explain({ root, workspaceDir: root, bridge: createNodeBridge(root) });
  const ready = countReady(rows);
  return [
    `clawtools ${options.version}: ${ready} of ${rows.length} tools can run here; the others say what they wait for.`,
    "",
    ...formatToolTable({ sections: tools.listBySection(), rows, width: options.width }),
    ...NEXT_STEPS,
  ];
}
