// What every layer is compiled with.

import type { Fault } from "../config/found.js";
import { showPath } from "../config/path.js";
import type { CompileList } from "../names/matcher.js";
import type { ReadMeaning } from "../names/meaning.js";
import type { ToolIndex } from "../names/tool-index.js";
import type { WarningLog } from "../warnings.js";

export interface LayerContext {
  readonly index: ToolIndex;
  readonly read: ReadMeaning;
  readonly compileList: CompileList;
  readonly log: WarningLog;
}

/** How a malformed value is reported as the rule that removed a tool. */
export function closedBy({ path, reason }: Fault): { rule: string; reason: string } {
  const rule = showPath(path);
  return { rule, reason: `${rule} ${reason}; until then nothing passes` };
}
