// The door of the time guard.

export { createTimeGuard } from "./vm-guard.js";
