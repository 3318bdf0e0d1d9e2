// A terminal that no one holds any more is reported as ended with some of its output still unread. So this
// process holds it too, until a mark has come that the shell inside writes behind everything else.

import { closeSync, constants, openSync } from "node:fs";
import { lazy } from "../../../lib/lazy.js";

/** Of no meaning to any screen, so that it need not be taken out. */
const BEGIN = "\\033]777;";
const END = "\\007";

/** Shell words for the inside, before the command: whatever ends the shell, the mark is its last word. */
export function markLast(token: string): string {
  return `trap "printf '${BEGIN}${token}${END}' 2>/dev/null >/dev/tty" EXIT`;
}

export interface Watch {
  push(bytes: Uint8Array): void;
}

/** Calls `found` once, when the mark has come, in however many pieces. */
export function watchForLast(token: string, found: () => void): Watch {
  const mark = Buffer.from(`\x1b]777;${token}\x07`);
  let isFound = false;
  let tail = Buffer.alloc(0);
  return {
    push(bytes) {
      if (isFound) return;
      const text = Buffer.concat([tail, bytes]);
      isFound = text.includes(mark);
      tail = text.subarray(Math.max(0, text.length - mark.length + 1));
      if (isFound) found();
    },
  };
}

/** Returns what lets go of it. A terminal that cannot be opened here is not held. */
export function holdTerminal(path: unknown): () => void {
  if (typeof path !== "string") return () => undefined;
  try {
    const descriptor = openSync(path, constants.O_RDWR | constants.O_NOCTTY | constants.O_NONBLOCK);
    return lazy(() => closeSync(descriptor));
  } catch {
    return () => undefined;
  }
}
