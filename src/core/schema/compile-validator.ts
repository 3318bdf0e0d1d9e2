// The way to a validator: the checking code is imported when the first schema is compiled, so that
// importing a definition does not load it.

import type { CompileOptions, Validator } from "./validator.js";

/** Rejects as `compileValidator` of `validator.ts` does. */
export async function compileValidator(
  schema: unknown,
  options: CompileOptions = {},
): Promise<Validator> {
  const validator = await import("./validator.js");
  return validator.compileValidator(schema, options);
}
