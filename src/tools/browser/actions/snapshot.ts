// `snapshot`: the requested view of a page within its limit, and how to see the rest.

import type { BrowserPage, BrowserTab, PageImage, PageListing } from "../../../core/browser.js";
import { plural, type ToolResult } from "../../../core/index.js";
import { readField } from "../../../lib/read-field.js";
import { type ActionCall, fromPage, readMaxChars } from "../action-call.js";
import {
  DEFAULT_ARIA_NODES,
  DEFAULT_VIEW_CHARS,
  EFFICIENT_DEPTH,
  EFFICIENT_VIEW_CHARS,
  MIN_VIEW_CHARS,
} from "../limits.js";
import { invalid, readOptionalRef } from "../request/read-value.js";
import { describeTab } from "../view/show-change.js";
import { type ListingView, showListing, type ViewRequest } from "../view/show-listing.js";
import { labelFacts, showPicture, tellSkipped } from "./screenshot.js";

export async function snapshot(asked: ActionCall): Promise<ToolResult> {
  const { view: request, notes } = readView(asked);
  const { params } = asked.call;
  const page = await asked.browsers.page(asked.scope);
  const listing = await listPage(asked, page);
  const tab = await page.tab(asked.scope);
  const head = describeTab(tab);
  const maxChars = Math.max(MIN_VIEW_CHARS, request.maxChars - head.length - 1);
  const view = showListing(listing, { ...request, maxChars });
  const gaps = listing.gaps.map((gap) => `! ${gap}`);
  const text = [head, view.text || tellEmpty(asked), ...gaps].join("\n");
  // Always the window, whatever is listed.
  const labelled = { ...asked.scope, labels: true, type: params.type };
  const image = params.labels === true ? await page.screenshot(labelled) : undefined;
  const picture = image === undefined ? undefined : await showPicture(asked.call, image);
  return fromPage({
    ...{ text, tab, blocks: picture?.blocks ?? [] },
    details: toDetails({ tab, view, listing, image, request }),
    notices: [
      ...notes,
      ...listNotices({ asked, view, listing, request }),
      ...(picture?.notices ?? []),
      ...(image === undefined ? [] : [...tellNumbers(image), ...tellSkipped(image)]),
    ],
  });
}

/** The lines are in the text already. */
function tellNumbers({ labels = [] }: PageImage): string[] {
  if (labels.length === 0) return [];
  const pairs = labels.map(({ number, element }) => `${number} ${element.ref ?? element.role}`);
  return [`Numbers in the picture: ${pairs.join(", ")}.`];
}

function listPage(asked: ActionCall, page: BrowserPage): Promise<PageListing> {
  const { selector, frame, ref, snapshotFormat, query } = asked.call.params;
  return page.list({
    ...{ ...asked.scope, selector, frame },
    ref: readOptionalRef(ref, "ref"),
    ...(snapshotFormat === "aria" ? { withBoxes: true } : {}),
    ...(query === undefined ? {} : { isGlance: true }),
  });
}

function readView(asked: ActionCall): { view: ViewRequest; notes: readonly string[] } {
  const { params } = asked.call;
  const format = params.snapshotFormat ?? "ai";
  const isEfficient = isEfficientView(asked);
  if (format === "aria" && (params.labels === true || params.mode === "efficient")) {
    const message =
      "snapshotFormat aria goes with neither labels nor mode efficient; leave it out for them.";
    throw invalid(message);
  }
  const usual = isEfficient ? EFFICIENT_VIEW_CHARS : DEFAULT_VIEW_CHARS;
  const { maxChars, notes } = readMaxChars(asked.call, usual);
  const depth = params.depth ?? (isEfficient ? EFFICIENT_DEPTH : undefined);
  const view: ViewRequest = {
    format,
    isInteractive: params.interactive ?? isEfficient,
    isCompact: params.compact ?? isEfficient,
    ...{ depth, query: params.query, page: params.page, maxChars },
    ...(format === "aria" ? { maxRows: params.limit ?? DEFAULT_ARIA_NODES } : {}),
    hasUrls: params.urls === true || format === "aria",
    isWhole: params.ref !== undefined,
  };
  return { view, notes };
}

/** From the call, else from the config. */
function isEfficientView({ call }: ActionCall): boolean {
  const { mode, snapshotFormat, interactive, compact, depth, ref, query } = call.params;
  if (mode !== undefined) return true;
  const defaults = readField(readField(call.ctx.config, "browser"), "snapshotDefaults");
  const said = [snapshotFormat, interactive, compact, depth, ref, query];
  return readField(defaults, "mode") === "efficient" && said.every((one) => one === undefined);
}

function tellEmpty({ call }: ActionCall): string {
  const { query, interactive, mode, selector } = call.params;
  if (query !== undefined) return "(no line has all these words)";
  if (selector !== undefined) return "(nothing is there for this selector)";
  return interactive || mode !== undefined ? "(no interactive elements)" : "(empty)";
}

interface Noted {
  readonly asked: ActionCall;
  readonly view: ListingView;
  readonly listing: PageListing;
  readonly request: ViewRequest;
}

function listNotices({ asked, view, listing, request }: Noted): string[] {
  const { page = 1 } = asked.call.params;
  return [
    ...(page > view.pages ? [tellTooFar(view.pages)] : []),
    ...(view.pages === 1 ? [] : [tellPage(view)]),
    ...(view.deeper === 0
      ? []
      : [
          `${view.deeper} rows deeper than depth ${request.depth} are left out; a larger depth, or ref of a row above, shows them.`,
        ]),
    ...(view.shortened === 0
      ? []
      : [
          `${view.shortened} ${plural("text", view.shortened)} cut at "…"; snapshot with ref, or text, has more.`,
        ]),
    ...(listing.isCut
      ? ["The page has more elements than are read at once; selector or frame narrows it."]
      : []),
    ...(view.matchCount === 0 ? ["Fewer or other words in query may match."] : []),
  ];
}

function tellTooFar(pages: number): string {
  return pages === 1
    ? "There is only one page; it is shown."
    : `There are ${pages} pages; the last one is shown.`;
}

function tellPage({ page, pages, rows, rowsInAll, interactiveInAll, stats }: ListingView): string {
  const shown = `Page ${page} of ${pages}: ${rows} of ${rowsInAll} rows, ${stats.interactive} of ${interactiveInAll} interactive ones, which come first.`;
  const next = page < pages ? ` page=${page + 1} continues; query, ref or selector narrows.` : "";
  return `${shown}${next}`;
}

interface DetailsSource extends Omit<Noted, "asked"> {
  readonly tab: BrowserTab;
  readonly image: PageImage | undefined;
}

function toDetails({ tab, view, listing, image, request }: DetailsSource): object {
  const { text, stats, shown, page, pages, matchCount } = view;
  const refs = Object.fromEntries(
    shown.flatMap(({ ref, role, name }) =>
      ref === undefined ? [] : [[ref, name === "" ? { role } : { role, name }] as const],
    ),
  );
  const nodes = shown.map(({ ref, role, name, value, depth }) => ({
    ...(ref === undefined ? {} : { ref }),
    ...{ role, name, depth },
    ...(value === undefined ? {} : { value }),
  }));
  return {
    ...{ ok: true, format: request.format, targetId: tab.targetId, url: tab.url, title: tab.title },
    snapshot: text,
    refs,
    stats,
    truncated: pages > 1,
    ...{ page, pages },
    newElements: shown.filter(({ isNew }) => isNew).length,
    ...(matchCount === undefined ? {} : { matchCount }),
    ...(listing.gaps.length === 0 ? {} : { gaps: listing.gaps }),
    ...(request.format === "aria" ? { nodes } : {}),
    ...(image === undefined
      ? {}
      : { ...labelFacts(image), imagePath: image.path, imageType: image.mimeType }),
  };
}
