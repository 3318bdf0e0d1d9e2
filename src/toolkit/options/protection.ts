// What the calls of a toolkit may not change or read, for its file bridge and for its commands alike.

import { resolve } from "node:path";
import { type ClawtoolsConfig, findAgent } from "../../config/index.js";
import { homeDirectory } from "../../drivers/environment.js";
import type { NodeBridgeOptions } from "../../drivers/fs/index.js";
import { readSection } from "./config-section.js";

export interface ProtectionSource {
  readonly config: ClawtoolsConfig;
  readonly agentId?: string | undefined;
  readonly stateDir: string | undefined;
  readonly protect?: readonly string[] | undefined;
}

/** The configuration has been checked before; the agent's own word counts first. */
export function toProtection(source: ProtectionSource): NodeBridgeOptions {
  const { config, agentId, stateDir, protect } = source;
  const agentTools = readSection(findAgent(config, agentId) ?? {}, "tools");
  const fs = { ...config.tools?.fs, ...readSection(agentTools, "fs") };
  const home = homeDirectory() ?? "~";
  return {
    alsoProtect: protect,
    stateDir,
    loads: config.plugins?.load?.paths?.map((path) => resolve(path.replace(/^~(?=\/|$)/, home))),
    protectClientFiles: fs.protectClientFiles,
  };
}
