// The way to a validator: the checking code is imported when the first schema is compiled, so that
// importing a definition does not load it.

import type { CompileOptions, Validator } from "./validator.js";

/** Whether checking a value against this schema could take long. A malformed schema is a risk. */
export async function needsTimeGuard(schema: unknown): Promise<boolean> {
  const validator = await import("./validator.js");
  return validator.isRisky(schema);
}

/** Rejects as `compileValidator` of `validator.ts` does. */
export async function compileValidator(
  schema: unknown,
  options: CompileOptions = {},
): Promise<Validator> {
  const validator = await import("./validator.js");
  return validator.compileValidator(schema, options);
}
