// The audit of a toolkit: on by default, behind the answers, and never in their way.

import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { createToolkit } from "clawtools";
import { describe, expect, it } from "vitest";
import { listRows, verifyAudit } from "../../src/audit/index.js";
import { createStateSetting, write } from "./state-setting.js";

const FREE = { tools: { exec: { host: "gateway", security: "full", ask: "off" } } } as const;

describe("the audit of a toolkit", () => {
  it("has every call when the toolkit is closed, also of two toolkits at once", async () => {
    const { start, stateDir } = createStateSetting();
    const toolkits = [start(), start({ agentId: "other", sender: { id: "42" } })];
    const calls = toolkits.flatMap(({ toolkit }, index) =>
      Array.from({ length: 20 }, (_, count) =>
        write(toolkit, { id: `${index}-${count}`, path: `${index}-${count}.txt`, content: "x" }),
      ),
    );
    await Promise.all(calls);
    await Promise.all(toolkits.map(({ toolkit }) => toolkit.close()));
    const rows = await listRows(stateDir, { limit: 100 });
    expect(new Set(rows.map(({ toolCallId }) => toolCallId)).size).toBe(40);
    const others = rows.filter(({ agentId, sender }) => agentId === "other" && sender === "id:42");
    expect(others).toHaveLength(20);
    expect(await verifyAudit(stateDir)).toMatchObject({ isWhole: true, rows: 41 });
  });

  it("says who let a call through: the one who was asked, or what lets commands run", async () => {
    const { start, stateDir } = createStateSetting();
    const { toolkit } = start({
      config: FREE,
      approve: async () => ({ decision: "allow-once" }),
      hooks: {
        beforeCall: [
          ({ toolName }) => (toolName === "write" ? { requireApproval: "Writing" } : undefined),
        ],
      },
    });
    await write(toolkit, { id: "w", content: "x" });
    await toolkit.invoke({ id: "x", name: "exec", arguments: { command: "true" } });
    await toolkit.invoke({ id: "r", name: "read", arguments: { path: "a.txt" } });
    await toolkit.close();
    const rows = await listRows(stateDir, { limit: 10 });
    expect(rows.map(({ approvedBy }) => approvedBy)).toEqual([
      "allow-once by the approver",
      expect.stringMatching(/^full: /),
      undefined,
    ]);
  });

  it("is kept off the disk by audit.enabled: false, and by stateDir: false", async () => {
    const { root, stateDir } = createStateSetting();
    for (const options of [
      { stateDir, config: { audit: { enabled: false } } },
      { stateDir: false },
    ] as const) {
      const toolkit = createToolkit({ root, ...options });
      const seen: string[] = [];
      toolkit.on("call", ({ toolCallId }) => seen.push(toolCallId));
      await toolkit.invoke({ id: "r", name: "read", arguments: { path: "none" } });
      await toolkit.close();
      expect(seen).toEqual(["r"]);
      expect(existsSync(join(stateDir, "audit.jsonl"))).toBe(false);
    }
  });

  it("stops no call when it cannot be written, and says so once", async () => {
    const { start, stateDir } = createStateSetting();
    mkdirSync(join(stateDir, "audit.jsonl"), { recursive: true });
    const { toolkit } = start();
    for (const id of ["1", "2", "3"]) {
      expect(await write(toolkit, { id, content: id })).toMatchObject({ isError: false });
    }
    const told = () => toolkit.diagnostics().filter(({ code }) => code === "audit_problem");
    await expect.poll(() => told().length).toBe(1);
    expect(told()[0]?.message).toContain("cannot be written");
    rmSync(join(stateDir, "audit.jsonl"), { recursive: true });
    await toolkit.close();
    const rows = await listRows(stateDir, { limit: 10 });
    // The place of the fourth depends on which rows were gathered when the folder went.
    expect(rows.map(({ kind }) => kind).sort()).toEqual(["call", "call", "call", "late"]);
  });

  it("is not changed by any call, though the state folder lies in the root", async () => {
    const { place, stateDir } = createStateSetting();
    const toolkit = createToolkit({ root: place, stateDir });
    await toolkit.invoke({ id: "r", name: "read", arguments: { path: "none" } });
    for (const name of ["audit.jsonl", "audit.head.json", "audit.key"]) {
      const answer = await toolkit.invoke({
        id: name,
        name: "write",
        arguments: { path: `state/${name}`, content: "" },
      });
      expect(answer).toMatchObject({ isError: true });
    }
    await toolkit.close();
    expect(readFileSync(join(stateDir, "audit.key"), "utf8")).toMatch(/^[0-9a-f]{64}\n$/);
    expect(await verifyAudit(stateDir)).toMatchObject({ isWhole: true });
  });
});
