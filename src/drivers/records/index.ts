// The door of the records drivers: journal, audit and artifacts in memory, the journal in a store.

export type { JournalRow } from "./journal-row.js";
export { createMemoryArtifacts } from "./memory-artifacts.js";
export { createMemoryAudit } from "./memory-audit.js";
export { createMemoryJournal } from "./memory-journal.js";
export {
  createStoreJournal,
  type JournalOwner,
  type StoreJournal,
  type StoreJournalDeps,
} from "./store-journal.js";
