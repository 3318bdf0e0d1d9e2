// What a tool may do, for anyone who asks a person before a call. What a tool does not say of itself is
// taken to be the worst.

import type { ToolDefinition } from "./define-tool.js";

export interface ToolAnnotations {
  /** For people. */
  readonly title: string;
  /** It changes nothing anywhere. */
  readonly readOnly: boolean;
  readonly destructive: boolean;
  readonly idempotent: boolean;
  readonly openWorld: boolean;
}

/** `definition`: undefined for a plain tool, which says nothing. */
export function toAnnotations(
  definition: ToolDefinition | undefined,
  title: string,
): ToolAnnotations {
  // A definition made by another copy of this package may be without it.
  const { destructive, idempotent, openWorld } = definition?.effects ?? {};
  const readOnly = definition?.readOnly === true;
  return {
    title,
    readOnly,
    destructive: readOnly ? false : (destructive ?? true),
    idempotent: readOnly ? true : (idempotent ?? false),
    openWorld: openWorld ?? true,
  };
}
