// `wrapUntrusted` for programs that bring text from outside into a context themselves.

import { createUntrustedWrapper } from "../core/index.js";
import { createSystemRandom } from "../drivers/clock.js";

/** Marks `text` as data from `source`; each call has markers of its own that no one can guess. */
export function wrapUntrusted(text: string, options: { readonly source: string }): string {
  return createUntrustedWrapper({ random: createSystemRandom() })(text, options);
}
