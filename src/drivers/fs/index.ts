// The door of the file driver: a folder of this machine as a bridge.

export { createNodeBridge, type NodeBridgeOptions } from "./node-bridge.js";
