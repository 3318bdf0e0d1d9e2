// The registry as users make it: `new ToolRegistry()`, bound to this machine's clock, random source
// and time guard.

import { ToolRegistryBase } from "../core/index.js";
import { createSystemPorts } from "./system-ports.js";

export class ToolRegistry extends ToolRegistryBase {
  constructor() {
    super({ ports: createSystemPorts() });
  }
}
