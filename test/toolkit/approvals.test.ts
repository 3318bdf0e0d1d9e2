// What an approval is worth: once, or always for the very same call; and how long it is waited for.

import type { ApprovalAnswer, ApprovalRequest } from "clawtools";
import { describe, expect, it } from "vitest";
import { startToolkit, textOf } from "./start-toolkit.js";

function startAsking(decision: ApprovalAnswer["decision"]) {
  const asked: ApprovalRequest[] = [];
  const started = startToolkit({
    hooks: { beforeCall: [() => ({ requireApproval: "Reading" })] },
    approve: async (request) => {
      asked.push(request);
      return { decision };
    },
  });
  const read = (given: Record<string, unknown>) => started.call("read", { arguments: given });
  return { asked, read };
}

describe("an approval", () => {
  it("for always is not asked for again for the same tool and the same arguments", async () => {
    const { asked, read } = startAsking("allow-always");
    await read({ path: "notes.txt", limit: 1 });
    const again = await read({ limit: 1, path: "notes.txt" });
    expect(again.isError).toBe(false);
    expect(asked).toHaveLength(1);
    await read({ path: "notes.txt", limit: 2 });
    expect(asked).toHaveLength(2);
  });

  it.each(["allow-once", "deny"] as const)("of %s is asked for each time", async (decision) => {
    const { asked, read } = startAsking(decision);
    await read({ path: "notes.txt" });
    await read({ path: "notes.txt" });
    expect(asked).toHaveLength(2);
  });

  it("is one of the toolkit that asked, and of no other", async () => {
    await startAsking("allow-always").read({ path: "notes.txt" });
    const other = startAsking("allow-always");
    await other.read({ path: "notes.txt" });
    expect(other.asked).toHaveLength(1);
  });

  it("is waited for as long as approvals.timeoutMs says", async () => {
    const { call } = startToolkit({
      config: { approvals: { timeoutMs: 20 } },
      hooks: { beforeCall: [() => ({ requireApproval: "Reading" })] },
      approve: (_request, { signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener("abort", () => reject(signal.reason));
        }),
    });
    const answer = await call("read", { arguments: { path: "notes.txt" } });
    expect(answer.isError).toBe(true);
    expect(textOf(answer)).toContain("within 0.02 seconds");
  });
});
