// The process as values: variables, folders, memory, and whether this Node loads TypeScript.
import { homedir } from "node:os";
import type { Environment } from "../core/index.js";

/** Live: on Windows only the original ignores case. */
export function readEnvironment(): Readonly<Record<string, string | undefined>> {
  return process.env;
}

/** One variable at a time, as it is then. */
export function createEnvironment(): Environment {
  return {
    read(name) {
      const value = process.env[name]?.trim();
      return value === "" ? undefined : value;
    },
  };
}

/** undefined for a user without one. */
export function homeDirectory(): string | undefined {
  try {
    return homedir();
  } catch {
    // No HOME, and no entry in the user database.
    return undefined;
  }
}

export function runtimePath(): string {
  return process.execPath;
}

export function currentDirectory(): string {
  return process.cwd();
}

/** Node 22.18, 23.6 and later. */
export function canLoadTypeScript(): boolean {
  return Boolean(Reflect.get(process.features, "typescript"));
}

export function readProcessUse() {
  const { rss, heapUsed } = process.memoryUsage();
  return { pid: process.pid, rssBytes: rss, heapUsedBytes: heapUsed };
}
