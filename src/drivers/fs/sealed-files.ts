// Files that no call opens, not even to read: the databases of the state folder, because whoever closes
// a second descriptor of such a file drops the locks that this process has on it; and the audit's key,
// with which arguments could be guessed from their hashes.

import { type BigIntStats, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { ToolError } from "../../core/index.js";
import { toPrintable } from "../../lib/printable.js";
import { isSameFile, type Pin } from "./pin.js";

const SEALED_NAMES: readonly string[] = [
  ...["state.db", "state.db-wal", "state.db-shm", "state.db-journal"],
  ...["owner.lock", "owner.lock-wal", "owner.lock-shm", "owner.lock-journal"],
  ...["audit.key", "audit.key.new"],
];

export interface SealedFiles {
  /** Throws when the pinned file is one of them, by whatever name. `path` is for the message. */
  assertMayRead(pin: Pin, path: string): void;
}

/** `stateDirs`: absolute, or nothing is sealed. */
export function createSealedFiles(stateDirs: readonly string[]): SealedFiles {
  const files = stateDirs.flatMap((folder) =>
    SEALED_NAMES.map((name) => join(resolve(folder), name)),
  );
  const names = new Set(files);
  return {
    assertMayRead(pin, path) {
      const isSealed =
        names.has(pin.realPath) ||
        // Only a file with a second name can be one of them under another.
        (pin.stats.nlink > 1n && pin.stats.isFile() && files.some((file) => isThere(file, pin)));
      if (isSealed) throw pathSealed(path);
    },
  };
}

function isThere(file: string, pin: Pin): boolean {
  const stats: BigIntStats | undefined = statSync(file, { bigint: true, throwIfNoEntry: false });
  return stats !== undefined && isSameFile(stats, pin.stats);
}

function pathSealed(path: string): ToolError {
  return new ToolError(
    "denied",
    `"${toPrintable(path)}" is not read: it is a database or a key of this library's state, which no call may open.`,
    { reason: "path_protected" },
  );
}
