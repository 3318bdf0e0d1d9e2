// Whether there is any element of a kind that many documents have none of. To go through all of a large
// document for that takes time, so where there is none, only what changed since is looked at.

import { findIn, isAnElement, isMatch, page } from "./clobbered.js";

const KINDS = {
  dialog: "dialog,[aria-modal]",
  disabled: "[aria-disabled],[inert]",
  naming: "label[for]",
  owner: "[aria-owns]",
  referring: "[aria-labelledby],[aria-owns]",
} as const;

const MAX_RECORDS = 200;

type Kind = keyof typeof KINDS;

export interface Presence {
  has(kind: Kind): boolean;
  note(records: readonly MutationRecord[]): void;
}

export function createPresence(): Presence {
  const present = new Set<Kind>();
  const absent = new Set<Kind>();
  const noteElement = (element: Element) => {
    for (const kind of absent) {
      const isOne = isMatch(element, KINDS[kind]) || findIn(element, KINDS[kind]) !== null;
      if (isOne) absent.delete(kind);
    }
  };
  const noteAttribute = (name: string) => {
    for (const kind of absent) if (KINDS[kind].includes(`[${name}]`)) absent.delete(kind);
  };
  return {
    has: (kind) => {
      if (absent.has(kind)) return false;
      if (!present.has(kind)) (page.find(KINDS[kind]) ? present : absent).add(kind);
      return present.has(kind);
    },
    note: (records) => {
      if (records.length > MAX_RECORDS) absent.clear();
      if (absent.size === 0) return;
      for (const { attributeName, addedNodes } of records) {
        if (attributeName !== null) noteAttribute(attributeName);
        for (const node of addedNodes) if (isAnElement(node)) noteElement(node);
      }
    },
  };
}
