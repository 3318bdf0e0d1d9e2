// The door of the journal in a store: calls that were begun and ended, and the folders that are
// written into.

export {
  createFolderNotes,
  type FolderNotes,
  type FolderNotesDeps,
  type NotedFolder,
} from "./folder-notes.js";
export type { JournalOwner } from "./interrupted-calls.js";
export type { JournalRow } from "./journal-row.js";
export {
  createStoreJournal,
  type StoreJournal,
  type StoreJournalDeps,
} from "./store-journal.js";
