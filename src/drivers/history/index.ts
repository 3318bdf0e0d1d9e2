// The door of the history driver: what calls changed in files, and the way back.

export { createHistory, type FileHistory, type HistoryOptions } from "./create-history.js";
export type { HistoryLimits } from "./limits.js";
export { objectsFolder } from "./objects.js";
