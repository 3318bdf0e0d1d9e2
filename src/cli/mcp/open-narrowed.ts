// The toolkit that `clawtools mcp` serves: what the config leaves, narrowed by the flags.

import type { ClawtoolsConfig } from "../../config/index.js";
import { ToolInputError } from "../../core/index.js";
import { toPrintable } from "../../lib/printable.js";
import { findPolicyProblems, type ToolkitOptions } from "../../toolkit/index.js";
import { allowLocal } from "../browser/allow-local.js";
import type { CommandCall } from "../command-call.js";
import { UsageError } from "../failure.js";
import { type OpenedToolkit, openToolkit } from "../with-toolkit.js";
import { createNameFlags, type NameFlags, withFlagNames } from "./name-flags.js";
import { narrowTools, readNames } from "./narrow-tools.js";

/** An entry that nothing has the name of, or a list of such. */
const UNKNOWN: ReadonlySet<string> = new Set(["unknown_name", "allow_ignored"]);

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
      assertKnownNames(options, call);
      return { ...narrowTools(allowLocal(call, options), call), provider: "mcp", ...more };
    });
    return {
      ...opened,
      toolkit: withFlagNames(opened.toolkit, (text) => nameFlags(text)),
      setPolicy(config) {
        const options = { root: call.root, config };
        const narrowed = narrowTools(allowLocal(call, options), call);
        const rest = opened.toolkit.setPolicy({ ...narrowed.config });
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

/** A name that nobody has closes nothing, or everything; a plugin may bring it, where there is one. */
function assertKnownNames({ config }: ToolkitOptions, { texts }: CommandCall): void {
  for (const flag of ["allow", "deny"] as const) {
    const names = readNames(flag, texts[flag]);
    const { plugins, mcp } = config ?? {};
    const problems = findPolicyProblems({ tools: { [flag]: names ?? [] }, plugins, mcp });
    const unknown = problems.find(({ code }) => UNKNOWN.has(code));
    if (unknown !== undefined) {
      const [first = "", ...others] = names ?? [];
      const name = others.find((one) => unknown.message.includes(`"${one}"`)) ?? first;
      throw new UsageError(
        `--${flag}: "${toPrintable(name)}" is no known name; give tools or groups, with commas. \`clawtools tools list\` has them.`,
      );
    }
  }
}
