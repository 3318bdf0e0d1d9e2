// Numbers that say which one something is, and not how many: `No. 7`, `Invoice 12`, `#3`, `INV-1001`.
// They never go on by themselves: another such number is another thing.

import type { Contents } from "./content.js";

const NAMING =
  /(?:#|\b(?:no|nr|id|number|account|booking|case|invoice|order|request|ticket))[\s.:#-]*\d+|[a-z]-?\d{3,}/gu;

export function namingIn(text: string): readonly string[] {
  return text.toLowerCase().match(NAMING) ?? [];
}

export function hasSameNaming(before: string, now: string): boolean {
  return before === now || namingIn(before).join() === namingIn(now).join();
}

/** What an item consists of, and a part of it that does not count. */
export interface Read {
  readonly nodes: readonly Node[];
  readonly part?: Element | undefined;
}

export function textOfAll(contents: Contents, { nodes, part }: Read): string {
  return nodes.map((node) => contents.textOf(node, part)).join(" ");
}
