// A form that the browser itself does not send: it puts the focus into a field and says there what is
// wrong, in a bubble that is no part of the page. Told is which field, and what it says.

import type { Page } from "playwright-core";
import type { PageAction } from "../../../core/browser.js";
import { within } from "../session/within.js";
import { shown } from "./errors.js";

const MAX_ASK_MS = 300;
const SENDING_KEYS: readonly string[] = ["Enter", "NumpadEnter"];

/** In the page: null when the focus is in no such field. */
const READ = `(() => {
  let at = document.activeElement;
  for (let inner = at; inner; inner = at.shadowRoot?.activeElement ?? at.contentDocument?.activeElement) at = inner;
  if (!at || !at.validationMessage || at.form?.noValidate || !at.matches(":user-invalid")) return null;
  const words = [at.labels?.[0]?.textContent, at.getAttribute("aria-label"), at.placeholder, at.name];
  const name = words.find((word) => typeof word === "string" && word.trim() !== "") ?? "";
  return [name, at.validationMessage].map((word) => String(word).replace(/\\s+/g, " ").trim().slice(0, 200));
})()`;

/** What is to be told of it; undefined: nothing. Never rejects. */
export async function readInvalidField(
  page: Page,
  { action, signal }: { readonly action: PageAction; readonly signal: AbortSignal },
): Promise<string | undefined> {
  if (!maySend(action)) return undefined;
  const limit = { timeoutMs: MAX_ASK_MS, signal, what: "the field with the focus" };
  // A page that does not answer has told all it could.
  const found: unknown = await within(limit, () => page.evaluate(READ)).catch(() => null);
  if (!Array.isArray(found)) return undefined;
  const [name, message] = found.map(String);
  const field = name ? `the field "${shown(name)}"` : "the field with the focus";
  return `The browser finds ${field} not valid, so its form is not sent: "${shown(message ?? "")}"`;
}

function maySend(action: PageAction): boolean {
  if (action.kind === "press") return SENDING_KEYS.includes(action.key);
  if (action.kind === "type") return action.submit === true;
  return action.kind === "click" || action.kind === "clickCoords";
}
