// Config changes while a server runs: new rules apply at once, everything else after a restart.

import { existsSync } from "node:fs";
import { type ClawtoolsConfig, watchConfig } from "../../../config/index.js";
import type { Toolkit } from "../../../core/index.js";
import { toPrintable } from "../../../lib/printable.js";
import type { CommandCall } from "../../command.js";
import { readUsableConfig, type UsableConfig } from "../../usable-config.js";
import { listConfigFiles } from "../../with-toolkit.js";

const MAX_LINE_CHARS = 4_000;

export interface ConfigFollower {
  readonly toolkit: Toolkit;
  readonly config: UsableConfig;
  readonly readAtMs: number;
  setPolicy(config: ClawtoolsConfig): readonly string[];
}

/** The returned function ends it. An unusable config changes nothing. */
export function followConfig(call: CommandCall, follower: ConfigFollower): () => void {
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
function applyRules({ toolkit, setPolicy }: ConfigFollower, { config, reported }: UsableConfig) {
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
