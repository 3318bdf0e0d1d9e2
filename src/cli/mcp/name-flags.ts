// Names of flags for the places of the config in which they were put: who typed `--deny` has perhaps
// no config at all.

import type { Invoke, InvokeResult, Toolkit } from "../../core/index.js";
import { readText } from "../../lib/read-field.js";
import type { ToolkitOptions } from "../../toolkit/index.js";
import type { CommandCall } from "../command-call.js";
import { readNames } from "./narrow-tools.js";

export type NameFlags = (text: string) => string;

const DENIED = /(?<![\w.\]])tools\.deny\[(\d+)\]/g;
const ALLOWED = /(?<![\w.\]])toolsAllow(?:\[\d+\])?/g;
const BLAME = /^The config cannot be used\. (?=--)/;

/** `options`: before the flags have narrowed them. */
export function createNameFlags(
  { config }: ToolkitOptions,
  { texts }: Pick<CommandCall, "texts">,
): NameFlags {
  const ownCount = config?.tools?.deny?.length ?? 0;
  const flagCount = readNames("deny", texts.deny)?.length ?? 0;
  const nameDenied = (whole: string, digits: string) => {
    const index = Number(digits) - ownCount;
    if (index < 0) return whole;
    return index < flagCount ? "--deny" : "--read-only";
  };
  return (text) => text.replace(DENIED, nameDenied).replace(ALLOWED, "--allow").replace(BLAME, "");
}

/** The same toolkit; what policy refuses is told by the flag that refused it. */
export function withFlagNames(toolkit: Toolkit, nameFlags: NameFlags): Toolkit {
  const invoke: Invoke = async (request) => renameDenial(await toolkit.invoke(request), nameFlags);
  // No copy: what the toolkit offers is read anew each time.
  return Object.create(toolkit, { invoke: { value: invoke } });
}

/** Only what no tool has written. */
function renameDenial(result: InvokeResult, nameFlags: NameFlags): InvokeResult {
  if (!result.isError || readText(result.details, "reason") !== "tool_denied") return result;
  const content = result.content.map((block) =>
    block.type === "text" ? { ...block, text: nameFlags(block.text) } : block,
  );
  return { ...result, content };
}
