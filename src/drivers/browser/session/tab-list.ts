// The tabs of one browser by their ids, and which of them a call without an id means.

import { ToolError } from "../../../core/index.js";

const MAX_NAMED = 8;

export interface TabList<Tab extends { readonly targetId: string }> {
  all(): readonly Tab[];
  add(tab: Tab): void;
  remove(tab: Tab): void;
  /** The one used last. */
  current(): Tab | undefined;
  /** From now on it is the current one. */
  use(tab: Tab): void;
  /** By its whole id, else by the beginning of one. Throws `tab_not_found` or `tab_ambiguous`. */
  find(targetId: string): Tab;
}

export function createTabList<Tab extends { readonly targetId: string }>(): TabList<Tab> {
  const tabs: Tab[] = [];
  /** The last used last. */
  const used: Tab[] = [];

  function drop(list: Tab[], tab: Tab): void {
    const index = list.indexOf(tab);
    if (index >= 0) list.splice(index, 1);
  }

  return {
    all: () => [...tabs],
    add(tab) {
      tabs.push(tab);
      // Behind those that were used: it came, no one asked for it.
      used.unshift(tab);
    },
    remove(tab) {
      drop(tabs, tab);
      drop(used, tab);
    },
    current: () => used.at(-1),
    use(tab) {
      if (!tabs.includes(tab)) return;
      drop(used, tab);
      used.push(tab);
    },
    find(targetId) {
      const wanted = targetId.trim();
      const exact = tabs.find((tab) => tab.targetId === wanted);
      if (exact) return exact;
      const alike = wanted === "" ? [] : tabs.filter((tab) => tab.targetId.startsWith(wanted));
      const [first] = alike;
      if (first === undefined) throw notFound(wanted, tabs);
      if (alike.length > 1) throw ambiguous(wanted, alike);
      return first;
    },
  };
}

function listIds(tabs: readonly { readonly targetId: string }[]): string {
  const shown = tabs.slice(0, MAX_NAMED).map(({ targetId }) => targetId);
  const more = tabs.length - shown.length;
  return more > 0 ? `${shown.join(", ")} and ${more} more` : shown.join(", ");
}

function notFound(targetId: string, tabs: readonly { readonly targetId: string }[]): ToolError {
  const there =
    tabs.length === 0
      ? "no tab is open"
      : `there ${tabs.length === 1 ? "is" : "are"} ${listIds(tabs)}`;
  return new ToolError(
    "not_found",
    `Unknown tab "${targetId.slice(0, 80)}"; ${there}. Leave targetId out for the current tab, or open one.`,
    {
      reason: "tab_not_found",
      details: { targetId, tabs: tabs.map((tab) => tab.targetId) },
    },
  );
}

function ambiguous(targetId: string, tabs: readonly { readonly targetId: string }[]): ToolError {
  return new ToolError(
    "conflict",
    `"${targetId}" is the beginning of several tabs: ${listIds(tabs)}; write the whole id.`,
    { reason: "tab_ambiguous", details: { targetId, tabs: tabs.map((tab) => tab.targetId) } },
  );
}
