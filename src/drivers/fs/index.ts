// The door of the file driver: a folder of this machine as a bridge.

export { createNodeBridge, type NodeBridgeOptions, removeTemporaries } from "./node-bridge.js";
