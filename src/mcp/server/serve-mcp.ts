// `serveMcp`: a toolkit as an MCP server over stdio or HTTP.

import { randomBytes } from "node:crypto";
import { ToolInputError, type Toolkit } from "../../core/index.js";
import { readOwnVersion } from "../../lib/system/own-version.js";
import type { HttpServerLimits } from "./http/http-sessions.js";
import type { McpHttpOptions, MountedMcp } from "./http/serve-http.js";
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
  /** Those given to the toolkit; without them clients are not asked. */
  readonly approvals?: McpApprovals | undefined;
  /** How long a call waits for an approval before it returns the command to run. Default 15,000. */
  readonly approvalWaitMs?: number | undefined;
  /** The command line's name in that text. Default `clawtools`. */
  readonly command?: string | undefined;
  /** For failures of the server itself. */
  readonly onProblem?: ((problem: unknown) => void) | undefined;
  /** Reported to clients; default: that of this package. */
  readonly version?: string | undefined;
}

export interface McpServer {
  readonly url: string | undefined;
  /** What HTTP clients must send. */
  readonly token: string | undefined;
  /** The client is gone, or `close` was called. */
  readonly closed: Promise<void>;
  /** Ends all its calls. The toolkit stays open. */
  close(): Promise<void>;
}

/** Throws a ToolInputError for invalid options. */
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

/** A handler for the caller's own HTTP server, which decides who may call. */
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
  // Ids must be unique in the journal of a state folder.
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
