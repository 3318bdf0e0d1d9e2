// How far an act came before a dialog interrupted it.

import type { PageAction } from "../../../../core/browser.js";

export interface Begun {
  /** The fields that were reached; `how`: see PutAnswer. */
  readonly puts: readonly { readonly how?: string | undefined }[];
  readonly steps: number;
  readonly last: string;
}

const AT_ONCE: readonly string[] = ["set", "choose"];
export const RELEASE = "the release to be taken by the page";

export function describeCut(action: PageAction, begun: Begun): string | undefined {
  if (action.kind === "fill") return describeFill(action.fields, begun);
  if (action.kind === "drag") {
    return begun.last === RELEASE ? undefined : `${action.startRef} was not dropped.`;
  }
  return action.kind === "type" ? describeTyping(action, begun) : undefined;
}

function describeFill(fields: readonly { readonly ref: string }[], begun: Begun) {
  const at = begun.puts.length - 1;
  const refs = fields.map(({ ref }) => ref);
  const before = refs.slice(0, Math.max(at, 0));
  const behind = refs.slice(at + 1);
  const isUnderWay = isInDoubt(begun);
  if (behind.length === 0 && !isUnderWay) return undefined;
  const filled = isUnderWay ? before : refs.slice(0, at + 1);
  return [
    ...(filled.length === 0 ? [] : [`Filled: ${filled.join(", ")}.`]),
    ...(isUnderWay ? [`Perhaps not filled: ${refs[at]}.`] : []),
    ...(behind.length === 0 ? [] : [`Not filled: ${behind.join(", ")}.`]),
  ].join(" ");
}

type Typing = Extract<PageAction, { kind: "type" }>;

function describeTyping({ ref, text, submit, slowly }: Typing, begun: Begun) {
  if (slowly && text !== "") {
    const letters = [...text].length;
    if (begun.steps >= letters + (submit ? 1 : 0)) return undefined;
    const typed = `${Math.min(begun.steps, letters)} of ${letters} letters were typed into ${ref}`;
    return `${typed}${submit ? ", and Enter was not pressed" : ""}.`;
  }
  if (isInDoubt(begun)) {
    return `${ref} perhaps holds nothing of the text${submit ? ", and Enter was not pressed" : ""}.`;
  }
  const isSet = begun.puts.at(-1)?.how === "set";
  return submit && begun.steps < (isSet ? 1 : 2)
    ? `The text is in ${ref}, and Enter was not pressed.`
    : undefined;
}

/** The page did not answer, or its field got no input. */
function isInDoubt({ puts, steps }: Begun): boolean {
  return steps === 0 && !AT_ONCE.includes(puts.at(-1)?.how ?? "");
}
