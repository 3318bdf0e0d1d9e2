// `toolkit.setPolicy`: other rules for tools while the toolkit lives.

import { createToolkit } from "clawtools";
import { describe, expect, it } from "vitest";
import { createStateSetting } from "./state-setting.js";

function open(config: object) {
  const { root } = createStateSetting();
  const toolkit = createToolkit({ root, stateDir: false, config });
  const names = () => toolkit.tools.map(({ name }) => name);
  return { toolkit, names };
}

describe("setPolicy", () => {
  it("holds for lists, schemas, explanations and calls from then on", async () => {
    const { toolkit, names } = open({});
    const [kept] = toolkit.tools.filter(({ name }) => name === "write");
    const told: (readonly string[])[] = [];
    toolkit.on("tools", (event) => told.push(event.names));
    expect(toolkit.setPolicy({ tools: { deny: ["write"] } })).toEqual([]);
    expect(names()).not.toContain("write");
    expect(toolkit.schemas().map(({ name }) => name)).not.toContain("write");
    expect(toolkit.explain("write")).toMatchObject({ rule: 'tools.deny[0] "write"' });
    expect(told).toEqual([names()]);
    // Also for a tool that was handed out before.
    const answer = await kept?.execute("1", { path: "a.txt", content: "a" });
    expect(answer).toMatchObject({ isError: true, details: { reason: "tool_denied" } });
    await toolkit.close();
  });

  it("gives back what the config before took away", async () => {
    const { toolkit, names } = open({ tools: { deny: ["write"] } });
    toolkit.setPolicy({});
    expect(names()).toContain("write");
    await toolkit.close();
  });

  it("knows the switches of tools too", async () => {
    const { toolkit, names } = open({});
    toolkit.setPolicy({ tools: { web: { fetch: { enabled: false } } } });
    expect(names()).not.toContain("web_fetch");
    await toolkit.close();
  });

  it("tells nobody when the same tools are left", async () => {
    const { toolkit } = open({});
    const told: unknown[] = [];
    toolkit.on("tools", (event) => told.push(event));
    toolkit.setPolicy({ tools: { profile: "full" } });
    expect(told).toEqual([]);
    await toolkit.close();
  });

  it("names the sections that count only for a new toolkit", async () => {
    const { toolkit } = open({
      limits: { resultChars: 1000 },
      agents: { list: [{ id: "a", tools: { deny: ["exec"] } }] },
    });
    const rest = toolkit.setPolicy({
      tools: { deny: ["exec"], exec: { security: "deny" } },
      agents: { list: [{ id: "a", tools: { deny: ["write"] } }] },
      limits: { resultChars: 2000 },
    });
    expect(rest.toSorted()).toEqual(["limits", "tools.exec"]);
    await toolkit.close();
  });

  it.each([
    ["a wrong value", { tools: { deny: 7 } }],
    ["a slip in a deny list", { tools: { deny: ["wirte"] } }],
    ["no object", "all"],
  ])("refuses %s and leaves the rules as they were", async (_, config) => {
    const { toolkit, names } = open({ tools: { deny: ["exec"] } });
    const before = names();
    // Whoever has no compiler may hand in anything.
    const given = config as Record<string, unknown>;
    expect(() => toolkit.setPolicy(given)).toThrow(expect.objectContaining({ status: 400 }));
    expect(names()).toEqual(before);
    expect(toolkit.explain("exec")).toMatchObject({ rule: 'tools.deny[0] "exec"' });
    await toolkit.close();
  });
});
