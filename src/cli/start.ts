// What `npm start` does: the tools as an MCP server over HTTP on this machine, with the working folder
// as root, and the lines that say how to reach it.

import type { Toolkit } from "../core/index.js";
import { createNodeBridge } from "../drivers/fs/index.js";
import { toPrintable } from "../lib/printable.js";
import { createClawtools } from "../toolkit/index.js";
import type { CommandCall } from "./command-call.js";
import { CLIENTS, type HttpServer } from "./install/clients.js";
import { toCall } from "./surroundings.js";
import { countReady, formatToolTable } from "./tool-table.js";
import { openToolkit } from "./with-toolkit.js";
import { wrapText } from "./wrap-text.js";

/** Tried first, so that a client that was set up once finds it again. */
const PREFERRED_PORT = 18_788;
const ANY_PORT = 0;
const MIN_WIDTH = 24;

export interface StartOptions {
  readonly root: string;
  readonly width: number;
  readonly version: string;
}

export interface StartedServer {
  /** What to print. */
  readonly lines: readonly string[];
  /** Ends every call, and closes the toolkit. */
  close(): Promise<void>;
}

/** Throws when the config cannot be used. */
export async function startServer(options: StartOptions): Promise<StartedServer> {
  const call = toCall([], { texts: { root: options.root }, switches: new Set() });
  const { createMcpApprovals } = await import("../mcp/server/index.js");
  const approvals = createMcpApprovals();
  const { toolkit, warn, close } = await openToolkit(call, (made) => ({
    ...made,
    provider: "mcp",
    approve: approvals.approve,
  }));
  try {
    await toolkit.ready;
    warn();
    const { server, said } = await listen(call, { toolkit, approvals });
    const http = { url: server.url ?? "", token: server.token ?? "" };
    return {
      lines: [...describeTools(options), ...said, ...describeServer(http, options.width)],
      async close() {
        await server.close();
        await close();
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** A port that is taken is no reason to fail: another one is as good, and said. */
async function listen(
  { place }: CommandCall,
  made: { readonly toolkit: Toolkit; readonly approvals: McpApprovals },
) {
  const { serveMcp } = await import("../mcp/server/index.js");
  const { toolkit, approvals } = made;
  const token = place.env.CLAWTOOLS_MCP_TOKEN;
  const serve = (port: number) => serveMcp(toolkit, { approvals, http: { port, token } });
  try {
    return { server: await serve(PREFERRED_PORT), said: [] };
  } catch (error) {
    if (!isPortTaken(error)) throw error;
    const server = await serve(ANY_PORT);
    return { server, said: [`Port ${PREFERRED_PORT} is in use, so another one was taken.`, ""] };
  }
}

type McpApprovals = ReturnType<typeof import("../mcp/server/index.js")["createMcpApprovals"]>;

function isPortTaken(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return Reflect.get(error, "code") === "EADDRINUSE" || isPortTaken(error.cause);
}

/** Every tool, and what each that cannot run here waits for. */
function describeTools({ root, width: columns, version }: StartOptions): string[] {
  const width = Math.max(columns, MIN_WIDTH);
  const { tools } = createClawtools({ catalog: "all" });
  const rows = tools.explain({ root, workspaceDir: root, bridge: createNodeBridge(root) });
  const summary = `clawtools ${version}: ${countReady(rows)} of ${rows.length} tools can run here; the others say what they wait for.`;
  return [
    ...formatToolTable({ tools: tools.list(), rows, width }),
    "",
    ...wrapText(summary, width),
    ...wrapText(`Root: ${toPrintable(root, 4_096)}`, width),
    "",
  ];
}

/** What is to be copied stands on a line of its own, however long. */
function describeServer(server: HttpServer, columns: number): string[] {
  const width = Math.max(columns, MIN_WIDTH);
  return [
    `MCP server: ${server.url}`,
    `Token:      ${server.token}`,
    "",
    ...CLIENTS.flatMap(({ title, overHttp }) => {
      const { where, text } = overHttp(server);
      return [`${title}, ${where}:`, text, ""];
    }),
    ...wrapText(
      "A client can start the tools by itself instead, without this server: npx clawtools mcp install --client claude-code --write",
      width,
    ),
    "",
    "Stop it with ^C.",
  ];
}
