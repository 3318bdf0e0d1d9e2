// The door of the gateway protocol: frames, errors, scopes, the handshake and the method table.

export {
  type ConnectParams,
  connectParams,
  type DeviceIdentity,
  PROTOCOL_VERSIONS,
  type SignedFields,
  toSignedText,
} from "./connect.js";
export {
  type EventFrame,
  MAX_AUTHENTICATED_BYTES,
  MAX_HANDSHAKE_BYTES,
  type ParsedFrame,
  parseFrame,
  type RequestFrame,
  toErrorFrame,
  toEventFrame,
  toResponseFrame,
} from "./frames.js";
export {
  type Method,
  type MethodContext,
  type MethodSpec,
  methodDefiner,
  type Principal,
} from "./method.js";
export {
  createMethodTable,
  type MethodTable,
  type RunOnce,
} from "./method-table.js";
export { coversScope, type Scope } from "./scopes.js";
export { fromWireError, toWireError, type WireError } from "./wire-error.js";
