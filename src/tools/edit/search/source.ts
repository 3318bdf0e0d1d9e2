// The text that is searched, and its views, each made when it is first needed.

import { lazy } from "../../../lib/lazy.js";
import { createLineFeedView } from "../view/line-feed-view.js";
import { type CreateLooseView, createLooseViews } from "../view/loose-view.js";
import { createPlainView, type TextView } from "../view/text-view.js";

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

export interface Source {
  /** UTF-8. */
  readonly body: Buffer;
  /** Somewhere a line ends with CRLF. */
  readonly hasPairs: () => boolean;
  /** Some lines end with CRLF, others with a line feed alone. */
  readonly hasMixedEnds: () => boolean;
  readonly exactView: TextView;
  readonly lineFeedView: () => TextView;
  readonly looseView: () => TextView;
  /** The loose view of another text. */
  readonly createLooseView: CreateLooseView;
  /** Counted from 1. */
  lineAt(index: number): number;
}

export function createSource(body: Buffer): Source {
  const createLooseView = lazy(createLooseViews);
  const hasPairs = lazy(() => body.includes("\r\n"));
  return {
    body,
    hasPairs,
    hasMixedEnds: lazy(() => hasPairs() && hasBareFeed(body)),
    exactView: createPlainView(body),
    lineFeedView: lazy(() => createLineFeedView(body)),
    looseView: lazy(() => createLooseView()(body)),
    createLooseView: (text) => createLooseView()(text),
    lineAt(index) {
      let line = 1;
      let end = body.indexOf(LINE_FEED);
      while (end !== -1 && end < index) {
        line++;
        end = body.indexOf(LINE_FEED, end + 1);
      }
      return line;
    },
  };
}

function hasBareFeed(body: Buffer): boolean {
  let end = body.indexOf(LINE_FEED);
  while (end !== -1 && body[end - 1] === CARRIAGE_RETURN) end = body.indexOf(LINE_FEED, end + 1);
  return end !== -1;
}
