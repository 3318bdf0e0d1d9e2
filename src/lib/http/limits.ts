// Bounds a server's open connections: the oldest one that was never let in is closed first.

import type { Socket } from "node:net";

export interface SocketLimit {
  readonly add: (socket: Socket) => void;
  trust(socket: Socket): void;
}

export function createSocketLimit(maxCount: number): SocketLimit {
  const trusted = new Set<Socket>();
  const strangers = new Set<Socket>();
  return {
    add(socket) {
      strangers.add(socket);
      socket.once("close", () => {
        strangers.delete(socket);
        trusted.delete(socket);
      });
      if (trusted.size + strangers.size <= maxCount) return;
      const [oldest] = strangers;
      if (oldest === undefined) return;
      strangers.delete(oldest);
      oldest.destroy();
    },
    trust(socket) {
      if (strangers.delete(socket)) trusted.add(socket);
    },
  };
}

const MAX_WRONG = 10;
const WINDOW_MS = 60_000;
const MAX_KEYS = 1_000;

export interface WrongSecrets {
  /** One more; how many seconds this key has to wait, 0 while it may try again. */
  count(key: string): number;
  /** How many seconds this key has to wait, without counting. */
  waitSeconds(key: string): number;
}

export function createWrongSecrets(now: () => number = () => performance.now()): WrongSecrets {
  const windows = new Map<string, { readonly endsAtMs: number; count: number }>();

  function windowOf(key: string) {
    const known = windows.get(key);
    if (known && known.endsAtMs > now()) return known;
    const [oldest] = windows.keys();
    windows.delete(key);
    if (windows.size >= MAX_KEYS && oldest !== undefined) windows.delete(oldest);
    const fresh = { endsAtMs: now() + WINDOW_MS, count: 0 };
    windows.set(key, fresh);
    return fresh;
  }

  return {
    count(key) {
      const window = windowOf(key);
      window.count++;
      if (window.count <= MAX_WRONG) return 0;
      return Math.ceil((window.endsAtMs - now()) / 1000);
    },
    waitSeconds(key) {
      const window = windows.get(key);
      if (window === undefined || window.count < MAX_WRONG || window.endsAtMs <= now()) return 0;
      return Math.ceil((window.endsAtMs - now()) / 1000);
    },
  };
}
