// Nothing of a browser is left, also of one that cannot see any more that it is to end.

import { chmodSync, rmSync, writeFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import {
  createLifeSetting,
  findProcesses,
  holdsSoon,
  type LifeSetting,
  scope,
} from "./life-setting.js";
import { buildHolder } from "./other-process.js";

let setting: LifeSetting;

beforeEach(async () => {
  setting = await createLifeSetting();
});
afterEach(() => setting.close());

describe.runIf(process.platform === "linux")("a browser that is stopped by a signal", () => {
  it("ends with the process that is killed, without reading its pipe", async () => {
    const { folder, stateDir } = setting;
    const program = await buildHolder();
    try {
      const holder = await program.start({ folder, stateDir, url: "about:blank" });
      const { pid } = holder.answer;
      if (pid === undefined) throw new Error("no browser runs");
      process.kill(pid, "SIGSTOP");
      await holder.kill();
      expect(await holdsSoon(() => !findProcesses(stateDir).includes(pid))).toBe(true);
    } finally {
      program.remove();
    }
  });

  it("takes its renderers along, stopped as they are", async () => {
    const { browsers, stateDir } = setting;
    await browsers.start(scope());
    const own = findProcesses(stateDir);
    const renderers = findProcesses("--type=renderer").filter((pid) => own.includes(pid));
    expect(renderers.length).toBeGreaterThan(0);
    for (const pid of renderers) process.kill(pid, "SIGSTOP");
    await browsers.stop(scope());
    expect(findProcesses(stateDir)).toEqual([]);
  });
});

it.runIf(process.platform === "linux")(
  "a start that comes to no end leaves nothing that it began",
  async () => {
    // Next to the root: nothing in it is run.
    const executablePath = `${setting.folder}-never-ready`;
    onTestFinished(() => rmSync(executablePath));
    const [inGroup, outside] = [`287.${process.pid}`, `288.${process.pid}`];
    writeFileSync(
      executablePath,
      `#!/bin/sh\n[ "$1" != --version ] || exit 1\nsetsid sleep ${outside} &\nsleep ${inGroup}\n`,
    );
    chmodSync(executablePath, 0o755);
    const browsers = setting.another({ executablePath });
    const started = expect(browsers.start(scope())).rejects.toMatchObject({
      reason: "browser_gone",
    });
    const listLeft = () => [inGroup, outside].flatMap(findProcesses);
    expect(await holdsSoon(() => listLeft().length === 2)).toBe(true);
    await browsers.stop(scope());
    await started;
    expect(listLeft()).toEqual([]);
  },
);
