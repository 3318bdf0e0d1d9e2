// The door of the gateway: the server that people leave running, and its method table.

export { createGateway } from "./create-gateway.js";
export type { Gateway, GatewayEnd, GatewayOptions } from "./gateway.js";
export {
  gatewayLogPath,
  type LogEntry,
  type LogLevel,
  MAX_LOG_BYTES,
  tailLog,
} from "./log/log-file.js";
export { METHODS } from "./methods/table.js";
export { defineMethod, type GatewayMethod, type GatewayServices } from "./services.js";
