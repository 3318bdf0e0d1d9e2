// Many short commands: none stays behind as a zombie, and no descriptor stays open.

import { readdirSync, readFileSync } from "node:fs";
import { afterEach, describe, expect, it } from "vitest";
import { CONTAINMENT_NAMES, createProcessSetting, startOf } from "./process-setting.js";

const RUNS = 64;
const AT_ONCE = 8;

const settings: ReturnType<typeof createProcessSetting>[] = [];
afterEach(async () => {
  await Promise.all(settings.splice(0).map((setting) => setting.remove()));
});

const countDescriptors = () => readdirSync("/proc/self/fd").length;

/** Children of this process that have ended and were not taken note of. */
function countZombies(): number {
  return readdirSync("/proc").filter((name) => {
    if (!/^\d+$/.test(name)) return false;
    try {
      const stat = readFileSync(`/proc/${name}/stat`, "utf8");
      const [state, parent] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      return state === "Z" && Number(parent) === process.pid;
    } catch {
      // It has ended meanwhile.
      return false;
    }
  }).length;
}

describe.each(CONTAINMENT_NAMES)("many short commands in %s", (containment) => {
  it("leave no zombie and no open descriptor", async () => {
    const before = countDescriptors();
    const setting = createProcessSetting({ containment });
    settings.push(setting);
    const { processes } = setting;
    const runAll = async (count: number) => {
      for (let done = 0; done < count; done += AT_ONCE) {
        const runs = await Promise.all(
          Array.from({ length: AT_ONCE }, () => processes.start(startOf("echo x"))),
        );
        const ends = await Promise.all(runs.map((run) => run.ended));
        expect(ends.every((end) => end.exitCode === 0)).toBe(true);
      }
    };
    await runAll(RUNS);
    await processes.close();
    // Sockets are closed by the event loop, some turns later.
    await expect.poll(countDescriptors).toBeLessThanOrEqual(before + 5);
    expect(countZombies()).toBe(0);
  });
});
