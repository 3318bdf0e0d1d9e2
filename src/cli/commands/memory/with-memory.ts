// The memory of one agent for the length of one command.

import { stateDir } from "../../../config/index.js";
import type { Memory } from "../../../core/index.js";
import { createAgentMemory } from "../../../toolkit/index.js";
import type { CommandCall } from "../../command-call.js";
import { readUsableConfig } from "../../usable-config.js";

export async function withMemory<T>(
  call: CommandCall,
  work: (memory: Memory) => Promise<T>,
): Promise<T> {
  const { config } = await readUsableConfig(call);
  const memory = createAgentMemory({
    root: call.root,
    config,
    agentId: call.texts.agent,
    stateDir: stateDir(call.place),
  });
  try {
    return await work(memory);
  } finally {
    await memory.close();
  }
}
