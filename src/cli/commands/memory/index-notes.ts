// `clawtools memory index`: brings the index up to date and shows how far it is.

import type { MemoryProgress } from "../../../core/index.js";
import { type CommandCall, printJson } from "../../command-call.js";
import { printStatus } from "./show-status.js";
import { withMemory } from "./with-memory.js";

const BAR_CHARS = 24;

export async function run(call: CommandCall): Promise<number> {
  const { output, switches, width } = call;
  return withMemory(call, async (memory) => {
    const status = await call.untilStopped((signal) =>
      memory.index({
        isFresh: switches.has("fresh"),
        signal,
        onProgress: (progress) => output.progress(formatProgress(progress)),
      }),
    );
    output.progress("");
    if (switches.has("json")) printJson(output, status);
    else printStatus(output, { status, width });
    return 0;
  });
}

export function formatProgress({ done, total }: MemoryProgress): string {
  const share = total === 0 ? 1 : done / total;
  const filled = Math.round(share * BAR_CHARS);
  return `[${"#".repeat(filled)}${"-".repeat(BAR_CHARS - filled)}] ${done} of ${total} notes`;
}
