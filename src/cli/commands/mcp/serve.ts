// `clawtools mcp`: the tools for an MCP client, until it goes.

import { Writable } from "node:stream";
import { createMcpApprovals, type McpServer, serveMcp } from "../../../mcp/server/index.js";
import type { CommandCall } from "../../command-call.js";
import { UsageError } from "../../failure.js";
import { assertServable } from "../../mcp/assert-servable.js";
import { attendServer } from "../../mcp/attend-server.js";
import { openNarrowed } from "../../mcp/open-narrowed.js";
import { readToken } from "../../mcp/read-token.js";
import { watchParent } from "../../mcp/watch-parent.js";
import { readOwnCommand } from "../../own-command/own-command.js";

const MAX_PORT = 65_535;

/** A tool that does not end is left to the end of the process. */
const MAX_CLOSE_MS = 5_000;

/** Nor is it waited longer for a client that does not read what was sent to it. */
const MAX_UNREAD_MS = 500;

export async function run(call: CommandCall): Promise<number> {
  const port = readPort(call.texts.http);
  const token = port === undefined ? undefined : readToken(call);
  assertServable(call);
  const kept = port === undefined ? keepStdout() : undefined;
  const approvals = createMcpApprovals();
  const opened = await openNarrowed(call, { approve: approvals.approve });
  const { toolkit, close } = opened;
  const { onProblem, end } = attendServer(call, opened);
  try {
    await call.untilStopped(async (signal) => {
      const server = await serveMcp(toolkit, {
        approvals,
        command: readOwnCommand(process.argv[1] ?? "", call.place.env),
        onProblem,
        ...(port === undefined
          ? { streams: { input: call.input, output: kept?.output ?? process.stdout } }
          : { http: { port, token } }),
      });
      if (port !== undefined) tellAddress(call, server);
      await untilEnd(server, { signal, hasParent: port === undefined });
    });
    return 0;
  } finally {
    end();
    setTimeout(() => process.exit(), MAX_CLOSE_MS).unref();
    await close();
    kept?.giveBack();
    setTimeout(() => process.exit(), MAX_UNREAD_MS).unref();
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

interface KeptStdout {
  /** The way to the real stdout. */
  readonly output: Writable;
  giveBack(): void;
}

function keepStdout(): KeptStdout {
  const { stdout, stderr } = process;
  const write = stdout.write;
  const output = new Writable({
    write(chunk, encoding, done) {
      write.call(stdout, chunk, encoding, done);
    },
  });
  stdout.write = stderr.write.bind(stderr);
  return {
    output,
    giveBack() {
      stdout.write = write;
    },
  };
}
