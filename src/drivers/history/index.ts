// The door of the history driver: what calls changed in files, and the way back.

export { createHistory, type HistoryOptions } from "./create-history.js";
export type { HistoryLimits } from "./errors.js";
export type { FileHistory } from "./join-history.js";
export { createMemoryHistory } from "./memory-history.js";
