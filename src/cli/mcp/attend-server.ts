// What a running MCP server has to say to people, the same however it was started: notices of the
// toolkit, faults of the server, other rules in the config, a list without a tool.

import type { Toolkit } from "../../core/index.js";
import { toPrintable } from "../../lib/printable.js";
import type { CommandCall } from "../command-call.js";
import { type ConfigFollower, followConfig } from "./follow-config.js";

const MAX_REASON_CHARS = 400;

export interface AttendedServer extends ConfigFollower {
  /** Tells what only a toolkit can know; all of it is known when plugins have been tried. */
  warn(): void;
}

export interface Attendance {
  /** For `serveMcp`. */
  readonly onProblem: (problem: unknown) => void;
  end(): void;
}

export function attendServer(call: CommandCall, server: AttendedServer): Attendance {
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

/** A server without a tool is meant by nobody. */
function describeEmpty(toolkit: Toolkit): string | undefined {
  if (toolkit.tools.length > 0) return undefined;
  const rules = toolkit.explain().flatMap(({ rule }) => (rule === undefined ? [] : [rule]));
  const [rule] = rules;
  const why = rule === undefined ? "" : `, by ${toPrintable(rule, MAX_REASON_CHARS)}`;
  return `warning No tool is offered${why}; \`clawtools tools explain\` says what keeps each away.`;
}
