// The permission to start one command, once and soon. It holds for exactly what was allowed.

import type { Clock, GatePass, GateRequest } from "../../core/index.js";
import { findPlanChange, findSurroundingsChange, withoutFiles } from "./bind.js";
import { mismatch } from "./errors.js";
import type { RequestTable } from "./requests/table.js";

/** Between the yes and the start the command is planned anew; nothing else happens there. */
const VALID_MS = 60_000;

export interface PassSource extends Pick<GatePass, "by" | "rule" | "note"> {
  readonly request: GateRequest;
  readonly clock: Clock;
  /** `words`: what let it through says nothing of the files that arguments name. Default: `content`. */
  readonly holdsFor?: "content" | "words";
  /** The answered request that this pass uses up. */
  readonly approval?: { readonly id: string; readonly table: RequestTable };
}

export function createPass(source: PassSource): GatePass {
  const { by, rule, note, request, clock, approval, holdsFor = "content" } = source;
  const toHeld = holdsFor === "words" ? withoutFiles : keep;
  const validUntilMs = clock.now() + VALID_MS;
  const { command } = request;
  let isUsed = false;
  return {
    by,
    rule,
    ...(note === undefined ? {} : { note }),
    ...(approval === undefined ? {} : { approvalId: approval.id }),
    async consume(plan, run) {
      if (isUsed) throw mismatch(command, "its approval was used");
      // Also when it fails: whatever was wrong, it is to be looked at again.
      isUsed = true;
      if (clock.now() >= validUntilMs) throw mismatch(command, "too much time has passed");
      const change =
        findPlanChange(toHeld(request.plan), toHeld(plan)) ??
        (run && findSurroundingsChange(request, run));
      if (change !== undefined) throw mismatch(command, change);
      if (approval && !(await approval.table.use(approval.id))) {
        throw mismatch(command, "its approval was used");
      }
    },
  };
}

function keep<Value>(value: Value): Value {
  return value;
}
