// The door `clawtools/agent`: conversations with a model over a toolkit. It is not part of the main
// door.

export {
  type Agent,
  type AgentEvent,
  type AgentListener,
  type AgentMessage,
  type AgentOptions,
  type ChatPost,
  createAgent,
  type ModelChoice,
  type ModelSource,
  type PreparePost,
  type QueueMode,
  type RunLimits,
  type StartedRun,
} from "../agent/index.js";
