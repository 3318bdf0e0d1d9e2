// The toolkit that `clawtools mcp` serves: what the config leaves, narrowed by the flags.

import type { ClawtoolsConfig } from "../../config/index.js";
import { ToolInputError } from "../../core/index.js";
import type { ToolkitOptions } from "../../toolkit/index.js";
import { allowLocal } from "../browser/allow-local.js";
import type { CommandCall } from "../command-call.js";
import { type OpenedToolkit, openToolkit } from "../with-toolkit.js";
import { createNameFlags, type NameFlags, withFlagNames } from "./name-flags.js";
import { narrowTools } from "./narrow-tools.js";

export interface NarrowedToolkit extends OpenedToolkit {
  /** The rules of another config, narrowed by the same flags; as `Toolkit.setPolicy`. */
  setPolicy(config: ClawtoolsConfig): readonly string[];
}

/** Throws a ToolInputError when the config or a flag cannot be meant, named as it was typed. */
export async function openNarrowed(
  call: CommandCall,
  more: Partial<ToolkitOptions>,
): Promise<NarrowedToolkit> {
  let nameFlags: NameFlags = (text) => text;
  const output = { ...call.output, warn: (line: string) => call.output.warn(nameFlags(line)) };
  try {
    const opened = await openToolkit({ ...call, output }, (options) => {
      nameFlags = createNameFlags(options, call);
      return { ...narrowTools(allowLocal(call, options), call), provider: "mcp", ...more };
    });
    return {
      ...opened,
      toolkit: withFlagNames(opened.toolkit, (text) => nameFlags(text)),
      setPolicy(config) {
        const options = { root: call.root, config };
        const rest = opened.toolkit.setPolicy({ ...narrowTools(options, call).config });
        nameFlags = createNameFlags(options, call);
        return rest;
      },
    };
  } catch (cause) {
    if (!(cause instanceof ToolInputError)) throw cause;
    const { reason } = cause;
    throw new ToolInputError(nameFlags(cause.message), {
      cause,
      ...(reason === undefined ? {} : { reason }),
    });
  }
}
