// What a running MCP server needs: its token, its parent, and messages for people.

import type { Toolkit } from "../../../core/index.js";
import { toPrintable } from "../../../lib/printable.js";
import type { CommandCall } from "../../command.js";
import { UsageError } from "../../failure.js";
import { type ConfigFollower, followConfig } from "./follow-config.js";

const MAX_REASON_CHARS = 400;
const TOKEN_VARIABLE = "CLAWTOOLS_MCP_TOKEN";
const POLL_MS = 500;

export interface AttendedServer extends ConfigFollower {
  /** Prints what only a toolkit knows; complete once plugins are loaded. */
  warn(): void;
}

export function attendServer(call: CommandCall, server: AttendedServer) {
  const { toolkit, warn } = server;
  const say = (text: unknown) => call.output.warn(toPrintable(String(text)));
  const tellIfEmpty = () => {
    const line = describeEmpty(toolkit);
    if (line !== undefined) call.output.warn(line);
  };
  toolkit.on("notice", ({ message }) => say(message));
  toolkit.on("tools", tellIfEmpty);
  const tell = () => {
    warn();
    tellIfEmpty();
  };
  toolkit.ready.then(tell, tell);
  return { onProblem: say, end: followConfig(call, server) };
}

function describeEmpty(toolkit: Toolkit): string | undefined {
  if (toolkit.tools.length > 0) return undefined;
  const rules = toolkit.explain().flatMap(({ rule }) => (rule === undefined ? [] : [rule]));
  const [rule] = rules;
  const why = rule === undefined ? "" : `, by ${toPrintable(rule, MAX_REASON_CHARS)}`;
  return `warning: no tool is offered${why}; \`clawtools tools explain\` says why.`;
}

export async function readToken({
  place,
}: Pick<CommandCall, "place">): Promise<string | undefined> {
  const { isHttpToken, MIN_TOKEN_CHARS } = await import("../../../mcp/server/index.js");
  const token = place.env[TOKEN_VARIABLE];
  if (token === undefined || isHttpToken(token)) return token;
  throw new UsageError(
    `${TOKEN_VARIABLE} must have at least ${MIN_TOKEN_CHARS} characters, all visible ASCII. Unset it to get a generated token.`,
  );
}

/** Calls `onDeath` once when the parent process has ended; another child may hold its end of stdin. */
export function watchParent(onDeath: () => void): () => void {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    onDeath();
  }, POLL_MS);
  timer.unref();
  return () => clearInterval(timer);
}
