// One program of the system with plain words behind it is started without bash. It cannot be told from
// one that bash starts: the same limits, environment, descriptors, and the same words when it fails.

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createSandboxRunner, pairWithIdentities } from "./sandbox-run.js";

/** bash leaves this one behind for what it starts. */
const OWN_OF_BASH = /^_=/;

let runner: Awaited<ReturnType<typeof createSandboxRunner>>;
beforeAll(async () => {
  runner = await createSandboxRunner();
});
afterAll(() => runner.remove());

/** The program by itself, and behind a word for bash. */
const PAIRS = [
  "cat /proc/self/limits",
  "ls -1 /proc/self/fd",
  "cat /proc/self/comm",
  "id",
  "readlink /proc/self/cwd",
  "ls nowhere",
  "no-such-program-here at all",
].flatMap((command) => [command, `: ; ${command}`]);

const INPUTS = [["in the background", "open"] as const, ["in the foreground", undefined] as const];

describe.each(pairWithIdentities(INPUTS))("as %s, %j", (identity, [, input]) => {
  it("a program is the same with and without bash", async () => {
    const { root, home } = runner.makePlace(identity);
    const { outputs } = await runner.run(identity, {
      ...{ root, home, containment: "sandbox" },
      ...(input === undefined ? {} : { input }),
      commands: [...PAIRS, "env", ": ; env"],
    });
    const [bare, behind] = outputs.slice(PAIRS.length);
    for (let at = 0; at < PAIRS.length; at += 2) expect(outputs[at]).toBe(outputs[at + 1]);
    expect(outputs[0]).toContain(`Max file size             ${4 * 1024 ** 3}`);
    expect(toNames(bare)).toEqual(toNames(behind));
    // So bash was not there.
    expect([bare, behind].map((text) => /^_=/m.test(text ?? ""))).toEqual([false, true]);
  });
});

function toNames(env: string | undefined): string[] {
  const lines = (env ?? "").split("\n").filter((line) => !OWN_OF_BASH.test(line));
  return lines.map((line) => line.slice(0, line.indexOf("="))).sort();
}
