// The door `clawtools/testing`: what helps people test their tools and agents. It is no part of the
// main door.

export { createMemoryBridge, type MemoryBridgeOptions } from "../drivers/memory-fs/index.js";
