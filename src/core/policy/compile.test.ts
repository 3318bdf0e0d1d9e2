// Edits, the patches that stand for them, and patches put over a config.

import { describe, expect, it } from "vitest";
import { applyEdit, mergePatch, toPatch } from "./compile.js";

describe("applyEdit", () => {
  it("makes what is missing, replaces what is in the way, and leaves the given config alone", () => {
    const config = { tools: 5, list: [{ id: "a" }, { id: "b" }] };
    expect(applyEdit(config, { path: ["tools", "deny"], value: [] })).toEqual({
      ...config,
      tools: { deny: [] },
    });
    expect(applyEdit(config, { path: ["list", 1, "x"], value: 1 })).toEqual({
      tools: 5,
      list: [{ id: "a" }, { id: "b", x: 1 }],
    });
    expect(config).toEqual({ tools: 5, list: [{ id: "a" }, { id: "b" }] });
  });

  it("writes keys such as __proto__ as plain keys", () => {
    const changed = applyEdit({}, { path: ["__proto__", "polluted"], value: true });
    expect(JSON.stringify(changed)).toBe('{"__proto__":{"polluted":true}}');
    expect(Reflect.get({}, "polluted")).toBeUndefined();
  });
});

describe("toPatch", () => {
  const config = {
    tools: { profile: "coding", deny: ["a"] },
    agents: { list: [{ id: "x", apiKey: "secret", tools: { deny: ["b"] } }, { id: "y" }, {}] },
  };

  it("holds the changed places alone, and nothing that stands beside them", () => {
    expect(toPatch(config, [["tools", "deny"]])).toEqual({ tools: { deny: ["a"] } });
    expect(
      toPatch(config, [
        ["agents", "list", 0, "tools", "deny"],
        ["tools", "profile"],
      ]),
    ).toEqual({
      agents: { list: [{ id: "x", tools: { deny: ["b"] } }] },
      tools: { profile: "coding" },
    });
  });

  it("is none for an entry that no id names", () => {
    expect(toPatch(config, [["agents", "list", 2, "tools"]])).toBeUndefined();
  });
});

describe("mergePatch", () => {
  it("merges objects and replaces everything else", () => {
    const config = { a: { b: 1, c: [1, 2] }, d: [3], e: 5 };
    expect(mergePatch(config, { a: { c: [] }, d: { f: 1 }, e: {} })).toEqual({
      a: { b: 1, c: [] },
      d: { f: 1 },
      e: {},
    });
  });

  it("merges entries of a list by their id, adds those that are new, and keeps the others", () => {
    const list = [{ id: "x", secret: "s", tools: { deny: ["a"] } }, { id: "y" }, 5];
    const patch = { list: [{ id: "x", tools: { deny: [] } }, { id: "z" }] };
    expect(mergePatch({ list }, patch)).toEqual({
      list: [{ id: "x", secret: "s", tools: { deny: [] } }, { id: "y" }, 5, { id: "z" }],
    });
    expect(mergePatch({ list }, { list: [] })).toEqual({ list: [] });
  });

  it("never touches a prototype", () => {
    const patch: Record<string, unknown> = JSON.parse('{ "__proto__": { "polluted": true } }');
    const merged = mergePatch({}, patch);
    expect(Object.getPrototypeOf(merged)).toBe(Object.prototype);
    expect(Reflect.get({}, "polluted")).toBeUndefined();
  });
});
