// The door of the adapters: the tools of a toolkit in the shapes of other agent loops.

export {
  type AISDKContent,
  type AISDKInputSchema,
  type AISDKModelOutput,
  type AISDKTool,
  toAISDK,
} from "./ai-sdk.js";
export { type PiTool, type PiToolResult, toPi } from "./pi.js";
