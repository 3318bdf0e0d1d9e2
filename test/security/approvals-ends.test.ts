// How a question ends for those who did not answer it: told to the approver, kept for the next process.

import { expect, it } from "vitest";
import { closedError } from "../../src/core/index.js";
import { createSetting, planOf, requestOf, waitForRequest } from "./approvals-setting.js";

const MAKE = { plan: planOf(["mkdir", "made"]) };
const silent = () => new Promise<never>(() => undefined);

it("records the name that an approver gives", async () => {
  const { gate } = await createSetting({
    approver: async () => ({ decision: "allow-once", by: "Ann at the desk" }),
  });
  expect((await gate.authorise(requestOf(MAKE))).rule).toBe("allow-once by Ann at the desk");
});

it("tells an approver who answered in its place", async () => {
  let told: AbortSignal | undefined;
  const { gate, table } = await createSetting({
    approver: (_, { signal }) => {
      told = signal;
      return silent();
    },
  });
  const asked = gate.authorise(requestOf(MAKE)).catch((error: Error) => error.message);
  const { id } = await waitForRequest(table);
  await table.answer({ name: id, decision: "deny", by: "Ann" });
  expect(await asked).toContain("was denied by a person");
  expect(told?.reason).toMatchObject({ message: 'was answered "deny" by Ann' });
});

it("stays for the next process when this one ends, and is taken over there", async () => {
  const ending = new AbortController();
  const first = await createSetting({ approver: silent });
  const { signal } = ending;
  const asked = first.gate.authorise(requestOf(MAKE, { signal })).catch((error: Error) => error);
  const question = await waitForRequest(first.table);
  ending.abort(closedError());
  expect(await asked).toMatchObject({ code: "aborted" });
  expect(await first.table.list()).toMatchObject([
    { question: { id: question.id }, isAbandoned: true },
  ]);
  const again = first.gate.authorise(requestOf(MAKE));
  await expect.poll(async () => (await first.table.list())[0]?.isAbandoned).toBe(false);
  const [taken] = await first.table.list();
  expect(taken?.question.id).toBe(question.id);
  await first.table.answer({ name: question.id, decision: "allow-once", by: "Ann" });
  expect((await again).rule).toBe("allow-once by Ann");
});

it("is taken back when whoever called does so", async () => {
  const caller = new AbortController();
  const { gate, table } = await createSetting({ approver: silent });
  const asked = gate.authorise(requestOf(MAKE, { signal: caller.signal })).catch(() => "ended");
  await waitForRequest(table);
  caller.abort(new Error("not needed any more"));
  expect(await asked).toBe("ended");
  expect(await table.list()).toEqual([]);
});
