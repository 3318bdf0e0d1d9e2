// Pages that do not answer: every call on them ends, in the time that was given, with an error that
// says so.

import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { BrowserPage } from "../../../src/core/browser.js";
import { createStage, refusal, type Scene, type Stage, scope, timed } from "./stage.js";

const GIVEN_MS = 400;
const ROOM_MS = 7_500;

let stage: Stage;
let scene: Scene;
beforeAll(async () => {
  stage = await createStage();
});
afterEach(() => scene.close());
afterAll(() => stage.close());

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
    expect((await scene.port.console({ limit: 1, ...scope })).dropped).toBe(0);
    expect(await scene.port.tab(scope)).toMatchObject({ targetId: "t1" });
    await timed(() => scene.port.close(scope));
  }, 60_000);
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
  }, 60_000);
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
});
