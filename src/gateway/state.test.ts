// The version of a gateway's state: a folder of a newer clawtools is refused and left as it is.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { createSystemClock, createSystemRandom } from "../drivers/clock.js";
import { openState } from "./state.js";

it("a newer state is refused and left as it is", async () => {
  const folder = mkdtempSync(join(tmpdir(), "gateway-state-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const request = { folder, clock: createSystemClock(), random: createSystemRandom() };
  await (await openState(request)).close();
  const { store, close } = await openState(request);
  const place = { space: "gateway.state", key: "version" };
  expect((await store.kv.get(place))?.value).toEqual({ version: 1 });
  await store.kv.put({ ...place, value: { version: 2 } });
  await close();
  for (let start = 1; start <= 2; start++) {
    await expect(openState(request)).rejects.toMatchObject({
      code: "unavailable",
      reason: "state_newer",
      message: expect.stringContaining("Update clawtools or choose another state folder."),
    });
  }
});
