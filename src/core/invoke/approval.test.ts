// Who is asked, for how long, and that only a clear yes is one.

import { describe, expect, it, vi } from "vitest";
import { createManualClock } from "../../../test/fakes/manual-clock.js";
import type { Approver } from "../ports/approver.js";
import { askApproval } from "./hooks.js";
import { createCallScope } from "./scope.js";

const request = {
  toolCallId: "call_1",
  toolName: "say",
  title: "say something",
  params: { text: "first", to: ["all"] },
};
const never = () => new Promise<never>(() => undefined);

function ask(
  approver: Approver | undefined,
  more: { limitMs?: number; signal?: AbortSignal } = {},
) {
  const clock = createManualClock();
  const scope = createCallScope({ clock, signal: more.signal });
  const asked = askApproval(request, { approver, scope, limitMs: more.limitMs });
  return { asked, clock, scope };
}

describe("an approval", () => {
  it.each(["allow-once", "allow-always"] as const)("is given by %s", async (decision) => {
    const approver = vi.fn<Approver>(async () => ({ decision }));
    const { asked, scope } = ask(approver);
    await asked;
    expect(approver).toHaveBeenCalledExactlyOnceWith(request, { signal: scope.signal });
  });

  it("is refused with the words of whoever refused", async () => {
    const { asked } = ask(async () => ({ decision: "deny", reason: "too loud" }));
    await expect(asked).rejects.toMatchObject({
      code: "denied",
      reason: "not_approved",
      message: "say something was not approved: too loud",
    });
  });

  it("is refused when there is nobody to ask", async () => {
    await expect(ask(undefined).asked).rejects.toMatchObject({
      code: "approval_required",
      reason: "no_approver",
    });
  });

  it.each<[how: string, answer: unknown]>([
    ["nothing", undefined],
    ["null", null],
    ["an unknown word", { decision: "yes" }],
    ["a plain true", true],
    ["the bare word", "allow-once"],
    ["a reason that is no text", { decision: "deny", reason: { toString: null } }],
  ])("is not given by %s", async (_how, answer) => {
    // A caller without types may answer anything.
    const { asked } = ask(async () => answer as never);
    await expect(asked).rejects.toMatchObject({
      code: "denied",
      reason: "not_approved",
      message: "say something was not approved.",
    });
  });

  it.each<[how: string, approver: Approver]>([
    [
      "throws",
      () => {
        throw new Error("line is dead");
      },
    ],
    ["rejects", () => Promise.reject(new Error("line is dead"))],
    [
      "answers what cannot be read",
      async () => ({
        get decision(): never {
          throw new Error("line is dead");
        },
      }),
    ],
  ])("is not given when asking %s", async (_how, approver) => {
    await expect(ask(approver).asked).rejects.toMatchObject({
      code: "denied",
      reason: "approval_failed",
      message: "say something was not approved: asking for it failed.",
      details: { failure: "line is dead" },
    });
  });
});

describe("waiting for an answer", () => {
  it("ends after 5 minutes, and whoever is asked learns of it", async () => {
    const { asked, clock, scope } = ask(never);
    clock.advance(5 * 60_000 - 1);
    expect(clock.pending()).toBe(1);
    clock.advance(1);
    await expect(asked).rejects.toMatchObject({
      code: "approval_required",
      reason: "approval_timeout",
      message: "say something needs an approval, and no one answered within 300 seconds.",
    });
    expect(scope.signal.aborted).toBe(true);
    expect(clock.pending()).toBe(0);
  });

  it("has the limit that was set", async () => {
    const { asked, clock } = ask(never, { limitMs: 2_000 });
    clock.advance(2_000);
    await expect(asked).rejects.toMatchObject({ reason: "approval_timeout" });
  });

  it("ends at once when the caller gives up", async () => {
    const controller = new AbortController();
    const { asked } = ask(never, { signal: controller.signal });
    controller.abort();
    await expect(asked).rejects.toMatchObject({ name: "AbortError" });
  });
});

it("shows a copy: what is changed in it does not run", async () => {
  const { asked } = ask(async ({ params }) => {
    // As a caller without types could.
    const shown = params as { text: string; to: string[] };
    shown.text = "changed";
    shown.to.push("nobody");
    return { decision: "allow-once" };
  });
  await asked;
  expect(request.params).toEqual({ text: "first", to: ["all"] });
});
