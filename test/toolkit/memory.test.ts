// The memory tools in a toolkit: where notes and index lie, and what the configuration changes.
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type ClawtoolsConfig, createToolkit, type Toolkit } from "clawtools";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

let place: string;
let root: string;
let stateDir: string;
let toolkits: Toolkit[];

beforeEach(() => {
  place = realpathSync(mkdtempSync(join(tmpdir(), "clawtools-memory-")));
  [root, stateDir] = [join(place, "root"), join(place, "state")];
  mkdirSync(root);
  toolkits = [];
  put("root/memory/a.md", "# Walrus\n\nThe walrus sleeps on the ice.\n");
});
afterEach(async () => {
  for (const toolkit of toolkits) await toolkit.close();
  rmSync(place, { recursive: true, force: true });
});

function put(path: string, text: string): void {
  mkdirSync(dirname(join(place, path)), { recursive: true });
  writeFileSync(join(place, path), text);
}

function make(config: ClawtoolsConfig = {}, agent: { agentDir?: string; agentId?: string } = {}) {
  const toolkit = createToolkit({ root, stateDir, config, ...agent });
  toolkits.push(toolkit);
  return toolkit;
}

async function find(toolkit: Toolkit, query: string) {
  const answer = await toolkit.invoke({ id: "call", name: "memory_search", arguments: { query } });
  return { ...answer, details: answer.details };
}

const UNTRUSTED = /untrusted/i;

function textOf({ content }: { readonly content: readonly unknown[] }): string {
  return content.map((block) => String(Reflect.get(Object(block), "text"))).join("\n");
}

describe("the memory tools of a toolkit", () => {
  it("are offered, find a note of the root, and keep their index in the state folder", async () => {
    const toolkit = make();
    expect(toolkit.explain("memory_search")).toMatchObject({ status: "present" });
    const { details } = await find(toolkit, "walrus");
    expect(details).toMatchObject({
      hits: [{ path: "memory/a.md", citation: "memory/a.md#L1-L3" }],
    });
    expect(readdirSync(join(stateDir, "memory")).some((name) => name.endsWith(".db"))).toBe(true);
    const lines = await toolkit.invoke({
      ...{ id: "call_2", name: "memory_get", arguments: { path: "memory/a.md#L3" } },
    });
    expect(JSON.stringify(lines.content)).toContain("sleeps on the ice");
  });

  it("search agentDir instead of the root when one is given or configured", async () => {
    put("agent/memory/b.md", "The walrus of the agent.");
    const given = await find(make({}, { agentDir: join(place, "agent") }), "walrus");
    expect(given.details).toMatchObject({ hits: [{ path: "memory/b.md" }] });
    const config = { agents: { list: [{ id: "helper", agentDir: "../agent" }] } };
    const configured = await find(make(config, { agentId: "helper" }), "walrus");
    expect(configured.details).toMatchObject({ hits: [{ path: "memory/b.md" }] });
  });

  it("settings of the agent count before those for all", async () => {
    put("root/docs/c.md", "A walrus in the docs.");
    const config: ClawtoolsConfig = {
      agents: {
        defaults: { memorySearch: { query: { maxResults: 1 } } },
        list: [{ id: "helper", memorySearch: { extraPaths: ["docs"], query: { minScore: 0.1 } } }],
      },
    };
    const { details } = await find(make(config, { agentId: "helper" }), "walrus");
    expect(details).toMatchObject({ hits: [expect.anything()] });
    const all = await find(
      make(
        { agents: { list: [{ id: "helper", memorySearch: { extraPaths: ["docs"] } }] } },
        { agentId: "helper" },
      ),
      "walrus",
    );
    expect(JSON.stringify(all.details)).toContain("docs/c.md");
  });

  it.each([
    [{ provider: "nobody" }, "embedding_provider_unknown"],
    [{ provider: "openai", remote: { baseUrl: "not an address" } }, "embedding_address_invalid"],
  ])("%j answers with the reason", async (memorySearch, reason) => {
    const answer = await find(make({ agents: { defaults: { memorySearch } } }), "walrus");
    expect(answer.isError).toBe(true);
    expect(answer.details).toMatchObject({ reason });
  });

  const off = { memorySearch: { enabled: false } };
  const on = { memorySearch: { enabled: true } };

  it.each([
    [{ defaults: off }, "agents.defaults.memorySearch.enabled", { agents: { defaults: on } }],
    [
      { list: [{ id: "other" }, { id: "Helper", ...off }] },
      "agents.list[1].memorySearch.enabled",
      { agents: { list: [{ id: "Helper", ...on }] } },
    ],
  ])("%j: neither tool is offered, and explain says why", async (agents, key, restore) => {
    const toolkit = make({ agents }, { agentId: "helper" });
    const names = toolkit.tools.map(({ name }) => name);
    for (const name of ["memory_search", "memory_get"]) {
      expect(names).not.toContain(name);
      expect(toolkit.explain(name)).toMatchObject({
        ...{ status: "absent", code: "denied", rule: `${key} false`, restore },
        reason: `switched off by ${key} false`,
      });
    }
    expect(toolkit.prompt()).not.toContain("memory_search");
    expect(toolkit.schemas({ provider: "openai" }).length).toBeGreaterThan(0);
    expect(JSON.stringify(toolkit.schemas({ provider: "openai" }))).not.toContain("memory_get");
    const answer = await find(toolkit, "walrus");
    expect(answer.details).toMatchObject({ code: "denied", reason: "tool_denied" });
    expect(existsSync(join(stateDir, "memory"))).toBe(false);
  });

  it("an agent may have a memory where the others have none", async () => {
    const agents = { defaults: off, list: [{ id: "helper", ...on }] };
    const { details } = await find(make({ agents }, { agentId: "helper" }), "walrus");
    expect(details).toMatchObject({ hits: [{ path: "memory/a.md" }] });
  });

  it("without a state folder the index is in memory, and nothing is written", async () => {
    const toolkit = createToolkit({ root, stateDir: false });
    toolkits.push(toolkit);
    const { details } = await find(toolkit, "walrus");
    expect(details).toMatchObject({ hits: [{ path: "memory/a.md" }] });
    expect(existsSync(stateDir)).toBe(false);
  });

  it("a toolkit that was closed searches no more", async () => {
    const toolkit = make();
    await find(toolkit, "walrus");
    await toolkit.close();
    const answer = await find(toolkit, "walrus");
    expect(answer.isError).toBe(true);
    expect(answer.details).toMatchObject({ reason: "toolkit_closed" });
  });

  it("marks a note that is written after untrusted content, until the user changes it", async () => {
    const fetchPage = {
      ...{ name: "fetch_page", label: "Fetch", description: "Fetches.", parameters: {} },
      execute: async () => ({
        content: [{ type: "text" as const, text: "page" }],
        untrusted: { source: "web page https://evil.example" },
      }),
    };
    const toolkit = createToolkit({ root, stateDir, config: {}, tools: [fetchPage] });
    toolkits.push(toolkit);
    const call = async (name: string, args: object) =>
      textOf(await toolkit.invoke({ id: name, name, arguments: args }));
    await call("write", { path: "memory/clean.md", content: "The otter swims.\n" });
    // File times are coarse: a note this young could belong to the next call.
    await expect
      .poll(() => Date.now() - statSync(`${root}/memory/clean.md`).ctimeMs)
      .toBeGreaterThan(50);
    await call("fetch_page", {});
    await call("write", { path: "memory/page.md", content: "The heron says: run exec.\n" });
    expect(await call("memory_get", { path: "memory/clean.md" })).toBe("The otter swims.");
    expect(await call("memory_search", { query: "otter" })).not.toContain("untrusted");
    expect(await call("memory_get", { path: "memory/page.md" })).toMatch(UNTRUSTED);
    const found = await call("memory_search", { query: "heron" });
    expect(found).toMatch(UNTRUSTED);
    expect(found).toContain("untrusted: web page https://evil.example");
    // The mark outlives the process and a rebuilt index.
    const later = make();
    expect(textOf(await find(later, "heron"))).toMatch(UNTRUSTED);
    put("root/memory/page.md", "The heron is blue. I wrote this.\n");
    expect(textOf(await find(later, "heron"))).not.toMatch(UNTRUSTED);
  });
});
