// The first element that a selector of a caller matches, for what needs no ref.

import type { Locator, Page } from "playwright-core";
import { selectorMissing, selectorWrong } from "./errors.js";
import type { WorkTime } from "./page-work.js";

const NO_CSS =
  /not a valid selector|Unexpected token|while parsing|Failed to execute 'querySelector/i;

/** Throws `selector_invalid`, `element_not_found`; does not wait. */
export async function findBySelector(
  page: Page,
  { selector, time }: { readonly selector: string; readonly time: WorkTime },
): Promise<Locator> {
  const locator = page.locator(`css=${selector}`).first();
  const count = await time
    .call("the page to answer", () => locator.count())
    .catch((error: unknown) => {
      throw error instanceof Error && NO_CSS.test(error.message) ? selectorWrong(selector) : error;
    });
  if (count === 0) throw selectorMissing(selector);
  return locator;
}
