// The time of a script is the time of the call: all of it, and no more.
import { afterAll, beforeAll, expect, test } from "vitest";
import { createStage, refusal, type Stage, scope, timed } from "./stage.js";

let stage: Stage;
beforeAll(async () => {
  stage = await createStage();
});
afterAll(() => stage.close());

const later = (ms: number) => `() => new Promise((done) => setTimeout(() => done("there"), ${ms}))`;

// Longer than the time after which a page counts as hanging.
test.concurrent("a script that ends within the time of the call has its answer", async () => {
  const { port, close } = await stage.open("<p>Quiet</p>", {});
  const limit = { timeoutMs: 25_000, ...scope };
  const { result } = await port.act({ kind: "evaluate", fn: later(2_500) }, limit);
  expect(result).toBe('"there"');
  await close();
});

test("one that takes longer is given up when the time is over, and that is what is said", async () => {
  const { port } = await stage.open("<p>Quiet</p>");
  const timeoutMs = 800;
  for (const fn of [later(30_000), "() => { for (;;); }"]) {
    const { value, ms } = await timed(() =>
      refusal(port.act({ kind: "evaluate", fn }, { timeoutMs, ...scope })),
    );
    expect(value.message).toMatch(/^Waited 800 ms for the script/);
    expect(ms).toBeGreaterThan(780);
    expect(ms).toBeLessThan(20_000);
    // Nothing of it is in the way of the next one.
    const { result } = await port.act({ kind: "evaluate", fn: "1 + 1" }, { timeoutMs, ...scope });
    expect(result).toBe("2");
  }
});

test("a page that hangs is no reason to answer late", async () => {
  const scene = await stage.open("<p>Busy</p>", {});
  scene.page.evaluate(
    "setTimeout(() => { const end = Date.now() + 8000; while (Date.now() < end); }, 0)",
  );
  await new Promise((done) => setTimeout(done, 100));
  const { value, ms } = await timed(() =>
    refusal(scene.port.act({ kind: "evaluate", fn: "1" }, { timeoutMs: 600, ...scope })),
  );
  expect(value.code).toBe("timeout");
  expect(ms).toBeLessThan(7_500);
  await scene.close();
});
