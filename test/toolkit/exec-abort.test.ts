// A call that is taken back while its command is on the way: it does not begin afterwards.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { expect, it } from "vitest";
import { startExec } from "./exec-setting.js";

/** Long before a start that was not made ahead comes to its word to go. */
const DELAYS_MS = [0, 0, 0, 1, 1];
/** Longer than a start takes. */
const LATER_MS = 300;

it.each([{ pty: true }, { background: true }])(
  "nothing begins after the answer: %j",
  // On a busy machine the start signal and the abort may cross; the command then ends at once.
  { retry: 2 },
  async (params) => {
    const setting = startExec();
    await setting.exec({ command: "echo ready", ...params });
    const late: number[] = [];
    for (const [index, delayMs] of DELAYS_MS.entries()) {
      const made = join(setting.root, `made-${index}`);
      const signal = AbortSignal.timeout(delayMs);
      const call = setting.exec({ command: `echo x > ${made}; sleep 60`, ...params }, { signal });
      const wasTakenBack = await call.then(
        () => false,
        () => true,
      );
      const hadBegun = existsSync(made);
      await pause(LATER_MS);
      if (wasTakenBack && !hadBegun && existsSync(made)) late.push(index);
    }
    expect(late).toEqual([]);
  },
);
