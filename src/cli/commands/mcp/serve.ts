// `clawtools mcp`: the tools for an MCP client, until it ends.

import { Writable } from "node:stream";
import type { McpServer } from "../../../mcp/server/index.js";
import type { Command, CommandCall } from "../../command.js";
import { NARROWING_FLAGS, readWhole } from "../../flags.js";
import { assertServable } from "./assert-servable.js";
import { attendServer, readToken, watchParent } from "./attend-server.js";

const MAX_PORT = 65_535;
/** For tools that do not end. */
const MAX_CLOSE_MS = 5_000;
/** For a client that does not read. */
const MAX_UNREAD_MS = 500;

export const command: Command = {
  notes: [
    "The client starts this command and talks to it over stdin and stdout; it ends with the client.",
    "Without --root the working folder is served, but not one that contains the home folder.",
    "With --http it listens on 127.0.0.1 instead and prints address and token; CLAWTOOLS_MCP_TOKEN sets the token.",
  ],
  flags: {
    ...NARROWING_FLAGS,
    "--http PORT": "Serve over HTTP; 0 takes any free port.",
  },
  sample: "clawtools mcp --root ~/project --profile coding",
  run,
};

async function run(call: CommandCall): Promise<number> {
  const { createMcpApprovals, serveMcp } = await import("../../../mcp/server/index.js");
  const port = readWhole(call, "http", { max: MAX_PORT });
  const token = port === undefined ? undefined : await readToken(call);
  assertServable(call);
  const kept = port === undefined ? keepStdout() : undefined;
  const approvals = createMcpApprovals();
  const { openNarrowed } = await import("./open-narrowed.js");
  const opened = await openNarrowed(call, { approve: approvals.approve });
  const { toolkit, close } = opened;
  const { onProblem, end } = attendServer(call, opened);
  try {
    await call.untilStopped(async (signal) => {
      const server = await serveMcp(toolkit, {
        approvals,
        command: call.ownCommand,
        onProblem,
        ...(port === undefined
          ? { streams: { input: call.input, output: kept?.output ?? process.stdout } }
          : { http: { port, token } }),
      });
      if (port !== undefined) tellAddress(call, server);
      else if (call.isInteractive) {
        call.output.warn(
          `note: Waiting for an MCP client on stdin. \`${call.ownCommand} mcp install\` sets one up; Ctrl-C ends this.`,
        );
      }
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

function tellAddress({ output }: CommandCall, server: McpServer): void {
  output.print(`MCP server: ${server.url}`);
  output.print(`Authorization: Bearer ${server.token}`);
}

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

function keepStdout() {
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
