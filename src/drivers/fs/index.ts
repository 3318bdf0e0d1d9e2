// The door of the file driver: a folder of this machine as a bridge.

export {
  createNodeBridge,
  type NodeBridgeOptions,
  readProtection,
  removeTemporaries,
} from "./node-bridge.js";
export type { MachineProtection } from "./protection.js";
