// What `npm start` does: the tools as an MCP server over HTTP on this machine, with the working folder
// as root, and the lines that say how to reach it.

import { fileURLToPath } from "node:url";
import type { Toolkit } from "../core/index.js";
import { toPrintable } from "../lib/printable.js";
import type { ServeMcpOptions } from "../mcp/server/index.js";
import { createClawtools } from "../toolkit/index.js";
import { webSearch } from "../tools/web_search/index.js";
import type { CommandCall } from "./command.js";
import { readSearchSetup } from "./commands/configure/sections.js";
import { CLIENTS, type HttpServer } from "./commands/mcp/clients.js";
import { readOwnCommand } from "./own-command.js";
import { toCall } from "./surroundings.js";
import { wrapText } from "./terminal/wrap-text.js";
import { countReady, formatToolTable } from "./tool-table.js";
import { openToolkit } from "./with-toolkit.js";

export { watchParent } from "./commands/mcp/attend-server.js";

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
  const opened = await openToolkit(call, (made) => ({
    ...made,
    provider: "mcp",
    approve: approvals.approve,
  }));
  const { toolkit, config } = opened;
  const { attendServer } = await import("./commands/mcp/attend-server.js");
  const { onProblem, end } = attendServer(call, { ...opened, setPolicy: toolkit.setPolicy });
  const close = () => {
    end();
    return opened.close();
  };
  try {
    await toolkit.ready;
    const { server, said } = await listen(call, { toolkit, approvals, onProblem });
    const http = { url: server.url ?? "", token: server.token ?? "" };
    const search = await readSearchSetup(config.config);
    return {
      lines: [
        ...describeTools(toolkit, { ...options, search }),
        ...said,
        ...describeServer({ ...http, command: ownCommand(call.place.env) }, options.width),
        ...(call.place.env.CLAWTOOLS_MCP_TOKEN === undefined ? describeToken(options.width) : []),
        "Stop it with ^C.",
      ],
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
  made: Pick<ServeMcpOptions, "onProblem"> & {
    readonly toolkit: Toolkit;
    readonly approvals: McpApprovals;
  },
) {
  const { serveMcp } = await import("../mcp/server/index.js");
  const { toolkit, ...options } = made;
  const { readToken } = await import("./commands/mcp/attend-server.js");
  const token = await readToken({ place });
  const command = ownCommand(place.env);
  const serve = (port: number) => serveMcp(toolkit, { ...options, command, http: { port, token } });
  try {
    return { server: await serve(PREFERRED_PORT), said: [] };
  } catch (error) {
    if (!isPortTaken(error)) throw error;
    const server = await serve(ANY_PORT);
    return { server, said: [`Port ${PREFERRED_PORT} is in use, so another one was taken.`, ""] };
  }
}

function ownCommand(env: CommandCall["place"]["env"]): string {
  return readOwnCommand(fileURLToPath(new URL("./bin.js", import.meta.url)), env);
}

type McpApprovals = ReturnType<typeof import("../mcp/server/index.js")["createMcpApprovals"]>;

function isPortTaken(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return Reflect.get(error, "code") === "EADDRINUSE" || isPortTaken(error.cause);
}

interface ToolTableOptions extends StartOptions {
  readonly search: Awaited<ReturnType<typeof readSearchSetup>>;
}

/** Every tool, and why each that is not served is not. */
function describeTools(toolkit: Toolkit, options: ToolTableOptions): string[] {
  const { root, width: columns, version, search } = options;
  const width = Math.max(columns, MIN_WIDTH);
  const { tools } = createClawtools({ catalog: "all" });
  const rows = toolkit.explain();
  const summary = `clawtools ${version}: ${countReady(rows)} of ${rows.length} tools are served; the others say why not.`;
  const needs = search.isReady ? undefined : new Map([[webSearch.name, search.summary]]);
  return [
    ...formatToolTable({ tools: tools.list(), rows, width, needs }),
    "",
    ...wrapText(summary, width),
    ...wrapText(`Root: ${toPrintable(root, 4_096)}`, width),
    "",
  ];
}

/** What is to be copied stands on a line of its own, however long. */
function describeServer(
  server: HttpServer & { readonly command: string },
  columns: number,
): string[] {
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
      "A client can start the tools by itself instead, without this server; in the folder of your project:",
      width,
    ),
    `${server.command} mcp install --client claude-code --write`,
    "",
  ];
}

/** Lines that were copied fail after a restart; whoever copies them must know. */
function describeToken(columns: number): string[] {
  const text =
    "The token holds until this server stops, and with it the lines above. To keep one, set CLAWTOOLS_MCP_TOKEN to at least 16 characters of your own before you start.";
  return [...wrapText(text, Math.max(columns, MIN_WIDTH)), ""];
}
