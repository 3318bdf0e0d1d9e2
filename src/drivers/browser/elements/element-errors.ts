// Errors for elements that cannot be acted on.

import type { ListedElement } from "../../../core/browser.js";
import { ToolError } from "../../../core/index.js";
import { toPrintable } from "../../../lib/printable.js";
import type { CheckBad } from "../inpage/protocol.js";
import type { RefTab } from "./refs.js";
import type { ToListed } from "./world.js";

const MAX_SHOWN_CHARS = 120;

export type StaleWhy = "detached" | "changed" | "other_document" | "unknown";

const STALE_WORDS: Readonly<Record<StaleWhy, string>> = {
  detached: "is not on the page any more",
  changed: "is another element by now",
  other_document: "belongs to a document that is gone",
  unknown: "was never given",
};

const DISABLED_BY: ReadonlyMap<string | undefined, string> = new Map([
  ["pointer-events: none", ": a style of the page (pointer-events: none) lets no pointer reach it"],
]);

export interface NearElement extends ListedElement {
  readonly place?: string;
}

export function staleRef(problem: {
  readonly ref: string;
  readonly why: StaleWhy;
  readonly now?: NearElement;
  readonly near: readonly NearElement[];
}): ToolError {
  const { ref, why, now, near } = problem;
  const named = now ? [now, ...near] : near;
  const nowWords = why === "detached" ? "; in its place is now " : ": ";
  const parts = [
    `The ref ${shown(ref)} ${STALE_WORDS[why]}${now ? `${nowWords}${describeNear(now)}` : ""}`,
    ...(near.length > 0 ? [`nearest are ${near.map(describeNear).join(", ")}`] : []),
    named.length > 0 ? "use a ref of those, or take a new snapshot" : "take a new snapshot",
  ];
  return new ToolError("conflict", `${parts.join("; ")}.`, {
    reason: "stale_ref",
    details: { ref, why, near: named },
  });
}

export function refOfOtherTab(ref: string, { targetId, isOpen }: RefTab): ToolError {
  const advice = isOpen
    ? `; give targetId ${targetId} with it, or focus that tab first`
    : ", which is closed; take a new snapshot";
  return new ToolError("conflict", `The ref ${shown(ref)} is of tab ${targetId}${advice}.`, {
    reason: "ref_of_other_tab",
    details: { ref, targetId, isOpen },
  });
}

function describeNear(element: NearElement): string {
  const place = element.place ? ` (in ${shown(element.place)})` : "";
  return `${describe(element)}${place}`;
}

export function disabled(ref: string, by = ""): ToolError {
  const message = `${shown(ref)} is disabled${by}; do first what makes the page enable it.`;
  return failed("element_disabled", { message, details: { ref } });
}

export function wrongKind(ref: string, hint: string): ToolError {
  const message = `${shown(ref)} cannot be used like this: ${hint}.`;
  return failed("element_wrong_kind", { message, details: { ref } });
}

export function notActionable(
  ref: string,
  { bad, toListed }: { readonly bad: CheckBad; readonly toListed: ToListed },
): ToolError {
  const by = bad.by && toListed(bad.by);
  const hint = bad.hint ? `: ${bad.hint}` : "";
  switch (bad.why) {
    case "disabled":
      return disabled(ref, DISABLED_BY.get(bad.hint) ?? hint);
    case "covered":
      return bad.hint === "inside" && by ? filled(ref, by) : covered(ref, by);
    case "wrong_kind":
      return wrongKind(ref, bad.hint ?? "choose another element");
    default:
      return failed("element_hidden", {
        message: `${shown(ref)} is not visible${hint}; open or scroll what it is in first.`,
        details: { ref },
      });
  }
}

export function covered(ref: string, by: ListedElement | undefined): ToolError {
  const what = by ? describe(by) : "something else";
  const message = `${shown(ref)} is covered by ${what}; close that or scroll first.`;
  return failed("element_covered", { message, details: { ref, ...(by && { by }) } });
}

function filled(ref: string, by: ListedElement): ToolError {
  const message = `${shown(ref)} cannot be clicked: ${describe(by)} inside it takes every click; click that, or another element.`;
  return failed("element_covered", { message, details: { ref, by } });
}

export function frameNotFound(selector: string): ToolError {
  const message = `No iframe, or no single one, matches "${shown(selector)}"; give the ref or the CSS of one, "main" for the page itself, or take a snapshot without frame to see which there are.`;
  return new ToolError("not_found", message, { reason: "frame_not_found" });
}

function failed(
  reason: string,
  { message, details }: { readonly message: string; readonly details: Record<string, unknown> },
): ToolError {
  return new ToolError("failed", message, { reason, details });
}

function describe({ ref, role, name }: ListedElement): string {
  return [ref, role, name && `"${shown(name)}"`].filter(Boolean).join(" ");
}

function shown(text: string): string {
  return toPrintable(text, MAX_SHOWN_CHARS);
}
