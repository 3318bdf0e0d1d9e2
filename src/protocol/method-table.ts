// The methods of one gateway behind one door: finds the method, checks role, scope and parameters,
// and runs it. The answer to a repeated idempotency key is left to the caller.

import { compileValidator, ToolError, ToolInputError, type Validator } from "../core/index.js";
import { readText } from "../lib/read-field.js";
import type { Method, MethodContext, Principal } from "./method.js";
import { coversScope } from "./scopes.js";

const MAX_SHOWN_PROBLEMS = 3;
const MAX_NAME_CHARS = 120;

interface MethodCall {
  readonly method: string;
  readonly params?: unknown;
  readonly principal: Principal;
  readonly signal: AbortSignal;
  readonly respond?: (payload: unknown) => void;
}

/** Runs the work unless its key is known; then gives the first answer. */
export type RunOnce = (
  call: { readonly method: string; readonly key: string; readonly params: unknown },
  work: () => unknown,
) => Promise<unknown>;

const ignore = () => undefined;

export type MethodTable<Services> = ReturnType<typeof createMethodTable<Services>>;

export function createMethodTable<Services>(options: {
  readonly methods: readonly Method<Services>[];
  readonly services: Services;
  readonly runOnce: RunOnce;
}) {
  const { services, runOnce } = options;
  const byName = new Map(options.methods.map((method) => [method.name, method]));
  if (byName.size < options.methods.length) throw new Error("two methods have the same name");
  const methods = [...byName.values()].sort((one, other) => (one.name < other.name ? -1 : 1));
  const validators = new Map<string, Validator>();

  function run(method: Method<Services>, call: MethodCall, params: unknown): unknown {
    const { principal, signal, respond = ignore } = call;
    const ctx: MethodContext<Services> = { principal, signal, services, respond };
    const key = method.idempotent === true ? readText(params, "idempotencyKey") : undefined;
    if (key === undefined) return method.run(ctx, params);
    return runOnce({ method: method.name, key, params }, () => method.run(ctx, params));
  }

  async function compileAndRun(method: Method<Services>, call: MethodCall, params: unknown) {
    const validator = await compileValidator(method.params);
    validators.set(method.name, validator);
    assertValid(method.name, params, validator);
    return await run(method, call, params);
  }

  return {
    /** In the order of their names. */
    methods,
    /**
     * The answer, at once where the method answers at once. Throws or rejects with a ToolError: for
     * unknown methods, missing scopes and wrong parameters too.
     */
    call(call: MethodCall): unknown {
      const method = byName.get(call.method);
      if (method === undefined) throw unknownMethod(call.method);
      assertAllowed(method, call.principal);
      const params = call.params ?? {};
      const validator = validators.get(method.name);
      if (validator === undefined) return compileAndRun(method, call, params);
      assertValid(method.name, params, validator);
      return run(method, call, params);
    },
  };
}

/** Clients compare this text. */
function unknownMethod(name: string): ToolInputError {
  return new ToolInputError(`unknown method: ${name.slice(0, MAX_NAME_CHARS)}`, {
    reason: "unknown_method",
  });
}

function assertAllowed(
  { scope }: Pick<Method<unknown>, "scope">,
  { role, scopes }: Principal,
): void {
  if (scope === "none") return;
  const neededRole = scope === "node" ? "node" : "operator";
  if (role !== neededRole) {
    throw new ToolInputError(`unauthorized role: ${role}`, { reason: "unauthorized_role" });
  }
  if (scope === "node" || coversScope(scopes, scope)) return;
  throw new ToolError("denied", `missing scope: ${scope}`, {
    reason: "missing_scope",
    details: { missingScope: scope, requiredScopes: [scope] },
  });
}

function assertValid(method: string, params: unknown, validator: Validator): void {
  const outcome = validator.check(params);
  if (outcome.ok) return;
  const shown = outcome.problems
    .slice(0, MAX_SHOWN_PROBLEMS)
    .map(({ path, message }) => (path === "" ? message : `at ${path}: ${message}`));
  throw new ToolInputError(`invalid ${method} params: ${shown.join("; ")}`, {
    reason: "invalid_params",
  });
}
