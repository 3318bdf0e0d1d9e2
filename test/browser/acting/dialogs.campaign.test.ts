// Dialogs of every kind: none of them ever makes a call wait.

import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { PageAction } from "../../../src/core/browser.js";
import { itLong } from "../../fakes/campaign.js";
import { createStage, refusal, type Scene, type Stage, scope, timed } from "./stage.js";

/** Promised are 200 ms; other work shares the machine. */
const TOLD_MS = 5_000;

let stage: Stage;
let scene: Scene;
beforeAll(async () => {
  stage = await createStage();
});
afterEach(() => scene.close());
afterAll(() => stage.close());

const page = (call: string) =>
  `<button onclick="window.answer = ${call}; document.title = 'after'">Ask</button><button>Other</button>`;

/** What it keeps back; the act on fields A, B and C; what they hold then. */
type Cut = [string, (refs: readonly string[]) => PageAction, readonly string[]];
const CUT: readonly Cut[] = [
  [
    "fields behind it",
    (refs) => ({
      kind: "fill",
      fields: refs.map((ref) => ({ ref, value: "1" })),
    }),
    ["1", "", ""],
  ],
  [
    "letters behind it",
    ([ref = ""]) => ({
      kind: "type",
      ref,
      text: "hello",
      slowly: true,
      submit: true,
    }),
    ["h", "", ""],
  ],
  [
    "Enter",
    ([ref = ""]) => ({ kind: "type", ref, text: "hello", submit: true }),
    ["hello", "", ""],
  ],
  [
    "the text of a field that asks when it gets the focus",
    ([, ref = ""]) => ({ kind: "type", ref, text: "hello" }),
    ["", "", ""],
  ],
];

describe("a dialog", () => {
  it("that only tells is accepted, and told", async () => {
    scene = await stage.open(page("alert('Saved!')"));
    const { change } = await scene.click("button", "Ask");
    expect(change.events.join()).toMatch(/alert.*"Saved!" was accepted/);
    expect(change.tab.title).toBe("after");
  });

  it("that asks stops the call at once, and every other call until it is answered", async () => {
    scene = await stage.open(page("confirm('Sure?')"), {});
    const ref = await scene.ref("button", "Ask");
    const { value: error, ms } = await timed(() =>
      refusal(scene.port.act({ kind: "click", ref }, scope)),
    );
    expect(error).toMatchObject({
      code: "conflict",
      reason: "blocked_by_dialog",
      details: { dialog: { dialogId: "d1", type: "confirm", message: "Sure?" } },
    });
    expect(ms).toBeLessThan(TOLD_MS);
    const { port } = scene;
    const calls: (() => Promise<unknown>)[] = [
      () => port.list(scope),
      () => port.act({ kind: "click", ref }, scope),
      () => port.act({ kind: "evaluate", fn: "1" }, scope),
      () => port.act({ kind: "wait", text: "x" }, scope),
      () => port.navigate({ url: "about:blank", ...scope }),
      () => port.screenshot(scope),
      () => port.pdf(scope),
      () => port.text({ maxChars: 100, ...scope }),
      () => port.upload({ paths: [], ...scope }),
      () => port.download(scope),
    ];
    for (const call of calls) {
      const { value, ms: tookMs } = await timed(() => refusal(call()));
      expect(value.reason).toBe("blocked_by_dialog");
      expect(tookMs).toBeLessThan(TOLD_MS);
    }
    expect((await port.console({ limit: 5, ...scope })).total).toBe(0);
    expect(await port.tab(scope)).toMatchObject({ targetId: "t1" });
    const change = await port.answerDialog({ accept: true, ...scope });
    expect(change.events.join()).toMatch(/d1 \(confirm\) "Sure\?" was accepted/);
    expect(await scene.read("window.answer")).toBe(true);
    // The guard of the click that was interrupted is gone.
    await scene.click("button", "Other");
  });

  it.each(CUT)("that cuts an act short keeps back %s", async (_, act, values) => {
    scene = await stage.open(
      `<label>A <input id=a oninput="if (!window.z) { window.z = 1; confirm('Sure?') }"></label>
      <label>B <input id=b onfocus="if (!window.z) { window.z = 1; confirm('Who?') }"></label>
      <label>C <input id=c></label>`,
      {},
    );
    const refs: string[] = [];
    for (const name of ["A", "B", "C"]) refs.push(await scene.ref("textbox", name));
    const { reason, details } = await refusal(scene.port.act(act(refs), scope));
    expect(reason).toBe("blocked_by_dialog");
    expect(details).not.toHaveProperty("isDone");
    await scene.port.answerDialog({ accept: true, ...scope });
    expect(await scene.read("[a.value, b.value, c.value]")).toEqual(values);
  });

  itLong("that interrupts a drag keeps it from dropping", async () => {
    scene = await stage.open(
      `<div draggable=true tabindex=0 role=button ondragstart="confirm('Drag?')">Card</div>
      <section aria-label=Zone ondragover="event.preventDefault()" ondrop="window.dropped = 1" style="height:50px">z</section>`,
      {},
    );
    const startRef = await scene.ref("button", "Card");
    const endRef = await scene.ref("region", "Zone");
    const { details } = await refusal(scene.port.act({ kind: "drag", startRef, endRef }, scope));
    expect(details).not.toHaveProperty("isDone");
    await scene.port.answerDialog({ accept: true, ...scope });
    expect(await scene.read("window.dropped ?? 0")).toBe(0);
  });

  itLong("that was answered before it came does not stop anything", async () => {
    scene = await stage.open(page("prompt('Name?', 'nobody')"));
    const armed = await scene.port.answerDialog({ accept: true, promptText: "Ann", ...scope });
    expect(armed.events.join()).toMatch(/next act.*will be accepted/);
    const { change } = await scene.click("button", "Ask");
    expect(change.events.join()).toMatch(/prompt.*accepted/);
    expect(await scene.read("window.answer")).toBe("Ann");
    const error = await refusal(scene.click("button", "Ask"));
    expect(error.reason).toBe("blocked_by_dialog");
    await scene.port.answerDialog({ accept: false, ...scope });
    expect(await scene.read("window.answer")).toBe(null);
  });

  itLong("is not answered by what was said before another document came", async () => {
    scene = await stage.open("<p>calm</p>");
    await scene.port.answerDialog({ accept: true, ...scope });
    await scene.port.navigate({ url: stage.serve(page("prompt('Name?')")), ...scope });
    const error = await refusal(scene.click("button", "Ask"));
    expect(error.reason).toBe("blocked_by_dialog");
    await scene.port.answerDialog({ accept: false, ...scope });
  });

  itLong("is not answered by what was said before another act", async () => {
    scene = await stage.open(page("confirm('Sure?')"));
    const armed = await scene.port.answerDialog({ accept: true, ...scope });
    expect(armed.events.join()).toMatch(/No dialog is open.*next act/);
    await scene.click("button", "Other");
    const error = await refusal(scene.click("button", "Ask"));
    expect(error.reason).toBe("blocked_by_dialog");
    await scene.port.answerDialog({ accept: false, ...scope });
  });

  it("beside one of another frame keeps nobody waiting", async () => {
    const inner = stage.serve(
      `<script>onmessage = () => setTimeout(() => { window.answer = confirm("Inner?"); })</script>`,
      "other",
    );
    scene = await stage.open(
      `<iframe src="${inner}" id=i></iframe><button onclick="i.contentWindow.postMessage(1, '*');
      setTimeout(() => { window.answer = confirm('Outer?'); })">Both</button><button>Other</button>`,
      {},
    );
    const dialogs: string[] = [];
    scene.page.on("dialog", (dialog) => dialogs.push(dialog.message()));
    const { click, port } = scene;
    await click("button", "Both").catch(() => undefined);
    await expect.poll(() => dialogs.length).toBe(2);
    const error = await refusal(port.list(scope));
    expect(error).toMatchObject({ code: "unavailable", reason: "page_hung" });
    expect(error.message).toMatch(/Two dialogs.*Navigate/);
    await port.navigate({ url: stage.serve("<h1>Free</h1>"), ...scope });
    await scene.ref("heading", "Free");
  });

  itLong("that follows another one is told by the answer to the first", async () => {
    scene = await stage.open(page("confirm('One?') && confirm('Two?')"));
    await refusal(scene.click("button", "Ask"));
    const { value: error, ms } = await timed(() =>
      refusal(scene.port.answerDialog({ accept: true, ...scope })),
    );
    expect(error).toMatchObject({ reason: "blocked_by_dialog" });
    expect(error.message).toContain("Two?");
    expect(error.details).toMatchObject({ isDone: true });
    expect(ms).toBeLessThan(TOLD_MS);
    await scene.port.answerDialog({ accept: false, ...scope });
    expect(await scene.read("window.answer")).toBe(false);
  });

  itLong("does not leave a key down that was held for the click", async () => {
    scene = await stage.open(page("confirm('Sure?')"));
    const ref = await scene.ref("button", "Ask");
    await refusal(scene.port.act({ kind: "click", ref, modifiers: ["Shift"] }, scope));
    await scene.port.answerDialog({ accept: true, ...scope });
    await scene.read("addEventListener('keydown', (e) => { window.shift = e.shiftKey; })");
    await scene.port.act({ kind: "press", key: "x" }, scope);
    expect(await scene.read("window.shift")).toBe(false);
  });

  it("of a page that loads is told by the navigation", async () => {
    const url = stage.serve("<script>confirm('First?')</script><p>there</p>");
    scene = await stage.open("<p>before</p>");
    const error = await refusal(scene.port.navigate({ url, ...scope }));
    expect(error.reason).toBe("blocked_by_dialog");
    await scene.port.answerDialog({ accept: true, ...scope });
    await scene.port.act({ kind: "wait", text: "there" }, scope);
  });

  it("before leaving is accepted, so that the page can be left", async () => {
    scene = await stage.open(`<input aria-label=Draft><script>
      onbeforeunload = (e) => { e.preventDefault(); return "stay?"; }</script>`);
    const ref = await scene.ref("textbox", "Draft");
    await scene.port.act({ kind: "type", ref, text: "x" }, scope);
    const change = await scene.port.navigate({ url: stage.serve("<h1>Next</h1>"), ...scope });
    expect(change.events.join()).toMatch(/beforeunload.*accepted/);
    expect(change.added.map(({ name }) => name)).toContain("Next");
  });

  it("that is not there cannot be answered by its id", async () => {
    scene = await stage.open("<p>calm</p>");
    const error = await refusal(
      scene.port.answerDialog({ accept: true, dialogId: "d77", ...scope }),
    );
    expect(error).toMatchObject({ code: "not_found", reason: "dialog_not_found" });
  });

  it("that nobody answers is dismissed after its time", async () => {
    const timers = new Map<number, () => void>();
    const clock = {
      now: () => Date.now(),
      after: (delayMs: number, work: () => void) => {
        if (delayMs < 10_000) {
          const timer = setTimeout(work, delayMs);
          return () => clearTimeout(timer);
        }
        timers.set(delayMs, work);
        return () => void timers.delete(delayMs);
      },
    };
    scene = await stage.open(page("confirm('Sure?')"), { clock });
    await refusal(scene.click("button", "Ask"));
    expect([...timers.keys()]).toEqual([30_000]);
    timers.get(30_000)?.();
    await expect.poll(() => scene.read("window.answer")).toBe(false);
    const { change } = await scene.click("button", "Other");
    expect(change.events.join()).toMatch(/got no answer and was dismissed/);
  });
});
