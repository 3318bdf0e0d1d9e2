// The door of agent: conversations with models over a toolkit.

export type { Agent, AgentMessage, PreparedRun, StartedRun } from "./agent.js";
export { type AgentParts, createAgentParts, type ModelSource } from "./agent-parts.js";
export { type ChatPost, isSilent, type PreparePost, readHeartbeat } from "./chat-posts.js";
export { createAgent } from "./create-agent.js";
export type { AgentEvent, AgentListener } from "./events.js";
export type { QueueMode } from "./queue/take.js";
export { type AgentOptions, createModelSource } from "./read-options.js";
export type { ModelChoice } from "./run/ask.js";
export { type RunLimits, THINKING_LEVELS } from "./run/run.js";
