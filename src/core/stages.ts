// The door to the stages of a call: what a toolkit makes its own door of.

export { createBudget } from "./invoke/budget.js";
export { type Callable, type CallableFactory, createCallableFactory } from "./invoke/callable.js";
export { createInvoke } from "./invoke/invoke.js";
export { createLoopGuard } from "./invoke/loop.js";
export { createAbortRelay } from "./invoke/scope/abort-relay.js";
export { createTaint } from "./invoke/taint.js";
export { createTurnBudget } from "./invoke/turn.js";
