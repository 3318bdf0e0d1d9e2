// The last line that a running command has printed, where a person sits at the terminal.

import type { ToolUpdate } from "../../core/index.js";
import { toPrintable } from "../../lib/printable.js";
import { readField } from "../../lib/read-field.js";
import type { CommandCall } from "../command-call.js";

export interface CallProgress {
  show(update: ToolUpdate): void;
  /** Before anything else is printed. */
  clear(): void;
}

export function createProgress({ output, width }: CommandCall): CallProgress {
  let isShown = false;
  return {
    show({ content, details }) {
      const [block] = content ?? [];
      // A question is shown by whoever asks it.
      if (readField(details, "status") !== "running" || block?.type !== "text") return;
      const line = block.text.trimEnd().split("\n").at(-1) ?? "";
      isShown = true;
      output.progress(toPrintable(line, width - 2));
    },
    clear() {
      if (isShown) output.progress("");
      isShown = false;
    },
  };
}
