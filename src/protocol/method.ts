// What a method of the gateway is: its parameters, the scope it needs, one line of help, and its
// work. The services it works with are a type of the room that runs it.

import type { TSchema } from "typebox";
import type { ArgumentsOf } from "../core/index.js";
import type { Scope } from "./scopes.js";

/** Who calls: taken from the gateway's own records, never from what the client claims. */
export interface Principal {
  readonly role: "operator" | "node";
  readonly scopes: readonly string[];
  readonly deviceId?: string | undefined;
  /** Of the connection; a call inside the process or over HTTP has a name of its own. */
  readonly connId: string;
  /** The agent whose tool calls; unset for clients. */
  readonly agentId?: string | undefined;
  /** What the client calls itself; for people, never for decisions. */
  readonly clientName?: string | undefined;
}

export interface MethodContext<Services> {
  readonly principal: Principal;
  readonly services: Services;
  /** Fires when the caller is gone or the gateway closes. */
  readonly signal: AbortSignal;
  /** Sends an answer before the last one, with the same id. */
  respond(payload: unknown): void;
}

export interface MethodSpec<Params extends TSchema, Services> {
  readonly name: string;
  /** Unknown fields are ignored. */
  readonly params: Params;
  /** `node`: only for connections with that role. `none`: for every authenticated caller. */
  readonly scope: Scope | "node" | "none";
  /** A repeat with the same `idempotencyKey` gets the first answer, for 24 hours. */
  readonly idempotent?: boolean;
  /** One line for people. */
  readonly help: string;
  /** A value or a promise; what is thrown becomes the error of the answer. */
  run(ctx: MethodContext<Services>, params: ArgumentsOf<Params>): unknown;
}

export interface Method<Services> extends Omit<MethodSpec<TSchema, Services>, "run"> {
  run(ctx: MethodContext<Services>, params: unknown): unknown;
}

/** `defineMethod` for methods that work with these services. */
export function methodDefiner<Services>() {
  return <Params extends TSchema>(spec: MethodSpec<Params, Services>): Method<Services> => ({
    ...spec,
    // The border: the table validates `params` against this very schema before it calls.
    run: (ctx, params) => spec.run(ctx, params as ArgumentsOf<Params>),
  });
}
