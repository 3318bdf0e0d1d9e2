// A config that is changed while a server runs: its rules hold from the next call on, and the rest is
// told, because it counts only for a server that is started anew.

import { existsSync } from "node:fs";
import { stat } from "node:fs/promises";
import type { ClawtoolsConfig } from "../../config/index.js";
import type { Toolkit } from "../../core/index.js";
import { toPrintable } from "../../lib/printable.js";
import type { CommandCall } from "../command-call.js";
import { readUsableConfig, type UsableConfig } from "../usable-config.js";
import { listConfigFiles } from "../with-toolkit.js";

const LOOK_MS = 1_000;

/** The times of files are those of the kernel's last tick. */
const CLOCK_SLACK_MS = 20;

const MAX_LINE_CHARS = 4_000;

export interface ConfigFollower {
  readonly toolkit: Toolkit;
  readonly config: UsableConfig;
  /** When the config was read. */
  readonly readAtMs: number;
  /** As `Toolkit.setPolicy`. */
  setPolicy(config: ClawtoolsConfig): readonly string[];
}

/** The returned function ends it. A config that cannot be used changes nothing. */
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

/** With what was noticed about the rules and is not told yet. */
function applyRules({ toolkit, setPolicy }: ConfigFollower, { config, told }: UsableConfig) {
  const lines = new Set<string>();
  const end = toolkit.on("diagnostic", ({ severity, message }) => {
    lines.add(toPrintable(`${severity} ${message}`, MAX_LINE_CHARS));
  });
  try {
    const rest = setPolicy(config);
    return { rest, lines: [...lines].filter((line) => !told.has(line)) };
  } finally {
    end();
  }
}

/** Some editors take a file away for a moment; without it there would be no rule at all. */
function assertStillThere(files: readonly string[]): void {
  const gone = files.find((file) => !existsSync(file));
  if (gone !== undefined) {
    throw new Error(`"${gone}" is not there any more; put it back, or restart this server.`);
  }
}

/** What is protected from the agent was settled at the start, and is not watched otherwise. */
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

interface ConfigWatch {
  /** Absolute paths, of files that need not be there. */
  readonly files: readonly string[];
  /** When they were read; what was changed since is a change. */
  readonly readAtMs: number;
  /** Once for each change that is still there at the next look; one after the other. Never rejects. */
  onChange(): Promise<void>;
}

interface Look {
  readonly text: string;
  readonly changedAtMs: number;
}

/** The returned function ends the watching. */
export function watchConfig({ files, readAtMs, onChange }: ConfigWatch): () => void {
  let before: string | undefined;
  let isLooking = false;
  const look = async () => {
    if (isLooking) return;
    isLooking = true;
    const now = await lookAt(files);
    const isOther =
      before === undefined ? now.changedAtMs > readAtMs - CLOCK_SLACK_MS : before !== now.text;
    before = now.text;
    if (isOther) await onChange();
    isLooking = false;
  };
  void look();
  const timer = setInterval(() => void look(), LOOK_MS);
  timer.unref();
  return () => clearInterval(timer);
}

async function lookAt(files: readonly string[]): Promise<Look> {
  const looks = await Promise.all(files.map(lookAtFile));
  return {
    text: looks.map(({ text }) => text).join(),
    changedAtMs: Math.max(...looks.map(({ changedAtMs }) => changedAtMs)),
  };
}

async function lookAtFile(file: string): Promise<Look> {
  try {
    const { ino, size, mtimeMs, ctimeMs } = await stat(file);
    return { text: `${ino}:${size}:${mtimeMs}:${ctimeMs}`, changedAtMs: ctimeMs };
  } catch {
    // One that is not there, or cannot be looked at, is as good as none.
    return { text: "", changedAtMs: 0 };
  }
}
