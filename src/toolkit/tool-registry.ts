// The registry as users make it: `new ToolRegistry()`, bound to this machine's clock, random source,
// time guard, commands, network, notes and browsers.

import { ToolRegistryBase } from "../core/index.js";
import { createRegistryBrowsers } from "./browser/registry-browsers.js";
import { createRegistryMemory } from "./memory/registry-memory.js";
import { createRegistryNet } from "./net/registry-net.js";
import { createRegistryProcesses } from "./processes/registry-processes.js";
import { createSystemPorts } from "./system-ports.js";

export class ToolRegistry extends ToolRegistryBase {
  constructor() {
    const system = createSystemPorts();
    const processes = createRegistryProcesses(system);
    const net = createRegistryNet();
    const memory = createRegistryMemory(net);
    const browsers = createRegistryBrowsers(system);
    super({ ports: { ...system, processes, net, memory, browsers } });
  }
}
