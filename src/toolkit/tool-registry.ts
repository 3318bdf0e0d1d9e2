// The registry as users make it: `new ToolRegistry()`, bound to this machine's clock, random source,
// time guard, and commands.

import { ToolRegistryBase } from "../core/index.js";
import { createRegistryProcesses } from "./processes/registry-processes.js";
import { createSystemPorts } from "./system-ports.js";

export class ToolRegistry extends ToolRegistryBase {
  constructor() {
    const system = createSystemPorts();
    super({ ports: { ...system, processes: createRegistryProcesses(system) } });
  }
}
