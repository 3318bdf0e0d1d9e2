// The door `clawtools/testing`: what helps people test their tools and agents. It is not part of the
// main door.

export {
  createScriptedConnector,
  type Script,
  type ScriptedConnector,
  type ScriptedRequest,
  type ScriptedTurn,
} from "../connectors/index.js";
export { createMemoryBridge, type MemoryBridgeOptions } from "../drivers/memory-fs/index.js";
