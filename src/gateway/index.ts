// The door of the gateway: the server that people leave running, and its method table.

export { createGateway } from "./create-gateway.js";
export type { Gateway, GatewayEnd, GatewayOptions } from "./gateway.js";
export type { LogEntry, LogLevel } from "./log/log-file.js";
export { METHODS } from "./methods/table.js";
export { defineMethod, type GatewayMethod, type GatewayServices } from "./services.js";
