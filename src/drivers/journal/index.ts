// The door of the journal in a store: calls that were begun and ended, and the folders that are
// written into.

export {
  createFolderNotes,
  type FolderNotes,
  type FolderNotesDeps,
  type NotedFolder,
} from "./folder-notes.js";
export type { JournalOwner, JournalRow } from "./interrupted-calls.js";
export {
  createStoreJournal,
  type StoreJournal,
  type StoreJournalDeps,
} from "./store-journal.js";
