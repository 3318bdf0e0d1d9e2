// The record of a call by its id, or why there is none.

import { callExpired, callIdInvalid, callUnknown } from "./errors.js";
import type { ChangeLog, FoundCall } from "./records/change-log.js";

const LATEST_IDS = 5;

/** Of several calls with one id the latest. */
export async function findCall(log: ChangeLog, toolCallId: unknown): Promise<FoundCall> {
  if (typeof toolCallId !== "string" || toolCallId === "") throw callIdInvalid();
  const lookup = await log.find(toolCallId);
  if (lookup.status === "found") return lookup.found;
  if (lookup.status === "expired") throw callExpired(toolCallId);
  const latest = await log.list(LATEST_IDS);
  throw callUnknown(
    toolCallId,
    latest.map(({ call }) => call.toolCallId),
  );
}
