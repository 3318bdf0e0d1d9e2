// An element that does not take what was sent: what it is, and the call that it takes.

import type { BrowserPage, ListedElement, PageAction, PageScope } from "../../../core/browser.js";
import { ToolError } from "../../../core/index.js";

const LOOK_MS = 2_000;
const FILL_TRUE = { kind: "fill", words: "fill with true or false, or click" };
const CLICK = { kind: "click", words: "click" };
const FILL = { kind: "fill", words: "fill, or type" };
const SELECT = { kind: "select", words: "select with values, what its options are called" };
const UPLOAD = { kind: "upload", words: "action upload with inputRef and paths" };
const CUSTOM = { kind: "click", words: "click, then a click on the option that comes" };

interface RightCall {
  readonly kind: string;
  readonly words: string;
}

const CALLS: Readonly<Record<string, RightCall>> = {
  checkbox: FILL_TRUE,
  switch: FILL_TRUE,
  radio: FILL_TRUE,
  menuitemcheckbox: FILL_TRUE,
  menuitemradio: FILL_TRUE,
  button: CLICK,
  link: CLICK,
  tab: CLICK,
  menuitem: CLICK,
  option: CLICK,
  treeitem: CLICK,
  textbox: FILL,
  searchbox: FILL,
  spinbutton: FILL,
  slider: FILL,
};

/** The same error with `advice` in its details; unchanged when the driver's sentence says it all. */
export async function withRightCall(
  error: ToolError,
  at: { readonly page: BrowserPage; readonly action: PageAction; readonly scope: PageScope },
): Promise<ToolError> {
  const { page, action, scope } = at;
  const ref: unknown = error.details?.ref;
  if (typeof ref !== "string") return error;
  const elements = await readInside(page, { ...scope, ref });
  const advice = adviseCall(elements, { ref, action });
  if (advice === undefined) return error;
  const { code, message, reason, details, cause } = error;
  return new ToolError(code, message, { reason, cause, details: { ...details, advice } });
}

/** The element and what is in it; nothing when it cannot be looked at. */
async function readInside(
  page: BrowserPage,
  { ref, timeoutMs = LOOK_MS, signal }: PageScope & { readonly ref: string },
): Promise<readonly ListedElement[]> {
  try {
    return (await page.list({ ref, timeoutMs: Math.min(timeoutMs, LOOK_MS), signal })).elements;
  } catch {
    signal.throwIfAborted();
    return [];
  }
}

function adviseCall(
  elements: readonly ListedElement[],
  { ref, action }: { readonly ref: string; readonly action: PageAction },
): string | undefined {
  const element = elements.find((one) => one.ref === ref);
  if (element === undefined) return undefined;
  const call = chooseCall(element, elements);
  if (call === undefined) {
    return `${ref} is ${withArticle(element.role)}: snapshot with ref ${ref} lists what is in it to act on.`;
  }
  const isSent = call.kind === action.kind || (call === FILL && action.kind === "type");
  return isSent ? undefined : `${ref} is ${withArticle(element.role)}: use ${call.words}.`;
}

function chooseCall(
  { role, states }: ListedElement,
  elements: readonly ListedElement[],
): RightCall | undefined {
  if (states.includes("file")) return UPLOAD;
  if (role !== "combobox" && role !== "listbox") return CALLS[role];
  return elements.some((one) => one.role === "option" && one.ref === undefined) ? SELECT : CUSTOM;
}

function withArticle(role: string): string {
  return `${/^[aeio]/.test(role) ? "an" : "a"} ${role}`;
}
