// Answers of methods that carry an idempotency key: kept in the store for 24 hours, so that a repeat
// gets the first answer, also after a restart. A call whose process died has an unknown outcome.

import { createHash } from "node:crypto";
import { isToolError, type Store, ToolError } from "../core/index.js";
import { readField, readText } from "../lib/read-field.js";
import type { RunOnce } from "../protocol/index.js";
import { fromWireError, toWireError } from "../protocol/index.js";

const SPACE = "gateway.idempotency";
const KEPT_MS = 24 * 60 * 60_000;
const MAX_KEY_CHARS = 256;

export function createRunOnce(store: Store): RunOnce {
  const inFlight = new Map<string, { readonly body: string; readonly answer: Promise<unknown> }>();

  /** The first answer; undefined when this call is the first. */
  async function begin(
    key: string,
    body: string,
  ): Promise<{ readonly answer: unknown } | undefined> {
    const value = { state: "begun", body };
    try {
      const place = { space: SPACE, key, expectRevision: 0, ttlMs: KEPT_MS };
      await store.kv.put({ ...place, value, durability: "disk" });
      return undefined;
    } catch (error) {
      if (!isToolError(error) || error.reason !== "revision_mismatch") throw error;
    }
    const kept = (await store.kv.get({ space: SPACE, key }))?.value;
    assertSameBody(readText(kept, "body"), body);
    if (readText(kept, "state") !== "done") throw unknownOutcome();
    const failure = readField(kept, "error");
    if (failure !== undefined) throw fromWireError(failure);
    return { answer: readField(kept, "answer") };
  }

  async function run(key: string, body: string, work: () => unknown): Promise<unknown> {
    const first = await begin(key, body);
    if (first) return first.answer;
    const end = (outcome: object) =>
      store.kv.put({
        space: SPACE,
        key,
        value: { state: "done", body, ...outcome },
        ttlMs: KEPT_MS,
      });
    let answer: unknown;
    try {
      answer = await work();
    } catch (error) {
      await end({ error: toWireError(error) });
      throw error;
    }
    await end({ answer: answer ?? null });
    return answer;
  }

  return async ({ method, key, params }, work) => {
    if (key.length > MAX_KEY_CHARS) throw keyTooLong();
    const place = `${method}:${key}`;
    const body = createHash("sha256").update(JSON.stringify(params)).digest("hex");
    const running = inFlight.get(place);
    if (running) {
      assertSameBody(running.body, body);
      return await running.answer;
    }
    const answer = run(place, body, work);
    inFlight.set(place, { body, answer });
    try {
      return await answer;
    } finally {
      inFlight.delete(place);
    }
  };
}

function assertSameBody(known: string | undefined, body: string): void {
  if (known === body) return;
  throw new ToolError("conflict", "idempotencyKey was already used for a different request", {
    reason: "idempotency_mismatch",
  });
}

function unknownOutcome(): ToolError {
  return new ToolError(
    "unavailable",
    "The gateway stopped while it ran this request, so its outcome is unknown. Check the effect, then retry with a new idempotencyKey.",
    { reason: "outcome_unknown" },
  );
}

function keyTooLong(): ToolError {
  return new ToolError(
    "invalid_input",
    `idempotencyKey is longer than ${MAX_KEY_CHARS} characters`,
    {
      reason: "invalid_params",
    },
  );
}
