// The beginning of a file, by which the system knows how to start it.

import { closeSync, openSync, readSync } from "node:fs";

/** One character for each byte. Throws the system's error. */
export function readHead(path: string, maxBytes: number): string {
  const bytes = Buffer.alloc(maxBytes);
  const descriptor = openSync(path, "r");
  try {
    return bytes.toString("latin1", 0, readSync(descriptor, bytes, 0, maxBytes, 0));
  } finally {
    closeSync(descriptor);
  }
}
