// How long a containment waits for a command that does not come.
import { expect, it } from "vitest";
import { createSystemRandom } from "../../clock.js";
import { findContainments } from "../../sandbox/index.js";
import { findShells } from "./inner-script.js";
import { createPrewarmer } from "./prewarmed-sandbox.js";
import { listProcesses } from "./process-table.js";
import { createRunPipes } from "./run-pipes.js";

const countChildren = () =>
  listProcesses().filter(({ parentPid, hasEnded }) => parentPid === process.pid && !hasEnded)
    .length;

it("ends when no run has come in its time", async () => {
  const shells = findShells();
  if (shells === undefined) throw new Error("this test needs bash");
  const { host } = await findContainments({ root: "/tmp", sandbox: "none" });
  expect(host.kind).toBe("namespace");
  const pipes = createRunPipes();
  const prewarmer = createPrewarmer({ pipes, random: createSystemRandom(), maxAgeMs: 300 });
  const before = countChildren();
  prewarmer.prewarm({
    containment: host,
    shells,
    cwd: "/tmp",
    allowsNetwork: true,
    placeFor: (marker) => ({ env: { MARK: marker }, mark: `MARK=${marker}` }),
  });
  await expect.poll(countChildren, { interval: 10 }).toBe(before + 1);
  await expect.poll(countChildren).toBe(before);
  await prewarmer.close();
  pipes.close();
});
