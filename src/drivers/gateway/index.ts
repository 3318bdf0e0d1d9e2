// The door of the gateway client: calls of methods over a WebSocket.

export { createGatewayClient } from "./client.js";
