// A text as if all its line ends were line feeds; CR and LF are never parted.

import type { TextView } from "./text-view.js";
import { createViewBuilder } from "./view-builder.js";

const CARRIAGE_RETURN = 0x0d;
const LINE_FEED = 0x0a;
const MAX_PAIRS = 4_000_000;

export function createLineFeedView(original: Buffer): TextView {
  const builder = createViewBuilder(original, MAX_PAIRS);
  const lineFeed = Buffer.of(LINE_FEED);
  let start = original.indexOf(CARRIAGE_RETURN);
  while (start !== -1) {
    if (original[start + 1] === LINE_FEED) builder.replace({ start, end: start + 2 }, lineFeed);
    start = original.indexOf(CARRIAGE_RETURN, start + 1);
  }
  return builder.finish();
}
