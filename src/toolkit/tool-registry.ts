// The registry as users make it: `new ToolRegistry()`, bound to this machine's clock, random source
// and time guard.

import { ToolRegistryBase } from "../core/index.js";
import { createSystemClock, createSystemRandom } from "../drivers/clock/index.js";
import { createTimeGuard } from "../drivers/guard/index.js";

export class ToolRegistry extends ToolRegistryBase {
  constructor() {
    super({
      ports: {
        clock: createSystemClock(),
        random: createSystemRandom(),
        guard: createTimeGuard(),
      },
    });
  }
}
