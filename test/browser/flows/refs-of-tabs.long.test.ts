// Refs over several tabs and over the pages that one tab has in turn: each names one element, or nothing.
import { expect, it } from "vitest";
import { type FlowAnswer, useFlow } from "./flow-setting.js";

const flow = useFlow();

const page = (name: string) =>
  `data:text/html,${encodeURIComponent(`<title>${name}</title><button onclick="this.textContent += '!'">${name}</button>`)}`;
const refsIn = ({ text }: FlowAnswer) =>
  [...text.matchAll(/\[ref=e(\d+)\]/g)].map(([, ref]) => Number(ref));
const idOf = ({ details }: FlowAnswer) => String(Reflect.get(Object(details), "targetId"));
const reasonOf = ({ details }: FlowAnswer) => Reflect.get(Object(details), "reason");

async function open(name: string) {
  const answer = await flow.call({ action: "open", targetUrl: page(name) });
  const [ref = 0] = refsIn(answer);
  return { targetId: idOf(answer), ref };
}

it("refuses a ref of another tab at once, and names that tab", async () => {
  const first = await open("First");
  const second = await open("Second");
  expect(second.ref).toBeGreaterThan(first.ref);
  const wrong = await flow.act({ kind: "click", ref: `e${first.ref}` });
  expect(wrong).toMatchObject({ isError: true });
  expect(reasonOf(wrong)).toBe("ref_of_other_tab");
  expect(wrong.text).toContain(
    `The ref e${first.ref} is of tab ${first.targetId}; give targetId ${first.targetId} with it`,
  );
  const listed = await flow.call({ action: "snapshot", ref: `e${first.ref}` });
  expect(reasonOf(listed)).toBe("ref_of_other_tab");
  const inBatch = await flow.act({
    kind: "batch",
    actions: [{ kind: "click", ref: `e${first.ref}` }],
  });
  expect(inBatch.text).toContain(`is of tab ${first.targetId}`);
  const right = await flow.act({
    ...{ kind: "click", ref: `e${first.ref}`, targetId: first.targetId },
  });
  expect(right.text).toContain("First!");
  await flow.call({ action: "close", targetId: first.targetId });
  const gone = await flow.act({
    ...{ kind: "click", ref: `e${first.ref}`, targetId: second.targetId },
  });
  expect(gone.text).toContain(`is of tab ${first.targetId}, which is closed`);
});

it("says of a number beyond all that it was never given", async () => {
  await open("Only");
  const answer = await flow.act({ kind: "click", ref: "e99999" });
  expect(answer.text).toContain("was never given");
});

it("never gives a number again in one tab", async () => {
  const { targetId, ref } = await open("Begin");
  const given = [ref];
  const go = async (args: Readonly<Record<string, unknown>>) => {
    const answer = await flow.call({ action: "navigate", targetId, ...args });
    const refs = refsIn(answer);
    expect(Math.min(...refs)).toBeGreaterThan(Math.max(...given));
    given.push(...refs);
  };
  await go({ targetUrl: page("Next") });
  await go({ targetUrl: "reload" });
  await flow.act({
    ...{ kind: "evaluate", targetId, timeoutMs: 1_000 },
    fn: "void setTimeout(() => { for (;;); }, 0)",
  });
  // The page that hung is replaced.
  await go({ targetUrl: page("Well") });
  await flow.call({
    action: "navigate",
    targetId,
    targetUrl: `${flow.server.base}/hang`,
    timeoutMs: 400,
  });
  await go({ targetUrl: page("After silence") });
  expect(Math.max(...given)).toBeLessThan(100);
  const old = await flow.act({ kind: "click", ref: `e${ref}`, targetId });
  expect(old.text).toContain(`The ref e${ref} belongs to a document that is gone`);
});

it("counts tabs that are listed at the same time apart", async () => {
  const tabs = [await open("Left"), await open("Right")];
  const answers = await Promise.all(
    tabs.map(({ targetId }) =>
      flow.call({ action: "navigate", targetId, targetUrl: page("Both") }),
    ),
  );
  const refs = answers.flatMap(refsIn);
  expect(new Set(refs).size).toBe(refs.length);
});
