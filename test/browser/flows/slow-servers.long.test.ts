// Servers that take their time: they are waited for as long as the call has time, and are told apart
// from pages that hang.
import { expect, it } from "vitest";
import { useFlow } from "./flow-setting.js";

const flow = useFlow();

const slow = (ms: number) => `${flow.server.base}/slow?ms=${ms}`;
const idOf = (answer: { readonly details: unknown }) =>
  String(Reflect.get(Object(answer.details), "targetId"));

/** A new tab with this page. */
async function openTab(targetUrl: string): Promise<string> {
  const answer = await flow.call({ action: "open", targetUrl });
  expect(answer.text).not.toMatch(/does not answer/);
  return idOf(answer);
}

// These two wait side by side, each in tabs of its own.
it.concurrent("waits for servers that need seconds, whatever leads to them", async () => {
  const form = `<form action="${flow.server.base}/slow"><input type=hidden name=ms value=2300><button>Send</button></form>`;
  const ids = await Promise.all([
    openTab(`${flow.server.base}/product`),
    openTab(`${flow.server.base}/slow?ms=0`),
    openTab(`data:text/html,${encodeURIComponent(form)}`),
  ]);
  const [navigated = "", reloaded = "", sent = ""] = ids;
  const { text } = await flow.call({ action: "snapshot", targetId: sent });
  const [, button = ""] = /button "Send" \[ref=(e\d+)\]/.exec(text) ?? [];
  await flow.call({
    action: "act",
    kind: "evaluate",
    targetId: reloaded,
    fn: "history.replaceState({}, '', '/slow?ms=2300')",
  });
  const answers = await Promise.all([
    flow.call({ action: "open", targetUrl: slow(2_500) }),
    flow.call({ action: "navigate", targetUrl: slow(2_500), targetId: navigated }),
    flow.call({ action: "navigate", targetUrl: "reload", targetId: reloaded }),
    flow.call({ action: "act", kind: "click", ref: button, targetId: sent }),
  ]);
  for (const { text: told } of answers) {
    expect(told).toMatch(/heading "Slow page"/);
    expect(told).not.toMatch(/did not answer/);
  }
  const back = await flow.call({ action: "navigate", targetUrl: "back", targetId: navigated });
  expect(back.text).toMatch(/product/i);
});

it.concurrent("gives up at the time of the call, and the page before stays", async () => {
  const before = await openTab(`${flow.server.base}/product`);
  const beganMs = performance.now();
  const answer = await flow.call({
    action: "navigate",
    targetUrl: `${flow.server.base}/hang`,
    targetId: before,
    timeoutMs: 2_800,
  });
  const tookMs = performance.now() - beganMs;
  expect(answer.text).toMatch(/did not answer in 2\d\d\d ms.*the previous page stays/s);
  expect(tookMs).toBeGreaterThan(2_100);
  expect(tookMs).toBeLessThan(30_000);
  const { text } = await flow.call({ action: "tabs" });
  expect(text).toMatch(new RegExp(`${before} .*/product`));
});

it("closes a new tab whose server never answers", async () => {
  const { text: before } = await flow.call({ action: "tabs" });
  const targetUrl = `${flow.server.base}/hang`;
  const answer = await flow.call({ action: "open", targetUrl, timeoutMs: 2_800 });
  expect(answer.text).toMatch(/hang did not answer/);
  const { text: after } = await flow.call({ action: "tabs" });
  const idsIn = (text: string) => [...text.matchAll(/^[* ] (t\d+) /gm)].map(([, id]) => id);
  expect(idsIn(after)).toEqual(idsIn(before));
});

it("leaves a page that hangs for a server that is slow", async () => {
  const targetId = await openTab(`${flow.server.base}/slow?ms=0`);
  await flow.call({
    action: "act",
    kind: "evaluate",
    targetId,
    fn: "void setTimeout(() => { for (;;); }, 0)",
    timeoutMs: 1_000,
  });
  const { text } = await flow.call({ action: "navigate", targetUrl: slow(2_500), targetId });
  expect(text).toMatch(/The previous page did not answer and was ended/);
  expect(text).toMatch(/heading "Slow page"/);
});
