// The slips of models: other words for actions and kinds, other names for fields, wherever they stand.

import { describe, expect, it } from "vitest";
import { createFakeBrowsers } from "../../../test/fakes/browsers.js";
import { createManualClock, createRegistryOn } from "../../../test/fakes/manual-clock.js";
import { resolveTool } from "../../../test/fakes/resolve-tool.js";
import { ACT_KINDS, ACTIONS } from "./actions.js";
import { browser } from "./index.js";
import { ACTION_WORDS, KIND_WORDS } from "./spellings.js";

const registry = createRegistryOn(createManualClock());
registry.register(browser);
/** What the schema may cost: every model reads it with every request. */
const MAX_SCHEMA_CHARS = 4_900;

async function call(params: object, url = "https://shop.example/a/b?q=1") {
  const browsers = createFakeBrowsers();
  const tool = resolveTool({ registry, name: "browser", ctx: { browsers } });
  await tool.execute("call_0", { action: "open", targetUrl: url });
  const { content, isError } = await tool.execute("call_1", { ...params });
  const text = content.map((block) => (block.type === "text" ? block.text : "")).join("\n");
  return { text, isError, acts: browsers.acts, calls: browsers.calls };
}

const coords = { kind: "clickCoords", x: 3, y: 4 };

describe("a kind of act in the place of the action", () => {
  it.each([
    [
      { action: "click", ref: "e3" },
      { kind: "click", ref: "e3" },
    ],
    [
      { action: "Type", ref: "e3", text: "a" },
      { kind: "type", ref: "e3", text: "a" },
    ],
    [{ action: "fill", ref: "e3", value: "9:30" }, fill("9:30")],
    [{ action: "check", ref: "e3" }, fill(true)],
    [
      { action: "press", key: "Enter" },
      { kind: "press", key: "Enter" },
    ],
    [
      { action: "scroll", ref: "e3" },
      { kind: "scrollIntoView", ref: "e3" },
    ],
    [
      { action: "doubleClick", ref: "e3" },
      { kind: "click", ref: "e3", doubleClick: true },
    ],
    [
      { kind: "scroll", ref: "e3" },
      { kind: "scrollIntoView", ref: "e3" },
    ],
    [{ request: { kind: "dblclick", ref: "e3" } }, { kind: "click", ref: "e3", doubleClick: true }],
    [{ request: { action: "eval", code: "1" } }, { kind: "evaluate", fn: "1" }],
    [
      { action: "evaluate", script: "1" },
      { kind: "evaluate", fn: "1" },
    ],
    [
      { action: "select", ref: "e3", options: ["a"] },
      { kind: "select", ref: "e3", values: ["a"] },
    ],
    [
      { action: "drag", from: "e1", to: "e2" },
      { kind: "drag", startRef: "e1", endRef: "e2" },
    ],
    [
      { action: "clickCoords", x: 3, y: 4 },
      { kind: "clickCoords", x: 3, y: 4 },
    ],
    [{ action: "click", x: 3, y: 4 }, coords],
    [{ action: "mouse_click", x: 3, y: 4 }, coords],
    [{ request: { kind: "click", x: 3, y: 4 } }, coords],
  ])("%o", async (params, wanted) => {
    const { text, isError, acts } = await call(params);
    expect(isError, text).toBeUndefined();
    expect(acts).toEqual([wanted]);
  });

  function fill(value: string | boolean) {
    return { kind: "fill", fields: [{ ref: "e3", value }] };
  }
});

describe("scrolling the page", () => {
  it.each([
    [{ action: "scroll", direction: "down" }, { to: "down" }],
    [{ action: "scroll", direction: "Up", amount: 3 }, { to: "up" }],
    [
      { action: "scroll", y: 300 },
      { to: "down", px: 300 },
    ],
    [
      { action: "scroll", x: 0, y: -300 },
      { to: "up", px: 300 },
    ],
    [{ action: "scroll", deltaY: 99_999 }, { to: "bottom" }],
    [{ action: "scroll", scroll_direction: "bottom" }, { to: "bottom" }],
    [{ action: "scrollTo", y: 0 }, { to: "top" }],
    [{ action: "scroll", to: "top" }, { to: "top" }],
    [
      { action: "scroll", x: 200 },
      { to: "right", px: 200 },
    ],
    [
      { action: "scroll", direction: "left", amount: 200 },
      { to: "left", px: 200 },
    ],
    [{ action: "scroll_down" }, { to: "down" }],
    [
      { action: "scrollDown", amount: 500 },
      { to: "down", px: 500 },
    ],
    [{ action: "scroll_to_bottom" }, { to: "bottom" }],
    [{ action: "act", kind: "scroll", direction: "down" }, { to: "down" }],
    [{ action: "act", kind: "scrollIntoView", direction: "down" }, { to: "down" }],
    [{ request: { kind: "scroll", direction: "up" } }, { to: "up" }],
  ])("%o goes without a key", async (params, scroll) => {
    const { text, isError, acts } = await call(params);
    expect(isError, text).toBeUndefined();
    expect(acts).toEqual([{ kind: "scroll", ...scroll }]);
  });

  it("in a step of a batch too, and of the part that a ref names", async () => {
    const steps = [
      { action: "scroll", direction: "down" },
      { kind: "scroll", ref: "e3", direction: "down" },
    ];
    const { acts } = await call({ action: "act", kind: "batch", actions: steps });
    expect(acts).toEqual([
      { kind: "scroll", to: "down" },
      { kind: "scroll", to: "down", ref: "e3" },
    ]);
  });

  it("without a place is answered with the call", async () => {
    const { text, isError } = await call({ action: "scroll" });
    expect(isError).toBe(true);
    expect(text).toMatch(/needs ref\. The page itself .*direction.*down.*, or up, bottom, top/);
  });
});

describe("a ref", () => {
  it.each([
    'textbox "Email" [ref=e2]',
    '- textbox "Email [draft]" [ref=e2] [required]: a@b.c',
    "aria-ref=e2",
    "e2 textbox",
    "[e2] textbox",
    "#e2",
    '["e2"]',
    "E2",
  ])("%s is read", async (ref) => {
    const { text, isError, acts } = await call({ kind: "click", ref });
    expect(isError, text).toBeUndefined();
    expect(acts).toEqual([{ kind: "click", ref: "e2" }]);
  });

  it.each(["f2e5", "#email", "a [ref=e2] or [ref=e3]", '["e2", "e3"]', "#2"])(
    "%s is none",
    async (ref) => {
      const { isError, acts } = await call({ kind: "click", ref });
      expect([isError, acts]).toEqual([true, []]);
    },
  );
});

describe("a slip", () => {
  it.each([
    [{ request: { type: "click", ref: "e3" } }, { kind: "click", ref: "e3" }],
    [
      { action: "act", kind: "batch", actions: [{ type: "left_click", coordinate: [3, 4] }] },
      { kind: "clickCoords", x: 3, y: 4 },
    ],
    [
      { kind: "click", targetRef: "e3", tab: "t1" },
      { kind: "click", ref: "e3" },
    ],
    [
      { kind: "fill", fields: { e3: "a", e4: true } },
      {
        kind: "fill",
        fields: [
          { ref: "e3", value: "a" },
          { ref: "e4", value: true },
        ],
      },
    ],
    [
      { kind: "fill", fields: { ref: "e3", value: ["red", "blue"] } },
      { kind: "fill", fields: [{ ref: "e3", value: ["red", "blue"] }] },
    ],
  ])("%o is understood", async (params, wanted) => {
    const { text, isError, acts } = await call(params);
    expect(isError, text).toBeUndefined();
    expect(acts).toEqual([wanted]);
  });

  it.each([
    [{ action: "upload", files: "a.txt", inputRef: "e3" }],
    [{ action: "upload", path: "a.txt", inputRef: "e3" }],
  ])("%o sends one file", async (params) => {
    const { text, isError, calls } = await call(params);
    expect(isError, text).toBeUndefined();
    expect(calls).toContainEqual(["upload", expect.objectContaining({ paths: ["a.txt"] })]);
  });

  it("time is refused with the name that says the unit", async () => {
    const { text, isError } = await call({ kind: "wait", time: 2 });
    expect(isError).toBe(true);
    expect(text).toContain(
      'Unknown parameter \\"time\\"; did you mean \\"timeMs\\" (milliseconds: 2000 is 2 seconds)?',
    );
    const inside = await call({ action: "act", request: { kind: "wait", time: 2 } });
    expect(inside.text).toContain(
      'Unknown field \\"time\\" in request; did you mean \\"timeMs\\" (milliseconds: 2000 is 2 seconds)?',
    );
  });

  it("level warn is warning", async () => {
    const { text, isError } = await call({ action: "console", level: "warn" });
    expect(isError, text).toBeUndefined();
  });

  it.each(["createProfile", "create_profile"])("%s makes a profile", async (action) => {
    const { text, isError } = await call({ action, profile: "work" });
    expect(isError, text).toBeUndefined();
  });
});

describe("another word for an action", () => {
  it.each([
    [{ action: "goto", url: "https://x.example/" }, ["navigate", "https://x.example/"]],
    [{ action: "back" }, ["history", "back"]],
    [{ action: "reload" }, ["history", "reload"]],
    [{ action: "navigate", targetUrl: "Forward" }, ["history", "forward"]],
    [{ action: "navigate", url: "/form" }, ["navigate", "https://shop.example/form"]],
    [{ action: "navigate", url: "../c" }, ["navigate", "https://shop.example/c"]],
    [{ action: "navigate", url: "?q=2" }, ["navigate", "https://shop.example/a/b?q=2"]],
    [{ action: "open", url: "/form" }, ["open", "https://shop.example/form"]],
    [{ action: "navigate", url: "//cdn.example/" }, ["navigate", "https://cdn.example/"]],
    [{ action: "navigate", url: "javascript:1" }, ["navigate", "javascript:1"]],
    [{ action: "navigate", url: "shop:8080/a" }, ["navigate", "https://shop:8080/a"]],
    [{ action: "snapshot", format: "ai" }, ["list", {}]],
    [{ action: "screenshot", format: "jpg" }, ["screenshot", { type: "jpeg" }]],
    [{ action: "screenshot", path: "a.png" }, ["screenshot", { path: "a.png" }]],
    [{ action: "focus", targetId: "T1" }, ["focus", "t1"]],
    [{ action: "close", targetId: 1 }, ["closeTab", "t1"]],
    [{ action: "close", targetId: "1" }, ["closeTab", "t1"]],
  ])("%o", async (params, wanted) => {
    const { text, isError, calls } = await call(params);
    expect(isError, text).toBeUndefined();
    expect(calls).toContainEqual(wanted);
  });

  it("names no action and no kind itself", () => {
    const actions: readonly string[] = ACTIONS;
    const kinds: readonly string[] = ACT_KINDS.map((kind) => kind.toLowerCase());
    expect(Object.keys(ACTION_WORDS).filter((word) => actions.includes(word))).toEqual([]);
    expect(Object.keys(KIND_WORDS).filter((word) => kinds.includes(word))).toEqual([]);
  });
});

describe("what cannot be meant", () => {
  it("an unknown action is answered with all that there are", async () => {
    const { text } = await call({ action: "nope" });
    for (const action of ACTIONS) expect(text).toContain(`${action}\\"`);
    expect(text).not.toContain("more");
  });

  it("a kind inside request is answered with all that there are, and the nearest", async () => {
    const { text } = await call({ request: { kind: "clikc", ref: "e1" } });
    expect(text).toMatch(/one of click, .*, close \(nearest: click\); received/);
  });

  it.each([
    ["action", "clik", 'action "act", kind "click"'],
    ["action", "snapshto", '"snapshot"'],
    ["kind", "scrol", 'kind "scrollIntoView"'],
    ["action", "scrolldwn", 'action "act", kind "scrollIntoView", key "down"'],
    ["action", "dubleclick", 'action "act", kind "click", doubleClick true'],
  ])("of %s %s the nearest is named in words that are documented", async (name, word, nearest) => {
    const { text, isError } = await call({ [name]: word, ref: "e1" });
    expect(isError).toBe(true);
    expect(text).toContain(`did you mean ${nearest.replaceAll('"', '\\"')}?`);
  });

  it("a relative address needs a page", async () => {
    const { text } = await call({ action: "navigate", url: "/form" }, "about:blank");
    expect(text).toMatch(/\/form.* is an address without a host/);
  });
});

it("the schema stays small", () => {
  expect(JSON.stringify(browser.parameters).length).toBeLessThanOrEqual(MAX_SCHEMA_CHARS);
});
