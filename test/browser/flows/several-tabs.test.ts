// Calls that concern more than the tab they are made in: steps of a batch in other tabs, downloads that
// wait elsewhere, tabs that close, addresses that give no page.
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { createFlow, type Flow, type FlowAnswer, LIFE_LIMIT_MS } from "./flow-setting.js";

vi.setConfig({ testTimeout: 60_000 });

let flow: Flow;
beforeAll(async () => {
  flow = await createFlow();
}, LIFE_LIMIT_MS);
afterAll(() => flow.close(), LIFE_LIMIT_MS);

const page = (name: string) =>
  `data:text/html,${encodeURIComponent(`<title>${name}</title><button onclick="this.textContent += '!'">${name}</button>`)}`;
const idOf = ({ details }: FlowAnswer) => String(Reflect.get(Object(details), "targetId"));

async function open(targetUrl: string) {
  const answer = await flow.call({ action: "open", targetUrl });
  const [, ref = ""] = /\[ref=(e\d+)\]/.exec(answer.text) ?? [];
  return { targetId: idOf(answer), ref, text: answer.text };
}

it("gives each step of a batch its own time and tab", async () => {
  const [first, second] = [await open(page("First")), await open(page("Second"))];
  const beganMs = performance.now();
  const { text } = await flow.act({
    kind: "batch",
    stopOnError: false,
    actions: [
      { kind: "click", ref: first.ref, targetId: first.targetId },
      { kind: "wait", text: "never", timeoutMs: 300 },
      { kind: "click", ref: second.ref },
    ],
  });
  expect(performance.now() - beganMs).toBeLessThan(10_000);
  expect(text).toContain("First!");
  expect(text).toContain("Second!");
  expect(text).toMatch(/Step 2 \(wait\) failed: Waited \d{3} ms/);
});
