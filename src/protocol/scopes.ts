// Operator scopes, and which of them include others.

export const OPERATOR_SCOPES = [
  "operator.admin",
  "operator.read",
  "operator.write",
  "operator.approvals",
  "operator.pairing",
  "operator.questions",
] as const;

export type Scope = (typeof OPERATOR_SCOPES)[number];

/** `operator.admin` covers every scope, `operator.write` covers `operator.read`. */
export function coversScope(granted: readonly string[], needed: string): boolean {
  if (granted.includes(needed) || granted.includes("operator.admin")) return true;
  return needed === "operator.read" && granted.includes("operator.write");
}
