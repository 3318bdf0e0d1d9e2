// The door to the stages of a call: what a toolkit makes its own door of.

export { createBudget, createTurnBudget } from "./invoke/budget.js";
export { type Callable, type CallableFactory, createCallableFactory } from "./invoke/callable.js";
export { createTaint } from "./invoke/hooks.js";
export { createInvoke } from "./invoke/invoke.js";
export { createLoopGuard } from "./invoke/loop.js";
export { createAbortRelay } from "./invoke/scope.js";
