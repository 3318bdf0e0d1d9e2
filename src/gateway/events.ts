// Events of the gateway, and who may see which.

import type { Scope } from "../protocol/index.js";

export interface GatewayEvents {
  /** To every connection that may see it. */
  emit(event: string, payload: unknown, options?: EventOptions): void;
}

export interface EventOptions {
  /** Left out for a client that reads too slowly, instead of closing it. */
  readonly dropIfSlow?: boolean | undefined;
}

const OPEN_EVENTS: ReadonlySet<string> = new Set(["tick", "shutdown", "presence", "health"]);
const SCOPES: readonly (readonly [prefix: string, scope: Scope])[] = [
  ["exec.approval.", "operator.approvals"],
  ["device.pair.", "operator.pairing"],
  ["node.pair.", "operator.pairing"],
];

/** An event that is not listed needs `operator.read`. */
export function scopeOfEvent(event: string): Scope | "none" {
  if (OPEN_EVENTS.has(event)) return "none";
  return SCOPES.find(([prefix]) => event.startsWith(prefix))?.[1] ?? "operator.read";
}
