// `serveMcp`: a toolkit as an MCP server, on streams or over HTTP on this machine.

import { randomBytes } from "node:crypto";
import { ToolInputError, type Toolkit } from "../../core/index.js";
import { readOwnVersion } from "../../lib/system/own-version.js";
import type { HttpServerLimits, McpHttpOptions, MountedMcp } from "./http/serve-http.js";
import { ownStreams, type StdioStreams, serveStdio } from "./serve-stdio.js";
import { isDesk, type McpApprovals } from "./session/approvals.js";
import type { SessionSettings } from "./session/session-parts.js";

const DEFAULT_APPROVAL_WAIT_MS = 15_000;
const DEFAULT_COMMAND = "clawtools";
const CALL_MARK_BYTES = 6;

export interface ServeMcpOptions {
  /** Default: the streams of this process. */
  readonly streams?: StdioStreams | undefined;
  /** Over HTTP instead. */
  readonly http?: McpHttpOptions | undefined;
  /** The one that the toolkit was made with; without it the clients are asked nothing. */
  readonly approvals?: McpApprovals | undefined;
  /**
   * How long a call waits for `clawtools approvals` before it answers with the command that approves
   * it. Default 15 seconds.
   */
  readonly approvalWaitMs?: number | undefined;
  /**
   * What a person types for the command line, in the words that approve a call. Default `clawtools`.
   */
  readonly command?: string | undefined;
  /** Reported of what went wrong in the server itself. */
  readonly onProblem?: ((problem: unknown) => void) | undefined;
  /** The version reported to the client; default: the version of this package. */
  readonly version?: string | undefined;
}

export interface McpServer {
  /** Where it is reached over HTTP. */
  readonly url: string | undefined;
  /** What clients must send over HTTP, made when none was given. */
  readonly token: string | undefined;
  /** Fulfilled when the server has ended: its client is gone, or `close` was called. */
  readonly closed: Promise<void>;
  /** Ends every call that came through it. The toolkit stays open. */
  close(): Promise<void>;
}

/** Fulfilled when clients can be served. Throws a ToolInputError when an option cannot be meant. */
export async function serveMcp(
  toolkit: Toolkit,
  options: ServeMcpOptions = {},
): Promise<McpServer> {
  const settings = toSettings(toolkit, options);
  if (options.http !== undefined) {
    const { serveHttp } = await import("./http/serve-http.js");
    return await serveHttp(settings, options.http);
  }
  const { closed, close } = serveStdio(settings, options.streams ?? ownStreams());
  return {
    url: undefined,
    token: undefined,
    closed,
    async close() {
      close();
      await closed;
    },
  };
}

export type MountMcpOptions = Omit<ServeMcpOptions, "streams" | "http"> & HttpServerLimits;

/** The MCP server as a handler inside a caller's own HTTP server, which judges who may call. */
export async function mountMcp(
  toolkit: Toolkit,
  options: MountMcpOptions = {},
): Promise<MountedMcp> {
  const { mountHttp } = await import("./http/serve-http.js");
  return mountHttp({ ...toSettings(toolkit, options), entryPoint: "mcp-http" }, options);
}

function toSettings(toolkit: Toolkit, options: ServeMcpOptions): SessionSettings {
  const { approvals, approvalWaitMs = DEFAULT_APPROVAL_WAIT_MS } = options;
  if (!Number.isFinite(approvalWaitMs) || approvalWaitMs < 0) {
    throw invalid("approvalWaitMs must be a number of milliseconds.");
  }
  if (approvals !== undefined && !isDesk(approvals)) {
    throw invalid("approvals must come from createMcpApprovals().");
  }
  // Ids of calls name rows of the journal, so two servers on one state folder must not share them.
  const mark = randomBytes(CALL_MARK_BYTES).toString("hex");
  let count = 0;
  return {
    toolkit,
    entryPoint: options.http === undefined ? "mcp-stdio" : "mcp-http",
    desk: approvals,
    approvalWaitMs,
    command: options.command ?? DEFAULT_COMMAND,
    report: options.onProblem ?? (() => undefined),
    version: options.version ?? readOwnVersion(),
    newCallId() {
      count++;
      return `mcp_${mark}_${count}`;
    },
  };
}

function invalid(message: string): ToolInputError {
  return new ToolInputError(`serveMcp: ${message}`, { reason: "options_invalid" });
}
