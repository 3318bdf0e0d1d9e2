// What a reader should know about a page next to its text: that it is not an article, that something of
// it is missing, where else its content is. Only tools that the model has are named.

import type { Extraction } from "./extract.js";
import { findFrame, findRefresh, type Onward } from "./onward.js";

/** Of what is not a menu or the like, so much must be shown for nothing to be said. */
const FAIR_SHARE = 0.8;
const MANY_LEFT_CHARS = 200;
const MANY_HIDDEN_CHARS = 200;
const FEW_CHARS = 250;

export interface PageView {
  readonly onward: Onward | undefined;
  readonly includesHidden: boolean;
  /** Whether the model has a tool. */
  readonly offers: (toolName: string) => boolean;
}

const KIND_WARNINGS: Readonly<Partial<Record<Extraction["pageKind"], string>>> = {
  "script-shell": "it is rendered by scripts, which web_fetch does not run",
  "script-shell-data": "it is rendered by scripts; this text comes from the data inside it",
  "robot-check":
    "it asks whether a person is reading (a robot check) instead of showing its content",
  paywall: "it seems to be behind a paywall, so the text may end early",
  "consent-wall": "it seems to show a question about cookies instead of its content",
  index: "it is a list of links rather than an article",
};

/** Without the address, which the page wrote: that is in its text. */
const ONWARD_WARNINGS: Readonly<Record<Onward["kind"], string>> = {
  refresh: "it sends its readers on to the address at the end of its text",
  frame: "its content is in a frame; fetch the address at the end of its text",
};

/** Of a page with hardly any text of its own. */
export function findOnward(
  { visibleChars }: Extraction,
  page: { readonly source: string; readonly url: string },
): Onward | undefined {
  if (visibleChars >= FEW_CHARS) return undefined;
  const refresh = findRefresh(page.source, page.url);
  if (refresh !== undefined) return { kind: "refresh", url: refresh };
  const frame = findFrame(page.source, page.url);
  return frame === undefined ? undefined : { kind: "frame", url: frame };
}

export function describePage(extraction: Extraction, view: PageView): readonly string[] {
  const { pageKind, hiddenChars, visibleChars, unreadStyleChars, isCut } = extraction;
  const kind = KIND_WARNINGS[pageKind];
  const warnings = kind === undefined ? [] : [kind];
  if (pageKind === "script-shell" || pageKind === "robot-check") {
    if (view.onward === undefined) warnings.push(adviseOn(view));
  } else if (pageKind === "script-shell-data" && view.offers("browser")) {
    warnings.push("use browser to see it");
  }
  warnings.push(...describeLeft(extraction));
  if (!view.includesHidden && hiddenChars > MANY_HIDDEN_CHARS && hiddenChars > visibleChars) {
    warnings.push(`${hiddenChars} characters of it are hidden; includeHidden: true shows them`);
  }
  if (unreadStyleChars > 0) {
    warnings.push(
      `${unreadStyleChars} characters of its styles were not read, so it may show text that a reader does not see`,
    );
  }
  if (isCut) warnings.push("it was too large to be read to its end");
  if (view.onward !== undefined) warnings.push(ONWARD_WARNINGS[view.onward.kind]);
  return warnings;
}

function adviseOn({ offers }: PageView): string {
  if (offers("browser")) return "use browser to see it";
  const other = "the same content may stand at another address, such as a feed, an API or a file";
  return offers("web_search") ? `${other}; web_search may find one` : other;
}

function describeLeft({ pageKind, keptChars, leftChars }: Extraction): readonly string[] {
  const isPlain = pageKind === "article" || pageKind === "docs" || pageKind === "forum";
  const all = keptChars + leftChars;
  if (!isPlain || leftChars < MANY_LEFT_CHARS || keptChars >= all * FAIR_SHARE) return [];
  const share = Math.max(1, Math.round((100 * keptChars) / all));
  return [`only ${share} % of its text outside of menus was taken for its content`];
}
