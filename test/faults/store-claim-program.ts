// A process that wants a state folder for itself: says who it is when it has it, or why not, and
// gives it back when it is told to.

import { once } from "node:events";
import { writeSync } from "node:fs";
import { createInterface } from "node:readline";
import { toToolError } from "../../src/core/index.js";
import { createSystemClock } from "../../src/drivers/clock.js";
import { claimStateFolder } from "../../src/drivers/store/index.js";

const STANDARD_OUTPUT = 1;

export async function claim([folder = "", program = ""]: readonly string[]): Promise<void> {
  const say = (line: string) => writeSync(STANDARD_OUTPUT, `${line}\n`);
  const lines = createInterface({ input: process.stdin });
  say("ready");
  await once(lines, "line");
  const beganMs = performance.now();
  try {
    const { release } = await claimStateFolder({ folder, program, clock: createSystemClock() });
    say(`held ${process.pid}`);
    await once(lines, "line");
    await release();
    say("released");
  } catch (error) {
    const { code, reason, message, details } = toToolError(error);
    const tookMs = performance.now() - beganMs;
    say(`refused ${JSON.stringify({ code, reason, message, details, tookMs })}`);
  }
  lines.close();
}
