// The door of the history driver: what calls changed in files, and the way back.

export { createHistory, type HistoryOptions } from "./create-history.js";
export type { FileHistory } from "./join-history.js";
export type { HistoryLimits } from "./limits.js";
export { createMemoryHistory } from "./memory/memory-history.js";
