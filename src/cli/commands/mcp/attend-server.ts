// What a running MCP server needs: its token, its parent, messages for people, and the config as it
// changes: new rules apply at once, everything else after a restart.

import { existsSync } from "node:fs";
import { watchConfig } from "../../../config/index.js";
import type { Toolkit } from "../../../core/index.js";
import { toPrintable } from "../../../lib/printable.js";
import type { CommandCall } from "../../command.js";
import { UsageError } from "../../failure.js";
import { readUsableConfig, type UsableConfig } from "../../usable-config.js";
import { listConfigFiles } from "../../with-toolkit.js";
import type { NarrowedToolkit } from "./open-narrowed.js";

const MAX_REASON_CHARS = 400;
const TOKEN_VARIABLE = "CLAWTOOLS_MCP_TOKEN";
const POLL_MS = 500;
const MAX_LINE_CHARS = 4_000;

export function attendServer(call: CommandCall, server: NarrowedToolkit) {
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

/** The returned function ends it. An unusable config changes nothing. */
function followConfig(call: CommandCall, follower: NarrowedToolkit): () => void {
  const { warn } = call.output;
  const files = listConfigFiles(follower.config);
  const wasThere = files.filter((file) => existsSync(file));
  return watchConfig({
    files,
    readAtMs: follower.readAtMs,
    async onChange() {
      try {
        assertStillThere(wasThere);
        const read = await readUsableConfig(call);
        assertSameFiles(listConfigFiles(read), files);
        const { rest, lines } = applyRules(follower, read);
        for (const line of lines) warn(line);
        warn(describeChange(rest));
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        warn(
          `The config was changed, but the rules stay as they were: ${toPrintable(reason, MAX_LINE_CHARS)}`,
        );
      }
    },
  });
}

/** Also returns diagnostics that were not printed yet. */
function applyRules({ toolkit, setPolicy }: NarrowedToolkit, { config, reported }: UsableConfig) {
  const lines = new Set<string>();
  const end = toolkit.on("diagnostic", ({ severity, message }) => {
    lines.add(toPrintable(`${severity}: ${message}`, MAX_LINE_CHARS));
  });
  try {
    const rest = setPolicy(config);
    return { rest, lines: [...lines].filter((line) => !reported.has(line)) };
  } finally {
    end();
  }
}

/** Some editors remove a file for a moment; without it there would be no rule at all. */
function assertStillThere(files: readonly string[]): void {
  const gone = files.find((file) => !existsSync(file));
  if (gone !== undefined) {
    throw new Error(`"${gone}" is not there any more; put it back, or restart this server.`);
  }
}

/** Only the files of the start are protected from the agent. */
function assertSameFiles(now: readonly string[], before: readonly string[]): void {
  const other = now.find((file) => !before.includes(file));
  if (other !== undefined) {
    throw new Error(
      `it takes in "${other}", which was no part of it when this server started, and which the agent could change; restart this server.`,
    );
  }
}

function describeChange(rest: readonly string[]): string {
  const now = "The config was changed: its rules for tools hold from now on.";
  if (rest.length === 0) return now;
  return `${now} Restart this server for what it says besides, in ${rest.join(", ")}; until then no tool is opened that was closed at the start.`;
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
