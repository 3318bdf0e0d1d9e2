// Events of the gateway: to connections that may see them, and to listeners in this process.

import type { Scope } from "../protocol/index.js";

export interface EventFilter {
  /** Only these connections. */
  readonly connIds?: ReadonlySet<string> | undefined;
  /** Default: by the name of the event, see `scopeOfEvent`. */
  readonly scope?: Scope | "none" | undefined;
  readonly role?: "operator" | "node" | undefined;
  /** Without a sequence number, as nodes get their requests. */
  readonly withoutSequence?: boolean | undefined;
  /** Left out for a client that reads too slowly, instead of closing it. */
  readonly dropIfSlow?: boolean | undefined;
}

export interface GatewayEvent {
  readonly event: string;
  readonly payload: unknown;
  readonly filter: EventFilter;
}

export interface GatewayEvents {
  emit(event: string, payload: unknown, filter?: EventFilter): void;
  /** The returned function ends it. */
  on(listener: (event: GatewayEvent) => void): () => void;
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

export function createEvents(): GatewayEvents {
  const listeners = new Set<(event: GatewayEvent) => void>();
  return {
    emit(event, payload, filter = {}) {
      for (const listener of listeners) listener({ event, payload, filter });
    },
    on(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
