// The door of the records drivers: journal, audit and artifacts in memory, and artifacts as files.

export { createFileArtifacts } from "./file-artifacts.js";
export { createMemoryArtifacts, createMemoryAudit, createMemoryJournal } from "./memory-records.js";
