// The only door to the TypeBox compiler. It is loaded with `import()` at the first schema, and
// bundlers keep only what this file names.

import { Check, Compile } from "typebox/schema";
import type { Schema } from "../keywords.js";

/**
 * TypeBox makes a function with `new Function`; names and values enter the code only through
 * `JSON.stringify`, everything else as data. Where code from strings is forbidden, or the code would
 * nest too deep for the engine, it walks the schema instead: slower, same answers.
 */
export function compileCheck(schema: Schema | boolean): (value: unknown) => boolean {
  if (typeof schema === "boolean") return () => schema;
  try {
    const compiled = Compile(schema);
    return (value) => compiled.Check(value);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return (value) => Check(schema, value);
  }
}
