// The version of a gateway's state: older ones are migrated step by step, newer ones refused.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { createSystemClock, createSystemRandom } from "../drivers/clock.js";
import { type Migration, openState } from "./state.js";

function makeRequest() {
  const folder = mkdtempSync(join(tmpdir(), "gateway-state-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return { folder, clock: createSystemClock(), random: createSystemRandom() };
}

const NAME = { space: "test", key: "name" };
const upper: Migration = async (store) => {
  const { value } = (await store.kv.get(NAME)) ?? {};
  await store.kv.put({ ...NAME, value: String(value).toUpperCase() });
};
const fail: Migration = async () => {
  throw new Error("power cut");
};

it("an older state is migrated once, also after a migration that was cut short", async () => {
  const request = makeRequest();
  const old = await openState(request);
  await old.store.kv.put({ ...NAME, value: "ada" });
  await old.close();
  await expect(openState(request, [upper, fail])).rejects.toThrow("power cut");
  const steps: number[] = [];
  const count =
    (step: number): Migration =>
    async () =>
      void steps.push(step);
  const migrated = await openState(request, [count(1), count(2)]);
  expect((await migrated.store.kv.get(NAME))?.value).toBe("ADA");
  expect(steps).toEqual([2]);
  await migrated.close();
  await (await openState(request, [count(1), count(2)])).close();
  expect(steps).toEqual([2]);
});

it("a newer state is refused and left as it is, a new folder has nothing to migrate", async () => {
  const request = makeRequest();
  await (await openState(request, [fail])).close();
  await expect(openState(request, [])).rejects.toMatchObject({
    code: "unavailable",
    reason: "state_newer",
    message: expect.stringContaining("Update clawtools or choose another state folder."),
  });
  await (await openState(request, [fail])).close();
});
