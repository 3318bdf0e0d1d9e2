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

  it("closes by the switches of tools too, and opens nothing by them", async () => {
    const { toolkit, names } = open({ tools: { web: { search: { enabled: false } } } });
    toolkit.setPolicy({ tools: { web: { fetch: { enabled: false } } } });
    expect(names()).toEqual(expect.not.arrayContaining(["web_fetch", "web_search"]));
    await toolkit.close();
  });

  it("opens nothing that the first config closed while other settings differ", async () => {
    const { toolkit, names } = open({ tools: { deny: ["exec"], exec: { security: "full" } } });
    toolkit.setPolicy({ tools: { deny: ["write"], exec: { security: "deny" } } });
    expect(names()).toEqual(expect.not.arrayContaining(["exec", "write"]));
    expect(toolkit.explain("exec").reason).toContain("in the config of the start");
    toolkit.setPolicy({ tools: { exec: { security: "full" } } });
    expect(names()).toEqual(expect.arrayContaining(["exec", "write"]));
    await toolkit.close();
  });

  it("refuses a config with another default agent", async () => {
    const { toolkit, names } = open({});
    const agents = { list: [{ id: "main", default: true, tools: { deny: ["write"] } }] };
    expect(() => toolkit.setPolicy({ agents })).toThrow("another default agent");
    expect(names()).toContain("write");
    await toolkit.close();
  });

  it("stops a command that waited for an approval when its tool was closed", async () => {
    const { root } = createStateSetting();
    const exec = { host: "gateway", security: "allowlist", ask: "always" } as const;
    let asked = 0;
    const toolkit = createToolkit({
      root,
      stateDir: false,
      config: { tools: { exec } },
      approve: async () => {
        asked += 1;
        toolkit.setPolicy({ tools: { deny: ["exec"], exec } });
        return { decision: "allow-once" };
      },
    });
    const result = await toolkit.invoke({
      id: "waits",
      name: "exec",
      arguments: { command: "echo ran" },
    });
    expect(asked).toBe(1);
    expect(result).toMatchObject({ isError: true, details: { reason: "tool_denied" } });
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
    ["nothing", undefined],
    ["null", null],
    ["a map", new Map([["tools", {}]])],
  ])("refuses %s and leaves the rules as they were", async (_, config) => {
    const { toolkit, names } = open({ tools: { deny: ["exec"] } });
    const before = names();
    // Whoever has no compiler may hand in anything.
    const given = config as unknown as Record<string, unknown>;
    expect(() => toolkit.setPolicy(given)).toThrow(expect.objectContaining({ status: 400 }));
    expect(names()).toEqual(before);
    expect(toolkit.explain("exec")).toMatchObject({ rule: 'tools.deny[0] "exec"' });
    await toolkit.close();
  });
});
