// `clawtools mcp`: the tools for an MCP client, until it goes.

import { toPrintable } from "../../../lib/printable.js";
import { createMcpApprovals, type McpServer, serveMcp } from "../../../mcp/server/index.js";
import type { CommandCall } from "../../command-call.js";
import { UsageError } from "../../failure.js";
import { assertServable } from "../../mcp/assert-servable.js";
import { keepStdout } from "../../mcp/keep-stdout.js";
import { narrowTools } from "../../mcp/narrow-tools.js";
import { watchParent } from "../../mcp/watch-parent.js";
import { openToolkit } from "../../with-toolkit.js";

const MAX_PORT = 65_535;
/** A tool that does not end is left to the end of the process. */
const MAX_CLOSE_MS = 5_000;

export async function run(call: CommandCall): Promise<number> {
  const port = readPort(call.texts.http);
  assertServable(call);
  const kept = port === undefined ? keepStdout() : undefined;
  const approvals = createMcpApprovals();
  const { toolkit, warn, close } = await openToolkit(call, (options) => ({
    ...narrowTools(options, call),
    provider: "mcp",
    approve: approvals.approve,
  }));
  toolkit.on("notice", ({ message }) => call.output.warn(toPrintable(message)));
  toolkit.ready.then(warn, warn);
  try {
    await call.untilStopped(async (signal) => {
      const server = await serveMcp(toolkit, {
        approvals,
        onProblem: (problem) => call.output.warn(toPrintable(String(problem))),
        ...(port === undefined
          ? { streams: { input: call.input, output: kept?.output ?? process.stdout } }
          : { http: { port, token: call.place.env.CLAWTOOLS_MCP_TOKEN } }),
      });
      if (port !== undefined) tellAddress(call, server);
      await untilEnd(server, { signal, hasParent: port === undefined });
    });
    return 0;
  } finally {
    setTimeout(() => process.exit(), MAX_CLOSE_MS).unref();
    await close();
    kept?.giveBack();
  }
}

function readPort(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= MAX_PORT) return port;
  throw new UsageError(`--http must be a port from 0 to ${MAX_PORT}.`);
}

function tellAddress({ output }: CommandCall, server: McpServer): void {
  output.print(`MCP server: ${server.url}`);
  output.print(`Authorization: Bearer ${server.token}`);
}

/** When the client has gone, or the process is asked to end. */
async function untilEnd(
  server: McpServer,
  { signal, hasParent }: { readonly signal: AbortSignal; readonly hasParent: boolean },
): Promise<void> {
  const end = () => void server.close();
  const unwatch = hasParent ? watchParent(end) : undefined;
  signal.addEventListener("abort", end);
  if (signal.aborted) end();
  try {
    await server.closed;
  } finally {
    unwatch?.();
    signal.removeEventListener("abort", end);
  }
}
