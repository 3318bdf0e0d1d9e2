// The door `clawtools/adapters`: the tools of a toolkit for other agent loops. It is not part of the
// main door.

export {
  type AISDKContent,
  type AISDKInputSchema,
  type AISDKModelOutput,
  type AISDKTool,
  type PiTool,
  type PiToolResult,
  toAISDK,
  toPi,
} from "../adapters/index.js";
