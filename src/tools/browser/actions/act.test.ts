// Every kind of act: how its fields are read, wherever and however they come, and what is answered.

import { describe, expect, it } from "vitest";
import { createFakeBrowsers, element, type FakeAnswers } from "../../../../test/fakes/browsers.js";
import { createManualClock, createRegistryOn } from "../../../../test/fakes/manual-clock.js";
import { resolveTool } from "../../../../test/fakes/resolve-tool.js";
import { type ToolContext, ToolError, type ToolResult } from "../../../core/index.js";
import { browser } from "../index.js";

/** One registry, so that the schema is compiled once. */
const registry = createRegistryOn(createManualClock());
registry.register(browser);
const bind = (ctx: ToolContext) => resolveTool({ registry, name: "browser", ctx });

const textOf = ({ content }: ToolResult) =>
  content.map((block) => (block.type === "text" ? block.text : "")).join("\n");

async function act(params: object, answers: FakeAnswers = {}) {
  const browsers = createFakeBrowsers({}, answers);
  const result = await bind({ browsers }).execute("call_1", { ...params });
  return { result, text: textOf(result), browsers, acts: browsers.acts };
}

describe("act", () => {
  it.each([
    [
      { kind: "click", ref: "e1" },
      { kind: "click", ref: "e1" },
    ],
    [
      { kind: "click", ref: "e1", button: "Right", modifiers: "Ctrl", doubleClick: "true" },
      { kind: "click", ref: "e1", button: "right", modifiers: ["Control"], doubleClick: true },
    ],
    [
      { kind: "clickCoords", x: "3", y: 4 },
      { kind: "clickCoords", x: 3, y: 4 },
    ],
    [
      { kind: "type", ref: "e1", text: "hi", submit: true, slowly: true },
      { kind: "type", ref: "e1", text: "hi", submit: true, slowly: true },
    ],
    [
      { kind: "type", ref: "e1", text: "" },
      { kind: "type", ref: "e1", text: "" },
    ],
    [
      { kind: "type", ref: "e1", value: 5 },
      { kind: "type", ref: "e1", text: "5" },
    ],
    [
      { kind: "press", key: "Esc" },
      { kind: "press", key: "Escape" },
    ],
    [
      { kind: "press", text: "return" },
      { kind: "press", key: "Enter" },
    ],
    [
      { kind: "hover", ref: "e1" },
      { kind: "hover", ref: "e1" },
    ],
    [
      { kind: "scrollIntoView", ref: "e1" },
      { kind: "scrollIntoView", ref: "e1" },
    ],
    [
      { kind: "drag", ref: "e1", endRef: "e2" },
      { kind: "drag", startRef: "e1", endRef: "e2" },
    ],
    [
      { kind: "drag", from: 1, to: 2 },
      { kind: "drag", startRef: "e1", endRef: "e2" },
    ],
    [
      { kind: "select", ref: "e1", values: "M" },
      { kind: "select", ref: "e1", values: ["M"] },
    ],
    [
      { kind: "fill", ref: "e1", text: "x" },
      { kind: "fill", fields: [{ ref: "e1", value: "x" }] },
    ],
    [
      {
        kind: "fill",
        fields: [
          { ref: 3, value: true, type: "checkbox" },
          { ref: "e4", text: "b" },
        ],
      },
      {
        kind: "fill",
        fields: [
          { ref: "e3", value: true, type: "checkbox" },
          { ref: "e4", value: "b" },
        ],
      },
    ],
    [
      { kind: "resize", width: "800", height: 600 },
      { kind: "resize", width: 800, height: 600 },
    ],
    [
      { kind: "wait", text: "Done", url: "**/ok", load_state: "LOAD" },
      { kind: "wait", text: "Done", url: "**/ok", loadState: "load" },
    ],
    [
      { kind: "wait", ms: 50 },
      { kind: "wait", timeMs: 50 },
    ],
    [
      { kind: "evaluate", expression: "1+1" },
      { kind: "evaluate", fn: "1+1" },
    ],
  ])("reads %o inside request and beside it", async (request, wanted) => {
    for (const params of [{ request }, request]) {
      const { result, acts } = await act({ action: "act", ...params });
      expect(result.isError, textOf(result)).toBeUndefined();
      expect(acts).toEqual([wanted]);
    }
  });

  it.each([
    [
      { kind: "click", ref: 12 },
      { kind: "click", ref: "e12" },
    ],
    [
      { kind: "click", request: { ref: "@e12" } },
      { kind: "click", ref: "e12" },
    ],
    [
      { request: { kind: "click" }, ref: "[ref=e12]" },
      { kind: "click", ref: "e12" },
    ],
    [{ request: '{"kind":"click","ref":"ref=e12"}' }, { kind: "click", ref: "e12" }],
    [
      { kind: "select", ref: "e1", values: "A" },
      { kind: "select", ref: "e1", values: ["A"] },
    ],
    [
      { kind: "wait", text_gone: "Loading" },
      { kind: "wait", textGone: "Loading" },
    ],
    [
      { kind: "fill", fields: '[{"ref":"e1","value":"x"}]' },
      { kind: "fill", fields: [{ ref: "e1", value: "x" }] },
    ],
    [
      { kind: "fill", request: { fields: { e1: "x" } } },
      { kind: "fill", fields: [{ ref: "e1", value: "x" }] },
    ],
  ])("reads fields beside it too, without the word act: %o", async (params, wanted) => {
    const { result, acts } = await act(params);
    expect(result.isError, textOf(result)).toBeUndefined();
    expect(acts).toEqual([wanted]);
  });

  it("276 · takes request where both are given, and says so", async () => {
    const { text, acts } = await act({ kind: "click", ref: "e1", request: { ref: "e2" } });
    expect(acts).toEqual([{ kind: "click", ref: "e2" }]);
    expect(text).toContain("[ref came twice; that inside request was taken.]");
  });

  it("244 · finds the tab and the time wherever they stand", async () => {
    const { browsers } = await act({ request: { kind: "close", targetId: "t1", timeoutMs: 900 } });
    expect(browsers.calls).toEqual([["closeTab", "t1"]]);
    const other = await act({ kind: "hover", ref: "e1", request: { timeout: 900 } });
    expect(other.browsers.calls[0]).toEqual(["page", undefined, 900]);
  });

  it.each([
    ["Return", "Enter"],
    ["Del", "Delete"],
    ["ctrl+a", "Control+a"],
    ["Cmd+Shift+P", "Meta+Shift+P"],
    ["Ctrl-c", "Control-c".replace("-", "+")],
    ["Control++", "Control++"],
    ["-", "-"],
    ["pagedown", "PageDown"],
    ["up", "ArrowUp"],
    ["f5", "F5"],
    ["a", "a"],
    ["ö", "ö"],
  ])("presses %s as %s", async (key, wanted) => {
    expect((await act({ kind: "press", key })).acts).toEqual([{ kind: "press", key: wanted }]);
  });

  it.each([
    [{ kind: "click" }, /click needs ref\. .*query/, "arguments_invalid"],
    [
      { kind: "click", ref: "#save" },
      /must be a ref from snapshot.*CSS is only for/,
      "ref_invalid",
    ],
    [{ kind: "click", selector: "#save" }, /takes a ref, no selector/, "selector_unsupported"],
    [{ kind: "click", ref: "f7e1" }, /must be a ref from snapshot/, "ref_invalid"],
    [{ kind: "type", ref: "e1" }, /type needs text/, "arguments_invalid"],
    [{ kind: "press" }, /press needs key/, "arguments_invalid"],
    [{ kind: "drag", startRef: "e1" }, /drag needs endRef/, "arguments_invalid"],
    [{ kind: "select", ref: "e1" }, /select needs values/, "arguments_invalid"],
    [{ kind: "fill" }, /fill needs fields, or ref and text/, "arguments_invalid"],
    [{ kind: "fill", fields: [{ ref: "e1" }] }, /fields\[0\] needs value/, "arguments_invalid"],
    [{ kind: "resize", width: 5 }, /resize needs height/, "arguments_invalid"],
    [{ kind: "wait", timeoutMs: 5 }, /wait needs one of timeMs/, "arguments_invalid"],
    [{ kind: "evaluate" }, /evaluate needs fn/, "arguments_invalid"],
    [{ kind: "clickCoords", request: { x: 1 } }, /needs y/, "arguments_invalid"],
    [{ request: { kind: "clikc", ref: "e1" } }, /kind must be one of click/, "arguments_invalid"],
    [{ request: { kind: "click", reff: "e1" } }, /did you mean \\"ref\\"/, "unknown_parameter"],
    [
      { request: { kind: "click", ref: "e1", button: "up" } },
      /left, right, middle/,
      "arguments_invalid",
    ],
    [{ kind: "batch" }, /needs actions/, "arguments_invalid"],
    [{ action: "act" }, /needs a kind/, "act_kind_missing"],
    [{}, /action is missing/, "arguments_invalid"],
  ])("refuses %o with what to send", async (params, wanted, reason) => {
    const { result, text, acts } = await act(params);
    expect(result).toMatchObject({ isError: true, details: { code: "invalid_input", reason } });
    expect(text).toMatch(wanted);
    expect(acts).toEqual([]);
  });

  it("answers with the change and nothing more", async () => {
    const added = [element({ ref: "e9", role: "status", name: "Saved" })];
    const counts = { added: 1, removed: 0, changed: 0 };
    const { text, result } = await act({ kind: "click", ref: "e1" }, { change: { added, counts } });
    expect(/<<<EXTERNAL[^\n]*\n([\s\S]*?)\n<<<END/.exec(text)?.[1]).toBe(
      '+ status "Saved" [ref=e9]',
    );
    expect(result.details).toMatchObject({ ok: true, kind: "click", change: { added: 1 } });
  });

  const inner = (text: string) => /<<<EXTERNAL[^\n]*\n([\s\S]*?)\n<<<END/.exec(text)?.[1] ?? text;
  const field = element({ ref: "e2", role: "textbox", name: "Name" });

  it.each([
    [{ kind: "press", key: "Tab" }, { focus: field }, '~ focus: textbox "Name" [ref=e2]'],
    [
      { kind: "press", key: "End" },
      { scrolled: { top: 4680, ofPx: 5000 } },
      "~ scrolled to 4680 of 5000 px",
    ],
    [{ kind: "click", ref: "e2" }, { focus: field }, "click e2; nothing on the page changed."],
    [{ kind: "click", ref: "e1" }, { focus: field }, '~ focus: textbox "Name" [ref=e2]'],
    [
      { kind: "click", ref: "e1" },
      { scrolled: { top: 1, ofPx: 2 } },
      "click e1; nothing on the page changed.",
    ],
    [
      { kind: "wait", text: "Ready", timeMs: 5 },
      {},
      'Waited: 5 ms passed, the text "Ready" is there. Nothing on the page changed.',
    ],
    [
      { kind: "resize", width: 800, height: 600 },
      {},
      "The window is 800x600 now. Nothing on the page changed.",
    ],
    [
      { kind: "drag", startRef: "e1", endRef: "e2" },
      {},
      "drag e1 to e2; nothing on the page changed.",
    ],
  ])("tells of %o with %o", async (params, change, wanted) => {
    expect(inner((await act(params, { change })).text)).toBe(wanted);
  });

  it("says what a wait saw, also when the page changed", async () => {
    const change = { added: [field], counts: { added: 1, removed: 0, changed: 0 } };
    const { text } = await act({ kind: "wait", textGone: "Loading" }, { change });
    expect(text).toContain('[Waited: the text "Loading" is not there.]');
  });

  const dialog = (isDone: boolean | undefined) =>
    new ToolError(
      "conflict",
      'The page waits for an answer to d1 "Sure?"; answer it with action dialog.',
      {
        reason: "blocked_by_dialog",
        details: { dialog: { dialogId: "d1" }, ...(isDone === undefined ? {} : { isDone }) },
      },
    );

  it.each([
    [true, undefined, /\[It was done, and opened the dialog; do not repeat it, but answer it/],
    [false, true, /\[This call was not done, because a dialog waits: answer it/],
    [undefined, true, /\[The dialog interrupted it: answer it/],
  ])("of a dialog says whether it was done: %s", async (isDone, isError, wanted) => {
    const { result, text } = await act({ kind: "click", ref: "e1" }, { act: () => dialog(isDone) });
    expect(result.isError).toBe(isError);
    expect(text).toMatch(wanted);
    expect(text.match(/action dialog/g)).toHaveLength(1);
    expect(text).toContain("accept: true or false");
  });

  it("says which fields of a form were filled before one that failed", async () => {
    const fields = ["e1", "e2", "e3"].map((ref) => ({ ref, value: "a" }));
    const refuse = (reason: string) => ({
      act: () =>
        new ToolError("failed", "e2 it takes a number.", {
          reason,
          details: { ref: "e2", filled: ["e1"] },
        }),
    });
    for (const reason of ["element_wrong_kind", "element_disabled"]) {
      const { text } = await act({ kind: "fill", fields }, refuse(reason));
      expect(text).toContain("The fields before it were filled (e1), those after it not.");
      expect(text).not.toContain("Nothing was done");
    }
  });

  it("gives advice once, and outside of what the page says", async () => {
    const refuse = (near: readonly object[]) => {
      const ending = near.length === 0 ? "" : 'nearest are e2 button "A"; use a ref of those, or ';
      const message = `The ref e1 is not on the page any more; ${ending}take a new snapshot.`;
      return new ToolError("conflict", message, { reason: "stale_ref", details: { near } });
    };
    const near = [element({ ref: "e2", name: "A" })];
    const { text } = await act({ kind: "click", ref: "e1" }, { act: () => refuse(near) });
    expect(text.match(/new snapshot/g)).toHaveLength(1);
    expect(inner(text)).toBe('The ref e1 is not on the page any more; nearest are e2 button "A".');
    const alone = await act({ kind: "click", ref: "e1" }, { act: () => refuse([]) });
    expect(alone.text).toContain("not on the page any more; take a new snapshot.");
    expect(alone.text).not.toContain("EXTERNAL_UNTRUSTED");
  });

  it("says that a page was still busy", async () => {
    const { text } = await act({ kind: "click", ref: "e1" }, { change: { isUnsettled: true } });
    expect(text).toContain("[The page is still busy;");
  });

  it("cuts a long value of a script and says so", async () => {
    const answers = { act: () => ({ result: JSON.stringify("x".repeat(50_000)) }) };
    const { text } = await act({ kind: "evaluate", fn: "f" }, answers);
    expect(text.length).toBeLessThan(21_000);
    expect(text).toContain("[Characters 1-20000 of 50002 of the result; let fn give back less.]");
  });

  it("shows the nearest elements of a refused ref as text from outside", async () => {
    const near = [element({ ref: "e40", name: "Save draft" })];
    const error = new ToolError("conflict", "e12 is gone from the page; take a new snapshot.", {
      reason: "stale_ref",
      details: { ref: "e12", why: "detached", near },
    });
    const { result, text } = await act({ kind: "click", ref: "e12" }, { act: () => error });
    expect(result).toMatchObject({
      ...{ isError: true, untrusted: {} },
      details: { code: "conflict", reason: "stale_ref", why: "detached" },
    });
    expect(text).toMatch(
      /Source: [^\n]*\ne12 is gone .*\n- button "Save draft" \[ref=e40\]\n<<<END/,
    );
    expect(text).toMatch(/\n\[The ref was not used; take one that is named above/);
  });
});

describe("batch", () => {
  const click = (ref: string) => ({ kind: "click", ref });
  const steps = [click("e1"), { kind: "type", ref: 2, text: "a" }, click("e3")];
  const failing = () => (action: { kind: string }) =>
    action.kind === "type"
      ? new ToolError("failed", "e2 is disabled.", { reason: "element_disabled" })
      : {};

  it("takes its steps in order, through the same reader", async () => {
    const { result, text, acts } = await act({ kind: "batch", actions: steps });
    expect(acts).toEqual([click("e1"), { kind: "type", ref: "e2", text: "a" }, click("e3")]);
    expect(result.details).toMatchObject({ ok: true, results: [{ ok: true }, {}, {}] });
    expect(text).toContain("[3 of 3 steps done.]");
  });

  it("stops at an error and says what was not tried", async () => {
    const { result, text, acts } = await act({ kind: "batch", actions: steps }, { act: failing() });
    expect(acts).toHaveLength(2);
    expect(result).toMatchObject({
      isError: true,
      details: {
        ...{ ok: false, code: "failed", reason: "element_disabled" },
        aborted: { reason: "error", afterAction: 2, skipped: 1 },
      },
    });
    expect(text).toContain("[Step 2 (type e2) failed: e2 is disabled.]");
    expect(text).toContain("[1 of 3 steps done. 1 not tried: a step failed.]");
  });

  it("goes on after an error when it is told to", async () => {
    const request = { kind: "batch", actions: steps, stopOnError: false };
    const { result, acts } = await act({ request }, { act: failing() });
    expect(acts).toHaveLength(3);
    expect(result.isError).toBeUndefined();
    expect(result.details).toMatchObject({ ok: false, results: [{ ok: true }, { ok: false }, {}] });
  });

  it("stops when the page is another one, and when the tab is closed", async () => {
    const change = { isNewDocument: true };
    const moved = await act({ kind: "batch", actions: steps }, { change });
    expect(moved.acts).toHaveLength(1);
    expect(moved.result.details).toMatchObject({
      aborted: { reason: "navigation", afterAction: 1, skipped: 2 },
    });
    const closed = await act({ kind: "batch", actions: [{ kind: "close" }, click("e1")] });
    expect(closed.result.details).toMatchObject({ aborted: { reason: "close", skipped: 1 } });
  });

  it("ends where a step opens a dialog, which was done", async () => {
    const error = new ToolError("conflict", "d1 waits.", {
      reason: "blocked_by_dialog",
      details: { isDone: true },
    });
    const { result, text } = await act({ kind: "batch", actions: steps }, { act: () => error });
    expect(result.isError).toBeUndefined();
    expect(result.details).toMatchObject({ ok: true, aborted: { reason: "dialog", skipped: 2 } });
    expect(text).toMatch(/\[Step 1 \(click e1\): It was done, and opened the dialog;/);
    expect(text).toContain("[1 of 3 steps done. 2 not tried: a dialog waits for its answer.]");
  });

  it.each([
    [[], /received 0/],
    [[click("e1"), { kind: "click", ref: "#no" }], /must be a ref/],
    [[{ kind: "batch", actions: [] }], /is a batch itself/],
    [[click("e1"), "click"], /actions\[1\]: expected an object/],
  ])("reads all of %o before the first is done", async (actions, wanted) => {
    const { result, text, acts } = await act({ kind: "batch", actions });
    expect(result.isError).toBe(true);
    expect(text).toMatch(wanted);
    expect(acts).toEqual([]);
  });
});
