// The door of agent: conversations with models over a toolkit.

export { type AgentParts, createAgentParts, type PartsSource } from "./agent-parts.js";
export {
  type Agent,
  type AgentMessage,
  createAgent,
  type StartedRun,
} from "./create-agent.js";
export type { AgentEvent, AgentListener } from "./events.js";
export type { QueueMode } from "./queue/take.js";
export type { AgentOptions } from "./read-options.js";
export type { ModelChoice } from "./run/ask.js";
export type { RunLimits } from "./run/run.js";
