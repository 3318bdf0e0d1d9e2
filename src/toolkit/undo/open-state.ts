// The state of one toolkit: a store in the state folder, with journal and history on it. Making it
// touches no disk; the drivers are loaded here, because most toolkits read before they write.

import { realpath } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { isToolError } from "../../core/index.js";
import type { FileHistory } from "../../drivers/history/index.js";
import type { FolderNotes, StoreJournal } from "../../drivers/journal/index.js";
import type { ToolkitPorts } from "../bind-ports.js";
import { loadOrSay } from "../load-or-say.js";
import type { UndoSettings } from "../options/undo-settings.js";
import { noPlace, stateOff } from "./refusals.js";

/** Where old content is in a state folder. */
const OBJECTS_FOLDER = ["undo", "objects"] as const;

export interface StateSource {
  readonly ports: Pick<ToolkitPorts, "stateDir" | "system" | "state">;
  /** As the caller wrote it. */
  readonly root: string;
  /** Next to each call in the journal, and whose calls are reported as interrupted. */
  readonly scope: string;
  readonly settings: UndoSettings;
  /** Otherwise there is none on purpose. */
  readonly isWanted: boolean;
  /** Whether a process that dies while it writes a file may leave another next to it. */
  readonly leavesTemporaries: boolean;
  readonly report: (problem: { readonly message: string; readonly cause: unknown }) => void;
  /** Reported when the end of a call could not be written. */
  readonly reportJournal: StateSource["report"];
}

export interface ToolkitState {
  readonly journal: StoreJournal;
  /** Of the folder `root`; a bridge that is none has another one. */
  readonly history: FileHistory;
  readonly folders: FolderNotes;
  close(): Promise<void>;
}

/** Rejects without a state folder. */
export async function openState(source: StateSource): Promise<ToolkitState> {
  const { stateDir, system, state } = source.ports;
  if (stateDir === undefined) throw source.isWanted ? noPlace() : stateOff();
  const [
    store,
    { createProcessMarks },
    { createHistory },
    { createStoreJournal, createFolderNotes },
  ] = await loadOrSay(() =>
    Promise.all([
      state.open(),
      import("../../drivers/store/index.js"),
      import("../../drivers/history/index.js"),
      import("../../drivers/journal/index.js"),
    ]),
  );
  if (store === undefined) throw noPlace();
  const { clock, random } = system;
  const kept = { store, clock, random, owner: createProcessMarks() };
  const journal = createStoreJournal({
    ...kept,
    root: source.scope,
    report: source.reportJournal,
  });
  const folders = createFolderNotes({ ...kept, root: resolve(source.root) });
  const realRoot = await findRealRoot(source.root);
  const history = createHistory({
    folder: join(stateDir, ...OBJECTS_FOLDER),
    ...{ store, clock, random, root: source.root, realRoot },
    scope: realRoot,
    otherScopes: [resolve(source.root)],
    excluded: stateDir,
    limits: source.settings.limits,
    required: source.settings.isRequired,
    enter: source.leavesTemporaries ? (path) => folders.note(path).catch(passOver) : undefined,
    report: source.report,
  });
  return {
    journal,
    history,
    folders,
    async close() {
      await history.close();
      await folders.close().catch(passOver);
      await journal.close();
    },
  };
}

/** Without its note a folder is tidied when it is next written to; with a stale one, once too often. */
function passOver(error: unknown): void {
  if (!isToolError(error)) throw error;
}

/** A root that is not made yet is named by the folder in which it will be. Never rejects. */
async function findRealRoot(root: string): Promise<string> {
  const whole = resolve(root);
  try {
    return await realpath(whole);
  } catch {
    const folder = dirname(whole);
    // What cannot be resolved for another reason is refused when it is used.
    return folder === whole ? whole : join(await findRealRoot(folder), basename(whole));
  }
}
