// Calls that concern more than the tab they are made in: steps of a batch in other tabs, downloads that
// wait elsewhere, tabs that close, addresses that give no page.
import { expect, it } from "vitest";
import { type FlowAnswer, useFlow } from "./flow-setting.js";

const flow = useFlow();

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
      { kind: "click", ref: second.ref, targetId: second.targetId },
    ],
  });
  expect(performance.now() - beganMs).toBeLessThan(25_000);
  expect(text).toContain("First!");
  expect(text).toContain("Second!");
  expect(text).toMatch(/Step 2 \(wait\) failed: Waited \d{3} ms/);
});

it("tells which tab was closed, and which is the current one now", async () => {
  const [first, second] = [await open(page("Stays")), await open(page("Goes"))];
  const { text } = await flow.call({ action: "close" });
  expect(text).toBe(`Tab ${second.targetId} is closed; the current one is ${first.targetId} now.`);
  const third = await open(page("Goes too"));
  const closed = await flow.act({ kind: "close", targetId: first.targetId });
  expect(closed.text).toMatch(
    `Tab ${first.targetId} is closed; the current one is ${third.targetId}`,
  );
});

it("tells of a new tab what its address gave instead of a page", async () => {
  const { text } = await open(`${flow.server.base}/download/report`);
  expect(text).toMatch(/gave no page but a download/);
  expect(text).toMatch(/A download began: "/);
  await flow.call({ action: "download" });
  const { text: bad } = await open(`${flow.server.base}/status/404`);
  expect(bad).toMatch(/! The server answered 404/);
});

it("saves a download that waits in another tab, and names the tab", async () => {
  const first = await open(page("Has one"));
  await flow.call({ action: "navigate", targetUrl: `${flow.server.base}/download/report` });
  await open(page("Has none"));
  const { text, details } = await flow.call({ action: "download" });
  expect(text).toContain(`It came in tab ${first.targetId}.`);
  expect(idOf({ text, details, isError: false, content: [] })).toBe(first.targetId);
});

it("keeps the page before when an address is known to lead nowhere", async () => {
  const { targetId } = await open(page("Kept"));
  const dead = await flow.call({ action: "navigate", targetUrl: "http://no-such-host.invalid/" });
  expect(dead).toMatchObject({ isError: true });
  expect(dead.text).not.toContain("has left");
  const { text } = await flow.call({ action: "tabs" });
  expect(text).toMatch(new RegExp(`${targetId} "Kept"`));
});

it("says that the page before is left when nobody answers there, and goes back to it", async () => {
  await flow.open("/product");
  const dead = await flow.call({ action: "navigate", targetUrl: "http://127.0.0.1:9/" });
  expect(dead.text).toMatch(
    /could not be opened.*The tab has left the page before; navigate back/s,
  );
  const back = await flow.call({ action: "navigate", targetUrl: "back" });
  expect(back.text).toMatch(/\/product/);
});
