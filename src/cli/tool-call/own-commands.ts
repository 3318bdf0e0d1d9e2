// What a refused call says to do, as it can be typed where this program is not in the search path.

import type { ContentBlock } from "../../core/index.js";
import { inOwnWords, toOwnCommand } from "../own-command/own-command.js";

interface Told {
  readonly content: readonly ContentBlock[];
  readonly details?: unknown;
}

/** The text of an error is JSON; commands stand in `allow` of its details, one a line. */
export function inOwnCommands({ content, details }: Told, ownCommand: string): Told {
  const inJson = JSON.stringify(ownCommand).slice(1, -1);
  return {
    content: content.map((block) =>
      block.type === "text" ? { ...block, text: inOwnWords(block.text, inJson) } : block,
    ),
    details: hasAllow(details)
      ? { ...details, allow: details.allow.map((line) => toOwnCommand(String(line), ownCommand)) }
      : details,
  };
}

function hasAllow(details: unknown): details is { readonly allow: readonly unknown[] } {
  if (typeof details !== "object" || details === null) return false;
  return Array.isArray(Reflect.get(details, "allow"));
}
