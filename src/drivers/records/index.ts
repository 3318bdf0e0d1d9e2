// The door of the records drivers: journal, audit and artifacts in memory, and artifacts as files.

export { createFileArtifacts } from "./file-artifacts.js";
export { createMemoryArtifacts } from "./memory-artifacts.js";
export { createMemoryAudit } from "./memory-audit.js";
export { createMemoryJournal } from "./memory-journal.js";
