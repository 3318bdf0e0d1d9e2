// A folder with a history over it: a real bridge, old content on the disk, records in a store of the
// process, and a clock that can be moved.

import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createNodeBridge } from "clawtools";
import type { Clock, FsBridge, Store } from "../../src/core/index.js";
import {
  createHistory,
  type FileHistory,
  type HistoryOptions,
} from "../../src/drivers/history/index.js";
import { createMemoryStore } from "./memory-store.js";

export interface HistorySetting {
  readonly root: string;
  readonly bridge: FsBridge;
  readonly store: Store;
  readonly history: FileHistory;
  /** Where old content lies. */
  readonly objects: string;
  /** Another history on the same folders and store, as a process that starts later has it. */
  reopen(options?: Partial<HistoryOptions>): FileHistory;
  /** Makes a change as the call of this id. */
  change(id: string, work: (bridge: FsBridge) => Promise<void>): Promise<void>;
  text(path: string): string;
  advance(byMs: number): void;
  remove(): void;
}

export function createHistorySetting(options: Partial<HistoryOptions> = {}): HistorySetting {
  const folder = mkdtempSync(join(tmpdir(), "history-"));
  const root = join(folder, "project");
  const objects = join(folder, "state", "undo", "objects");
  let offsetMs = 0;
  let made = 0;
  const clock: Clock = { now: () => Date.now() + offsetMs, after: () => () => undefined };
  const random = { hex: (bytes: number) => (made++).toString(16).padStart(bytes * 2, "0") };
  const store = options.store ?? createMemoryStore({ clock });
  const reopen = (more: Partial<HistoryOptions> = {}) =>
    createHistory({
      ...{ folder: objects, store, clock, random, root, report: () => undefined },
      ...options,
      ...more,
    });
  const history = reopen();
  const bridge = createNodeBridge(root);
  return {
    ...{ root, bridge, store, history, objects, reopen },
    async change(id, work) {
      const recording = history.record({ toolCallId: id, toolName: "test" }, bridge);
      await work(recording.bridge).finally(() => recording.end());
    },
    text: (path) => readFileSync(join(root, path), "utf8"),
    advance: (byMs) => {
      offsetMs += byMs;
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
