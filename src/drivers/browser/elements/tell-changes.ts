// Reports what changed on a page, over all frames; for a new document, its content.

import type { Frame } from "playwright-core";
import type { ListedElement, MovedElement } from "../../../core/browser.js";
import { type ChangesAnswer, MAX_REPORTED, type Moved, type Row } from "../inpage/protocol.js";
import type { TabScope } from "./find-element.js";
import { addDocument, askWhole, createFrameListing, isFrameRow } from "./list-elements.js";
import type { ElementChanges, ElementScope } from "./tab-elements.js";
import type { TabWorld, ToListed } from "./world.js";

interface Draft {
  readonly added: ListedElement[];
  readonly removed: ListedElement[];
  readonly changed: { readonly from?: string; readonly now: ListedElement }[];
  readonly moved: MovedElement[];
  focus?: ListedElement;
  scrolled?: NonNullable<ElementChanges["scrolled"]>;
  readonly counts: { added: number; removed: number; changed: number };
}

export async function tellChanges(options: TabScope): Promise<ElementChanges> {
  const { world, scope } = options;
  const { memory } = world;
  const main = world.page.mainFrame();
  const before = memory.documents.get(main);
  const answer = await askChanges(world, main, scope);
  if (answer.documentId !== before) return tellDocument(answer, options);
  const draft: Draft = {
    added: [],
    removed: [],
    changed: [],
    moved: [],
    counts: { added: 0, removed: 0, changed: 0 },
  };
  const added = add({ draft, answer, world });
  await addNewFrames({ ...options, draft, frame: main, answer });
  await addKnownFrames({ ...options, draft });
  memory.noteElements(added);
  return { isNewDocument: false, ...draft };
}

async function tellDocument(
  { documentId, added, counts, nextRef }: ChangesAnswer,
  { world, scope }: TabScope,
): Promise<ElementChanges> {
  const frame = world.page.mainFrame();
  const listing = createFrameListing();
  const answer = { documentId, rows: added, nextRef, isCut: false, closedRoots: [], why: null };
  await addDocument(world, { frame, answer, depth: 0, level: 0 }, { listing, scope });
  world.memory.noteListing(listing, { isWhole: true });
  const { elements } = listing;
  return {
    isNewDocument: true,
    added: elements,
    removed: [],
    changed: [],
    counts: { added: counts.added + elements.length - added.length, removed: 0, changed: 0 },
  };
}

function askChanges(world: TabWorld, frame: Frame, scope: ElementScope): Promise<ChangesAnswer> {
  const asks = { op: "changes", firstRef: world.ranges.next() } as const;
  return world.ask<"changes">(frame, asks, scope);
}

function add(options: {
  readonly draft: Draft;
  readonly answer: ChangesAnswer;
  readonly world: Pick<TabWorld, "toListed" | "names">;
}): ListedElement[] {
  const { draft, answer, world } = options;
  const { toListed, names } = world;
  const { added, removed, changed, moved, focus, scrolled, counts } = answer;
  const elements = added.map((row) => toListed(row));
  draft.added.push(...elements);
  draft.removed.push(...removed.map((row) => toListed(row)));
  for (const [from, row] of changed) {
    const now = toListed(row);
    draft.changed.push(from === row[0] ? { now } : { from: names.nameOf(from), now });
    elements.push(now);
  }
  draft.moved.push(...moved.map((each) => toMoved(each, toListed)));
  // Focus inside a frame makes its iframe the focused element outside.
  if (focus && !isFrameRow(focus)) draft.focus = toListed(focus);
  if (scrolled) draft.scrolled ??= toScrolled(scrolled, toListed);
  draft.counts.added += counts.added;
  draft.counts.removed += counts.removed;
  draft.counts.changed += counts.changed;
  return elements;
}

function toMoved({ row, parent, after, order }: Moved, toListed: ToListed): MovedElement {
  return {
    element: toListed(row),
    ...(parent && { parent: toListed(parent) }),
    ...(after && { after: toListed(after) }),
    ...(order && { order: order.map((each) => toListed(each)) }),
  };
}

function toScrolled({ top, ofPx, by }: NonNullable<ChangesAnswer["scrolled"]>, toListed: ToListed) {
  return { top, ofPx, ...(by && { element: toListed(by) }) };
}

async function addNewFrames(
  options: TabScope & {
    readonly draft: Draft;
    readonly frame: Frame;
    readonly answer: ChangesAnswer;
  },
): Promise<void> {
  const { world, scope, frame, answer } = options;
  const { memory } = world;
  for (const row of answer.added.filter(isFrameRow)) {
    const bounded = world.innerScope(frame, scope);
    const inner = await orNothing(world.contentOf(frame, row[0], bounded), scope);
    if (!inner || memory.documents.has(inner)) continue;
    await addWhole({ frame: inner, row }, options);
  }
}

async function addKnownFrames(options: TabScope & { readonly draft: Draft }): Promise<void> {
  const { world, scope, draft } = options;
  const { memory } = world;
  for (const [frame, before] of [...memory.documents]) {
    if (frame === world.page.mainFrame()) continue;
    if (frame.isDetached()) {
      memory.documents.delete(frame);
      continue;
    }
    const bounded = world.innerScope(frame, scope);
    const answer = await orNothing(askChanges(world, frame, bounded), scope);
    if (!answer) continue;
    memory.documents.set(frame, answer.documentId);
    const elements = add({ draft, answer, world });
    if (answer.documentId !== before) memory.noteElements(elements);
    await addNewFrames({ ...options, frame, answer });
  }
}

async function addWhole(
  { frame, row }: { readonly frame: Frame; readonly row: Row },
  at: TabScope & { readonly draft: Draft },
): Promise<void> {
  const { world, scope, draft } = at;
  const bounded = world.innerScope(frame, scope);
  const answer = await orNothing(askWhole(world, frame, bounded), scope);
  if (!answer) return;
  const listing = createFrameListing();
  await addDocument(world, { frame, answer, depth: row[1] + 1, level: 1 }, { listing, scope });
  world.memory.noteListing(listing, { isWhole: false });
  draft.counts.added += listing.elements.length;
  const name = world.names.nameOf(row[0]);
  const place = draft.added.findIndex(({ ref }) => ref === name) + 1;
  const index = place === 0 ? draft.added.length : place;
  draft.added.splice(index, 0, ...listing.elements.slice(0, MAX_REPORTED));
}

async function orNothing<Value>(
  answer: Promise<Value>,
  { signal }: ElementScope,
): Promise<Value | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (signal.aborted) throw error;
    return undefined;
  }
}
