// A root and a state folder for one test, toolkits on them with their notices, and a look into the
// journal as another program has it.

import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createToolkit, type InvokeResult, type Toolkit, type ToolkitOptions } from "clawtools";
import { onTestFinished } from "vitest";
import { createSystemClock, createSystemRandom } from "../../src/drivers/clock.js";
import { createStoreJournal, type JournalRow } from "../../src/drivers/journal/index.js";
import { createProcessMarks, createSqliteStore } from "../../src/drivers/store/index.js";

export interface StateSetting {
  /** Holds the two others. */
  readonly place: string;
  readonly root: string;
  readonly stateDir: string;
  start(options?: Partial<ToolkitOptions>): { toolkit: Toolkit; notices: string[] };
  /** Calls that have ended, newest first. */
  readJournal(): Promise<readonly JournalRow[]>;
}

/** Removed when the test ends, after its toolkits are closed. */
export function createStateSetting(): StateSetting {
  const place = realpathSync(mkdtempSync(join(tmpdir(), "toolkit-state-")));
  const root = join(place, "root");
  const stateDir = join(place, "state");
  mkdirSync(root);
  const started: Toolkit[] = [];
  onTestFinished(async () => {
    for (const toolkit of started) await toolkit.close();
    rmSync(place, { recursive: true, force: true });
  });
  return {
    ...{ place, root, stateDir },
    start(options = {}) {
      const toolkit = createToolkit({ root, stateDir, ...options });
      started.push(toolkit);
      const notices: string[] = [];
      toolkit.on("notice", ({ message }) => notices.push(message));
      return { toolkit, notices };
    },
    readJournal: () => readJournal(stateDir),
  };
}

export function write(
  toolkit: Toolkit,
  { id, path = "a.txt", content }: { id: string; path?: string; content: string },
): Promise<InvokeResult> {
  return toolkit.invoke({ id, name: "write", arguments: { path, content } });
}

async function readJournal(folder: string): Promise<readonly JournalRow[]> {
  const ports = { clock: createSystemClock(), random: createSystemRandom() };
  const store = createSqliteStore({ folder, ...ports });
  const report = ({ cause }: { cause: unknown }) => {
    throw cause;
  };
  const owner = createProcessMarks();
  try {
    return await createStoreJournal({ store, ...ports, owner, report }).recent();
  } finally {
    await store.close();
  }
}
