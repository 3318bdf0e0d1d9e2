// Pages that do not answer: every call on them ends, in the time that was given, with an error that
// says so.

import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { BrowserPage } from "../../../src/core/browser.js";
import { createStage, refusal, type Scene, type Stage, scope, timed } from "./stage.js";

const GIVEN_MS = 150;
const ROOM_MS = 7_500;

let stage: Stage;
let scene: Scene;
beforeAll(async () => {
  stage = await createStage();
});
// Some tests have pages of their own, and one of them may be the only one that runs.
afterEach(() => (scene as Scene | undefined)?.close());
afterAll(() => stage.close());

const PAGE = `<button onclick="this.textContent='Gone'">Go</button>`;
let requested = 0;
const silent = () =>
  stage.route("/silent", () => {
    requested += 1;
  });

type Call = (port: BrowserPage, ref: string) => Promise<unknown>;
const limited = { ...scope, timeoutMs: GIVEN_MS };
const CALLS: readonly Call[] = [
  (port) => port.list(limited),
  (port, ref) => port.act({ kind: "click", ref }, limited),
  (port) => port.act({ kind: "clickCoords", x: 5, y: 5 }, limited),
  (port, ref) => port.act({ kind: "type", ref, text: "x" }, limited),
  (port) => port.act({ kind: "press", key: "a" }, limited),
  (port, ref) => port.act({ kind: "hover", ref }, limited),
  (port, ref) => port.act({ kind: "scrollIntoView", ref }, limited),
  (port, ref) => port.act({ kind: "drag", startRef: ref, endRef: ref }, limited),
  (port, ref) => port.act({ kind: "select", ref, values: ["x"] }, limited),
  (port, ref) => port.act({ kind: "fill", fields: [{ ref, value: "x" }] }, limited),
  (port) => port.act({ kind: "wait", text: "never" }, limited),
  (port) => port.screenshot(limited),
  (port) => port.screenshot({ labels: true, ...limited }),
  (port) => port.pdf(limited),
  (port) => port.text({ maxChars: 9, ...limited }),
  (port, ref) => port.upload({ paths: [], inputRef: ref, ...limited }),
  (port, ref) => port.download({ ref, ...limited }),
];

describe("a page that hangs for ever", () => {
  it("ends every call in its time, and still tells what it knows", async () => {
    scene = await stage.open("<title>Stuck</title><button>Go</button>", {});
    const ref = await scene.ref("button", "Go");
    scene.page.evaluate("setTimeout(() => { for (;;); }, 0)").catch(() => undefined);
    await new Promise((resolve) => setTimeout(resolve, 50));
    const slow: number[] = [];
    for (const call of CALLS) {
      const { value, ms } = await timed(() => refusal(call(scene.port, ref)));
      expect(value).toMatchObject({ code: "timeout", reason: "browser_timeout" });
      if (ms > GIVEN_MS + ROOM_MS) slow.push(ms);
    }
    expect(slow).toEqual([]);
    const { value, ms } = await timed(() => refusal(scene.port.list(scope)));
    expect(value).toMatchObject({ code: "unavailable", reason: "page_hung" });
    expect(ms).toBeLessThan(2_000 + ROOM_MS);
    expect((await scene.port.console({ limit: 1, ...scope })).dropped).toBe(0);
    expect(await scene.port.tab(scope)).toMatchObject({ targetId: "t1" });
    await timed(() => scene.port.close(scope));
  });
});

/** Most of these wait for a clock, so they wait side by side, each with a page of its own. */
async function eachBeside<Value>(
  values: readonly Value[],
  { html, use }: { html: string; use: (own: Scene, value: Value) => Promise<void> },
): Promise<void> {
  const scenes = await Promise.all(values.map(() => stage.open(html, {})));
  try {
    await Promise.all(values.map((value, index) => use(scenes[index] as Scene, value)));
  } finally {
    await Promise.all(scenes.map((own) => own.close()));
  }
}

describe.concurrent("a page that is busy for a while", () => {
  /** Longer than what counts as hanging. */
  const BUSY_MS = 3_500;
  const LONG_MS = 20_000;
  const FORM = `<title>Form</title><label>Note <input id=note></label><p id=part>Part</p>`;
  const patient = { ...scope, timeoutMs: LONG_MS };
  /** Its script waits for a server, which keeps the page from everything else. */
  const keepBusy = (own: Scene, ms: number) => {
    const path = `/busy-for-${ms}`;
    stage.route(path, (_request, response) => {
      setTimeout(() => response.end("done"), ms);
    });
    return own.page.evaluate(`setTimeout(() => {
      const request = new XMLHttpRequest(); request.open("GET", "${path}", false); request.send();
    }, 0)`);
  };

  it("is worked on when the call has the time", async () => {
    const calls: readonly ((port: BrowserPage, ref: string) => Promise<unknown>)[] = [
      (port) => port.list(patient),
      (port, ref) => port.act({ kind: "type", ref, text: "more" }, patient),
      (port) => port.screenshot(patient),
      (port) => port.history({ step: "reload", ...patient }),
    ];
    await eachBeside(calls, {
      html: FORM,
      use: async (own, call) => {
        const ref = await own.ref("textbox", "Note");
        await keepBusy(own, BUSY_MS);
        const { ms } = await timed(() => call(own.port, ref));
        expect(ms).toBeGreaterThan(BUSY_MS / 2);
      },
    });
  });

  it("is told as hanging when the time of the call is over, or soon when none was named", async () => {
    const times = [{ timeoutMs: BUSY_MS + 1_000, leastMs: BUSY_MS }, { leastMs: 0 }];
    await eachBeside(times, {
      html: FORM,
      use: async (own, { leastMs, ...limit }) => {
        await keepBusy(own, BUSY_MS * 3);
        const { value, ms } = await timed(() => refusal(own.port.list({ ...scope, ...limit })));
        expect(value).toMatchObject({ code: "unavailable", reason: "page_hung" });
        expect(value.message).toMatch(/did not answer for \d s.*larger timeoutMs/);
        expect(ms).toBeGreaterThanOrEqual(leastMs);
        expect(ms).toBeLessThan(BUSY_MS * 3);
      },
    });
  });

  it("keeps what was typed when another place in it is gone to", async () => {
    await eachBeside(["my draft"], {
      html: FORM,
      use: async (own, text) => {
        const ref = await own.ref("textbox", "Note");
        await own.port.act({ kind: "type", ref, text }, scope);
        await keepBusy(own, BUSY_MS);
        const { tab } = await own.port.navigate({ url: `${own.page.url()}#part`, ...scope });
        expect(tab.url).toMatch(/#part$/);
        expect(await own.read("note.value")).toBe(text);
      },
    });
  });
});

describe("a page that crashed", () => {
  it("says so at once, to every call", async () => {
    scene = await stage.open("<button>Go</button>", {});
    const ref = await scene.ref("button", "Go");
    const crashed = new Promise((resolve) => scene.page.once("crash", resolve));
    scene.page.goto("chrome://crash").catch(() => undefined);
    await crashed;
    for (const call of CALLS) {
      const { value, ms } = await timed(() => refusal(call(scene.port, ref)));
      expect(String(value.message)).toMatch(/crash|Waited/i);
      expect(ms).toBeLessThan(GIVEN_MS + ROOM_MS);
    }
  });
});

describe("a call that is taken back", () => {
  it("ends at once, and the next one works", async () => {
    scene = await stage.open("<button>Go</button>", {});
    const controller = new AbortController();
    const waiting = refusal(
      scene.port.act({ kind: "wait", text: "never" }, { signal: controller.signal }),
    );
    controller.abort();
    expect(await waiting).toMatchObject({ code: "aborted" });
    await scene.click("button", "Go");
  });

  it.each(["taken back", "out of time"])("sends no key after it is %s", async (how) => {
    scene = await stage.open("<input aria-label=One id=one><input aria-label=Two id=two>", {});
    const [one, two] = [await scene.ref("textbox", "One"), await scene.ref("textbox", "Two")];
    const controller = new AbortController();
    const isBack = how === "taken back";
    const typing = refusal(
      scene.port.act(
        { kind: "type", ref: one, text: "a".repeat(400), slowly: true },
        isBack ? { signal: controller.signal } : { timeoutMs: 700, ...scope },
      ),
    );
    await expect.poll(() => scene.read("one.value.length")).toBeGreaterThan(2);
    if (isBack) controller.abort();
    const ended = await typing;
    expect(ended.code).toBe(isBack ? "aborted" : "timeout");
    if (!isBack) expect(ended.message).toMatch(/for the typing, which had begun/);
    const arrived = await scene.read("one.value.length");
    await scene.port.act({ kind: "click", ref: two }, scope);
    await scene.port.act({ kind: "type", ref: two, text: "mine" }, scope);
    await scene.port.act({ kind: "wait", timeMs: 100 }, scope);
    expect(await scene.read("[one.value.length, two.value]")).toEqual([arrived, "mine"]);
  });

  it("presses no Enter after it is taken back", async () => {
    scene = await stage.open(
      `<form onsubmit="event.preventDefault(); window.sent = true">
      <input aria-label=Name oninput="const end = Date.now() + 400; while (Date.now() < end);"></form>`,
      {},
    );
    const ref = await scene.ref("textbox", "Name");
    const error = await refusal(
      scene.port.act({ kind: "type", ref, text: "x", submit: true }, { timeoutMs: 200, ...scope }),
    );
    expect(error.code).toBe("timeout");
    await scene.port.act({ kind: "wait", timeMs: 50 }, scope);
    expect(await scene.read("window.sent")).toBeUndefined();
  });

  it.each(["", "this.setPointerCapture(event.pointerId);"])(
    "lets go of the button away from everything (%s)",
    async (more) => {
      scene = await stage.open(
        `<button style="position:fixed;inset:0" onpointerdown="${more} window.isDown = true">Alpha</button>
        <script>window.clicks = [];
        addEventListener("click", (e) => clicks.push(e.target.textContent), true);</script>`,
        {},
      );
      const ref = await scene.ref("button", "Alpha");
      const controller = new AbortController();
      const pressing = refusal(
        scene.port.act({ kind: "click", ref, delayMs: 400 }, { signal: controller.signal }),
      );
      await expect.poll(() => scene.read("window.isDown")).toBe(true);
      controller.abort();
      expect((await pressing).code).toBe("aborted");
      await scene.read("document.querySelector('button').textContent = 'Delete everything'");
      await scene.port.act({ kind: "wait", timeMs: 600 }, scope);
      expect(await scene.read("clicks")).toEqual([]);
      await scene.click("button", "Delete everything");
      expect(await scene.read("clicks")).toEqual(["Delete everything"]);
    },
  );

  it("leaves no key down", async () => {
    scene = await stage.open(
      `<button onclick="window.clicked = true" onkeydown="window.isDown = true">Go</button>
      <script>addEventListener("keyup", () => { window.isUp = true; }, true)</script>`,
      {},
    );
    const ref = await scene.ref("button", "Go");
    const controller = new AbortController();
    const pressing = refusal(
      scene.port.act(
        { kind: "press", ref, key: "Space", delayMs: 30_000 },
        { signal: controller.signal },
      ),
    );
    await expect.poll(() => scene.read("window.isDown")).toBe(true);
    controller.abort();
    await pressing;
    expect(await scene.read("[window.isUp, window.clicked]")).toEqual([true, undefined]);
  });
});

describe("an address that never answers", () => {
  it("that was navigated to leaves the page before as it was", async () => {
    scene = await stage.open(PAGE, {});
    const ref = await scene.ref("button", "Go");
    const error = await refusal(scene.port.navigate({ url: silent(), timeoutMs: 500, ...scope }));
    expect(error).toMatchObject({ code: "timeout", reason: "browser_timeout" });
    expect(error.message).toMatch(/stopped.*previous page/);
    const { change } = await scene.port.act({ kind: "click", ref }, scope);
    expect(change.changed.map(({ now }) => now.name)).toContain("Gone");
  });

  it("that was taken back leaves it too", async () => {
    scene = await stage.open(PAGE, {});
    const controller = new AbortController();
    const before = requested;
    const going = refusal(scene.port.navigate({ url: silent(), signal: controller.signal }));
    await expect.poll(() => requested).toBeGreaterThan(before);
    controller.abort();
    expect(await going).toMatchObject({ code: "aborted" });
    await scene.click("button", "Go");
  });

  it("that a click leads to is told, and the next call goes on with the page before", async () => {
    scene = await stage.open(`<a href="${silent()}">On</a>${PAGE}`, {});
    const ref = await scene.ref("link", "On");
    const { change } = await scene.port.act({ kind: "click", ref }, { timeoutMs: 1_500, ...scope });
    expect(change.events.join()).toMatch(/silent has not answered yet/);
    expect(change.isUnsettled).toBe(true);
    const listing = await scene.port.list({ timeoutMs: 1_500, ...scope });
    expect(listing.gaps.join()).toMatch(/silent did not answer.*previous page/);
    expect(listing.elements.map(({ name }) => name)).toContain("Go");
    await scene.click("button", "Go");
  });

  it("but does after a while is waited for by the next call", async () => {
    let answer = () => undefined as unknown;
    stage.route("/late", (_request, response) => {
      answer = () => response.writeHead(200, { "content-type": "text/html" }).end("<h1>Late</h1>");
    });
    scene = await stage.open(`<a href="/late">On</a>`, {});
    const ref = await scene.ref("link", "On");
    await scene.port.act({ kind: "click", ref }, { timeoutMs: 1_000, ...scope });
    const listing = scene.port.list(scope);
    answer();
    expect((await listing).elements.map(({ name }) => name)).toContain("Late");
  });
});

describe("a page that is too much", () => {
  it("of frames is listed without some of them", async () => {
    scene = await stage.open(
      `<button>Go</button>${`<iframe srcdoc="<p>x</p>"></iframe>`.repeat(42)}`,
      {},
    );
    const { elements, gaps } = await scene.port.list(scope);
    expect(elements.map(({ name }) => name)).toContain("Go");
    expect(gaps).toEqual([expect.stringMatching(/^\d+ iframes were left out/)]);
  });

  it("of messages is heard in parts, and the tab goes on", async () => {
    scene = await stage.open(
      `<button>Go</button><script>for (let i = 0; i < 1500; i += 1) console.log("line", i);</script>`,
      {},
    );
    await expect
      .poll(async () =>
        (await scene.port.console({ limit: 500, ...scope })).entries.map((e) => e.text),
      )
      .toContainEqual(expect.stringMatching(/More than 500 messages/));
    await scene.click("button", "Go");
  });

  it("of an address is told by its beginning", async () => {
    scene = await stage.open("<p>x</p>", {});
    await scene.read("history.replaceState({}, '', '#' + 'x'.repeat(100000))");
    expect((await scene.port.tab(scope)).url.length).toBeLessThan(2_100);
  });
});
