// What the program had open when it was started, by whoever started it: none of it reaches a command.

import { spawnSync } from "node:child_process";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DESCRIPTOR_ATTEMPT } from "../../src/drivers/sandbox/bwrap/probe.js";
import { closeDescriptorsFrom } from "../../src/lib/system/shell-words.js";
import { createSandboxRunner, pairWithIdentities } from "./sandbox-run.js";

const INHERITED = [3, 7, 20, 100, 251];
/** Each that can be named in a way out. */
const LOOK =
  'for n in 3 7 20 100 251; do [ -e "/proc/self/fd/$n/etc/passwd" ] && echo "out by $n"; done; echo looked';
/** The same of every process that is seen; in a mere group those of others are seen too. */
const LOOK_AROUND =
  'for p in /proc/[0-9]*/fd/*; do case $p in */[012]) ;; *) [ -d "$p" ] && echo "seen $p" ;; esac; done; echo looked';
/** Without a shell of its own. */
const LIST = "ls -1 /proc/self/fd";
const WAYS = [
  ["sandbox", undefined],
  ["sandbox", "open"],
  ["sandbox", "terminal"],
  ["host", undefined],
  ["host", "terminal"],
  ["group", undefined],
  ["group", "terminal"],
] as const;

let runner: Awaited<ReturnType<typeof createSandboxRunner>>;
beforeAll(async () => {
  runner = await createSandboxRunner();
});
afterAll(() => runner.remove());

describe("the attempts before the first command", () => {
  it("notice a descriptor that is left open", () => {
    const attempt = `escaped() { echo "$1"; }\n${DESCRIPTOR_ATTEMPT}`;
    const run = (script: string) =>
      spawnSync("bash", ["-c", 'exec 20</; exec bash -c "$0"', script], { encoding: "utf8" })
        .stdout;
    expect(run(attempt)).toContain("the descriptor 20 of this program is open");
    expect(run(`${closeDescriptorsFrom(3)}\n${attempt}`)).not.toContain("is open");
  });
});

describe.each(pairWithIdentities(WAYS))("as %s, %j", (identity, [containment, input]) => {
  it("no inherited descriptor reaches a command", async () => {
    const { root, home } = runner.makePlace(identity);
    const { outputs } = await runner.run(identity, {
      root,
      home,
      containment,
      ...(input === undefined ? {} : { input }),
      inherited: INHERITED,
      commands: [LOOK, LIST, containment === "group" ? "echo looked" : LOOK_AROUND],
    });
    expect(outputs[0]?.trim()).toBe("looked");
    expect(outputs[2]?.trim()).toBe("looked");
    // The fourth is the folder that ls itself reads.
    expect(outputs[1]?.trim().split(/\s+/)).toEqual(["0", "1", "2", "3"]);
  });
});
