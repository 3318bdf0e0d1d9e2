// What the process knows of itself: variables, home folder, working folder, and whether this Node
// can load TypeScript. Rooms that may not read the process get these as values.
import { homedir } from "node:os";
import type { Environment } from "../core/index.js";

/** The live variables, not a copy: on Windows only these are blind to case. */
export function readEnvironment(): Readonly<Record<string, string | undefined>> {
  return process.env;
}

/** The port of the tools: one variable at a time, as it is at that moment. */
export function createEnvironment(): Environment {
  return {
    read(name) {
      const value = process.env[name]?.trim();
      return value === "" ? undefined : value;
    },
  };
}

/** Undefined when the system knows no home of this user. */
export function homeDirectory(): string | undefined {
  try {
    return homedir();
  } catch {
    // Thrown for a user id without an entry when HOME is not set either.
    return undefined;
  }
}

/** The program of this Node. */
export function runtimePath(): string {
  return process.execPath;
}

export function currentDirectory(): string {
  return process.cwd();
}

/** Node 22.18, 23.6 and later strip types on import and say so in `process.features`. */
export function canLoadTypeScript(): boolean {
  return Boolean(Reflect.get(process.features, "typescript"));
}

interface ProcessUse {
  readonly pid: number;
  readonly rssBytes: number;
  readonly heapUsedBytes: number;
}

/** What this process takes at the moment. */
export function readProcessUse(): ProcessUse {
  const { rss, heapUsed } = process.memoryUsage();
  return { pid: process.pid, rssBytes: rss, heapUsedBytes: heapUsed };
}
