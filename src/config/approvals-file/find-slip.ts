// A mistyped field would be kept and do nothing, and an entry without its `argPattern` covers more
// than was meant. So a name that is nearly one of those that decide is a fault, not a foreign field.

import { nearestWithin } from "../../lib/nearest-name.js";
import type { ApprovalsDocument } from "./schema.js";

const MAX_LETTERS = 2;
const RULES = ["security", "ask", "askFallback", "autoAllowSkills"];
const AGENT = [...RULES, "allowlist", "mcpTools"];
const ENTRY = [
  ...["id", "pattern", "argPattern", "source", "expiresAt", "addedAt", "addedBy", "shown"],
  ...["lastUsedAt", "lastUsedCommand", "lastResolvedPath"],
];
/** Only these change what may run; shorter names are too near to too much. */
const DECISIVE = [
  "security",
  "askFallback",
  "allowlist",
  "argPattern",
  "expiresAt",
  "agents",
  "defaults",
];
const TOP = ["version", "socket", "defaults", "agents"];

/** What is mistyped, with its place. */
export function findSlip(document: ApprovalsDocument): string | undefined {
  const { defaults = {}, agents = {} } = document;
  const places: (readonly [place: string, value: object, known: readonly string[]])[] = [
    ["", document, TOP],
    ["defaults.", defaults, RULES],
  ];
  for (const [name, rules] of Object.entries(agents)) {
    places.push([`agents.${name}.`, rules, AGENT]);
    for (const [index, entry] of (rules.allowlist ?? []).entries()) {
      places.push([`agents.${name}.allowlist[${index}].`, entry, ENTRY]);
    }
  }
  for (const [place, value, known] of places) {
    const slip = findIn(value, known);
    if (slip !== undefined) return `${place}${slip}`;
  }
  return undefined;
}

function findIn(value: object, known: readonly string[]): string | undefined {
  const decisive = known.filter((name) => DECISIVE.includes(name));
  for (const name of Object.keys(value)) {
    if (known.includes(name)) continue;
    const meant = nearestWithin({ name, known: decisive, maxLetters: MAX_LETTERS });
    if (meant !== undefined) return `${name} is no field; did you mean ${meant}?`;
  }
  return undefined;
}
