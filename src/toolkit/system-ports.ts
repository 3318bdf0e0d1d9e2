// This machine's clock, random source, time guard, image decoder and variables, as every registry and
// toolkit needs them.

import type { RunPorts } from "../core/index.js";
import { createSystemClock, createSystemRandom } from "../drivers/clock.js";
import { createEnvironment } from "../drivers/environment.js";
import { createImages } from "../drivers/media/index.js";
import { createTimeGuard } from "../drivers/time-guard.js";
import { pinPackages } from "../lib/system/load-package.js";
import { loadOrSay } from "./load-or-say.js";

export function createSystemPorts(): RunPorts {
  pinPackages();
  return {
    clock: createSystemClock(),
    random: createSystemRandom(),
    guard: createTimeGuard(),
    load: loadOrSay,
    images: createImages(),
    environment: createEnvironment(),
  };
}
