// The door of the gateway client: calls of methods over a WebSocket.

export { createLocalGateway } from "./local.js";
