// Fields that were named by their labels: the refs of the elements that have these names.

import type { ListedElement, PageScope } from "../../../core/browser.js";
import { isToolError } from "../../../core/index.js";
import { namesNoRefs } from "../request/named-fields.js";
import type { ActPlace } from "./act-step.js";

const LOOK_MS = 2_000;
const MAX_REFS = 3;
/** Marks that pages put behind a label. */
const MARKS = /[\s*:]+$/;
const FIELD_ROLES: ReadonlySet<string> = new Set([
  ...["textbox", "searchbox", "combobox", "listbox", "spinbutton", "slider"],
  ...["checkbox", "radio", "switch"],
]);

/** The same error with the refs in it; unchanged when it is another one, or no page is open. */
export async function withListedRefs(error: unknown, place: ActPlace): Promise<unknown> {
  const given: unknown = isToolError(error) ? error.details?.names : undefined;
  if (!Array.isArray(given)) return error;
  const names = given.map(String);
  const elements = await readElements(place);
  const refs = names.map((name) => [name, findRefs(elements, name)] as const);
  return namesNoRefs(names, new Map(refs));
}

/** Nothing when it cannot be looked at; no browser is started for it. */
async function readElements({ browsers, scope }: ActPlace): Promise<readonly ListedElement[]> {
  const { timeoutMs = LOOK_MS, signal } = scope;
  try {
    if ((await browsers.tabs(scope)).length === 0) return [];
    const page = await browsers.page(scope);
    const look: PageScope = { timeoutMs: Math.min(timeoutMs, LOOK_MS), signal };
    return (await page.list({ ...look, isGlance: true })).elements;
  } catch {
    signal.throwIfAborted();
    return [];
  }
}

/** Fields before others. */
function findRefs(elements: readonly ListedElement[], name: string): readonly string[] {
  const wanted = toPlain(name);
  const alike = elements.filter((one) => one.ref !== undefined && toPlain(one.name) === wanted);
  const fields = alike.filter(({ role }) => FIELD_ROLES.has(role));
  return (fields.length > 0 ? fields : alike).flatMap(({ ref = [] }) => ref).slice(0, MAX_REFS);
}

function toPlain(name: string): string {
  return name.trim().toLowerCase().replace(MARKS, "");
}
