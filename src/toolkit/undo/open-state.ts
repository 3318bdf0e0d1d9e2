// Opens the state of one toolkit: a store with the journal and the history.
import { realpath } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { watchedWriteOf } from "../../core/files/index.js";
import { type FsBridge, isToolError, type RandomSource, ToolError } from "../../core/index.js";
import type { FileHistory } from "../../drivers/history/index.js";
import type { FolderNotes, StoreJournal } from "../../drivers/journal/index.js";
import type { UndoSettings } from "../options/settings.js";
import { loadOrSay, type ToolkitPorts } from "../ports/ports.js";

const OBJECTS_FOLDER = ["undo", "objects"] as const;

interface StateSource {
  readonly ports: Pick<ToolkitPorts, "stateDir" | "system" | "state">;
  readonly root: string;
  /** Next to each call in the journal, and whose calls are reported as interrupted. */
  readonly scope: string;
  readonly settings: UndoSettings;
  /** False with `stateDir: false`. */
  readonly isWanted: boolean;
  /** Whether a process that dies while it writes a file may leave another next to it. */
  readonly leavesTemporaries: boolean;
  readonly report: (problem: { readonly message: string; readonly cause: unknown }) => void;
  readonly reportJournal: StateSource["report"];
}

export interface ToolkitState {
  readonly journal: StoreJournal;
  readonly history: FileHistory;
  readonly folders: FolderNotes;
  close(): Promise<void>;
}

/** Rejects without a state folder. */
export async function openState(source: StateSource): Promise<ToolkitState> {
  const { stateDir, system, state } = source.ports;
  if (stateDir === undefined)
    throw undoUnavailable(source.isWanted ? "no_home_folder" : "state_off");
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
  if (store === undefined) throw undoUnavailable("no_home_folder");
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

const WHY_UNAVAILABLE = {
  no_home_folder: "State cannot be stored: this user has no home folder. Set stateDir.",
  state_off:
    "Nothing outlives this toolkit, because it was made with stateDir: false; leave that out.",
  undo_disabled:
    "Nothing is kept for undo: the config says undo.enabled: false; set it to true for later calls.",
  missing_context: "Files cannot be restored: this toolkit has no file bridge.",
} as const;

export function undoUnavailable(reason: keyof typeof WHY_UNAVAILABLE): ToolError {
  return new ToolError("unavailable", WHY_UNAVAILABLE[reason], { reason });
}

const SCOPE_PREFIX = "bridge:";
const SCOPE_BYTES = 8;

/** Only bridges over a folder let undo look at the file that they replace. */
export function isElsewhere(bridge: FsBridge | undefined): boolean {
  return bridge !== undefined && watchedWriteOf(bridge) === undefined;
}

/** Whose calls these are in the journal: a folder, or one bridge of one toolkit. */
export function nameScope(
  { root, bridge }: { readonly root: string; readonly bridge?: FsBridge | undefined },
  random: RandomSource,
): string {
  return isElsewhere(bridge) ? `${SCOPE_PREFIX}${random.hex(SCOPE_BYTES)}` : resolve(root);
}

export function isBridgeScope(scope: string): boolean {
  return scope.startsWith(SCOPE_PREFIX);
}

export interface Outage {
  isOn(): boolean;
  begin(why: string): void;
  end(): void;
}

interface OutageOptions {
  readonly notify: (message: string) => void;
  /** Otherwise only the journal suffers. */
  readonly endsUndo: boolean;
}

export function createOutage({ notify, endsUndo }: OutageOptions): Outage {
  const cost = endsUndo ? "calls cannot be undone and are" : "calls are";
  let isOn = false;
  return {
    isOn: () => isOn,
    begin(why) {
      if (isOn) return;
      isOn = true;
      notify(`State cannot be kept: ${why} Until it can, ${cost} not journaled.`);
    },
    end() {
      isOn = false;
    },
  };
}
