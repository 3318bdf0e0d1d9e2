// A history on the real store, for the kill test of undo and its victim.

import { join } from "node:path";
import { createHistory, type FileHistory } from "../../src/drivers/history/index.js";
import { createSqliteStore } from "../../src/drivers/store/index.js";

export interface UndoHistoryPlace {
  readonly root: string;
  readonly state: string;
  readonly hex: (byteCount: number) => string;
}

export function openUndoHistory({ root, state, hex }: UndoHistoryPlace): {
  readonly history: FileHistory;
  close(): Promise<void>;
} {
  const clock = { now: () => Date.now(), after: () => () => undefined };
  const random = { hex };
  const store = createSqliteStore({ folder: state, clock, random });
  const history = createHistory({
    ...{ folder: join(state, "undo", "objects"), store, clock, random, root },
    report: ({ cause }) => {
      throw cause;
    },
  });
  return {
    history,
    async close() {
      await history.close();
      await store.close();
    },
  };
}
