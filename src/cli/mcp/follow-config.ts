// A config that is changed while a server runs: its rules hold from the next call on, and the rest is
// told, because it counts only for a server that is started anew.

import type { ClawtoolsConfig } from "../../config/index.js";
import { toPrintable } from "../../lib/printable.js";
import type { CommandCall } from "../command-call.js";
import { readUsableConfig, type UsableConfig } from "../usable-config.js";
import { listConfigFiles } from "../with-toolkit.js";
import { watchConfig } from "./watch-config.js";

const MAX_REASON_CHARS = 4_000;

export interface ConfigFollower {
  readonly config: UsableConfig;
  /** As `Toolkit.setPolicy`. */
  setPolicy(config: ClawtoolsConfig): readonly string[];
}

/** The returned function ends it. A config that cannot be used changes nothing. */
export function followConfig(call: CommandCall, follower: ConfigFollower): () => void {
  const { warn } = call.output;
  const apply = async () => {
    try {
      const { config } = await readUsableConfig(call);
      warn(describeChange(follower.setPolicy(config)));
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      warn(
        `The config was changed, but the rules stay as they were: ${toPrintable(reason, MAX_REASON_CHARS)}`,
      );
    }
  };
  return watchConfig(listConfigFiles(follower.config), () => void apply());
}

function describeChange(rest: readonly string[]): string {
  const now = "The config was changed: its rules for tools hold from now on.";
  if (rest.length === 0) return now;
  return `${now} Restart this server to use what it says besides, in ${rest.join(", ")}.`;
}
