// The door of the file driver that is made of memory: a bridge without a disk, for tests.

export { createMemoryBridge, type MemoryBridgeOptions } from "./memory-bridge.js";
