// The door to the stages of a call and to the policy: what only a toolkit puts together.

export { createBudget, createTurnBudget } from "./invoke/budget.js";
export { type Callable, type CallableFactory, createCallableFactory } from "./invoke/callable.js";
export { createTaint } from "./invoke/hooks.js";
export { createInvoke } from "./invoke/invoke.js";
export { createLoopGuard } from "./invoke/loop.js";
export { createAbortRelay } from "./invoke/scope.js";
export { compilePolicyFor } from "./policy/compile.js";
export { type BuiltIns, readBuiltIns } from "./policy/names.js";
