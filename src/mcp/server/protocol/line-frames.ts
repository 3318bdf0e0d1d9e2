// Messages on a stream, one a line. What is too long is thrown away as it comes, never collected.

import { decodeText } from "./parse-json.js";

const NEWLINE = 0x0a;
const FIRST_ROOM_BYTES = 4 * 1024;

export interface LineFramesOptions {
  readonly maxBytes: number;
  readonly onLine: (line: string) => void;
  /** Reported once for each line that is too long, when its limit is passed. */
  readonly onTooLong: () => void;
  /** Reported instead of `onLine` when the bytes of a line are not UTF-8. */
  readonly onNoText: () => void;
}

export interface LineFrames {
  push(chunk: Uint8Array): void;
  /** Bytes of a line that has no end yet. */
  pendingBytes(): number;
}

export function createLineFrames(options: LineFramesOptions): LineFrames {
  const { maxBytes, onLine, onTooLong, onNoText } = options;
  // One buffer that grows: a line that comes byte by byte costs no more than one that comes whole.
  let room = Buffer.alloc(0);
  let pendingBytes = 0;
  let isSkipping = false;

  function clear(): void {
    room = Buffer.alloc(0);
    pendingBytes = 0;
  }

  function add(part: Uint8Array): void {
    if (isSkipping) return;
    const neededBytes = pendingBytes + part.length;
    if (neededBytes > maxBytes) {
      clear();
      isSkipping = true;
      onTooLong();
      return;
    }
    if (neededBytes > room.length) {
      const next = Buffer.alloc(Math.max(neededBytes, room.length * 2, FIRST_ROOM_BYTES));
      room.copy(next, 0, 0, pendingBytes);
      room = next;
    }
    room.set(part, pendingBytes);
    pendingBytes = neededBytes;
  }

  function endLine(): void {
    const text = isSkipping ? "" : decodeText(room.subarray(0, pendingBytes));
    isSkipping = false;
    clear();
    const line = text?.trim();
    if (line === undefined) onNoText();
    else if (line !== "") onLine(line);
  }

  return {
    push(chunk) {
      let from = 0;
      for (;;) {
        const end = chunk.indexOf(NEWLINE, from);
        if (end === -1) break;
        add(chunk.subarray(from, end));
        endLine();
        from = end + 1;
      }
      if (from < chunk.length) add(chunk.subarray(from));
    },
    pendingBytes: () => pendingBytes,
  };
}
