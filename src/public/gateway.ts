// The door `clawtools/gateway`: the gateway as a library.

export {
  createGateway,
  defineMethod,
  type Gateway,
  type GatewayEnd,
  type GatewayMethod,
  type GatewayOptions,
  type GatewayServices,
  type LogEntry,
  type LogLevel,
} from "../gateway/index.js";
