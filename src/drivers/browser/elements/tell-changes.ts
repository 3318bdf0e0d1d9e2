// What changed on a page since it was told last, over all its frames. Of a new document the outline is
// told instead: headings, landmarks, things to act on.

import type { Frame } from "playwright-core";
import type { ListedElement } from "../../../core/browser.js";
import type { ChangesAnswer } from "../inpage/protocol.js";
import { addDocument, askWhole, createFrameListing, MAX_ELEMENTS } from "./list-frames.js";
import { isFrameRow, toListed } from "./listed-element.js";
import { formatRef } from "./ref-spelling.js";
import type { ElementChanges, ElementScope } from "./tab-elements.js";
import type { TabMemory } from "./tab-memory.js";
import type { TabWorld } from "./tab-world.js";

const MAX_TOLD = 300;
const MAX_OUTLINE = 80;
/** A page of so few elements is told as a whole. */
const MAX_WHOLE = 120;
const OUTLINE_ROLES = new Set(
  "alert alertdialog banner complementary contentinfo dialog form heading iframe main navigation region search status".split(
    " ",
  ),
);

interface Draft {
  readonly added: ListedElement[];
  readonly removed: ListedElement[];
  readonly changed: { readonly from?: string; readonly now: ListedElement }[];
  readonly counts: { added: number; removed: number; changed: number };
}

export interface ChangesOptions {
  readonly world: TabWorld;
  readonly memory: TabMemory;
  readonly scope: ElementScope;
}

export async function tellChanges(options: ChangesOptions): Promise<ElementChanges> {
  const { world, memory, scope } = options;
  const main = world.page.mainFrame();
  const before = memory.documents.get(main);
  const draft: Draft = {
    added: [],
    removed: [],
    changed: [],
    counts: { added: 0, removed: 0, changed: 0 },
  };
  const answer = await askChanges(world, main, scope);
  const isNewDocument = answer.documentId !== before;
  if (isNewDocument) memory.documents.clear();
  memory.documents.set(main, answer.documentId);
  const added = add(draft, answer);
  await addNewFrames({ ...options, draft, frame: main, answer });
  if (!isNewDocument) await addKnownFrames({ ...options, draft });
  memory.noteElements(added);
  if (!isNewDocument) return { isNewDocument, ...draft };
  const isSmall = draft.counts.added <= MAX_WHOLE && draft.counts.added === draft.added.length;
  return { isNewDocument, ...draft, added: isSmall ? draft.added : toOutline(draft.added) };
}

function askChanges(world: TabWorld, frame: Frame, scope: ElementScope): Promise<ChangesAnswer> {
  const firstRef = world.ranges.next();
  const asks = { op: "changes", firstRef, maxElements: MAX_ELEMENTS, maxTold: MAX_TOLD } as const;
  return world.ask<"changes">(frame, asks, scope);
}

function add(draft: Draft, { added, removed, changed, counts }: ChangesAnswer): ListedElement[] {
  const elements = added.map((row) => toListed(row));
  draft.added.push(...elements);
  draft.removed.push(...removed.map((row) => toListed(row)));
  for (const [from, row] of changed) {
    const now = toListed(row);
    draft.changed.push(from === row[0] ? { now } : { from: formatRef(from), now });
    elements.push(now);
  }
  draft.counts.added += counts.added;
  draft.counts.removed += counts.removed;
  draft.counts.changed += counts.changed;
  return elements;
}

/** Iframes that came: what is in them came with them. */
async function addNewFrames(
  options: ChangesOptions & {
    readonly draft: Draft;
    readonly frame: Frame;
    readonly answer: ChangesAnswer;
  },
): Promise<void> {
  const { world, memory, scope, draft, frame, answer } = options;
  for (const row of answer.added.filter(isFrameRow)) {
    const bounded = world.innerScope(frame, scope);
    const inner = await orNothing(world.contentOf(frame, row[0], bounded), scope);
    if (!inner || memory.documents.has(inner)) continue;
    await addWhole(inner, { world, memory, scope, draft });
  }
}

/** Frames that were told: what changed in them, or all of it when they have another document. */
async function addKnownFrames(options: ChangesOptions & { readonly draft: Draft }): Promise<void> {
  const { world, memory, scope, draft } = options;
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
    const elements = add(draft, answer);
    if (answer.documentId !== before) memory.noteElements(elements);
    await addNewFrames({ ...options, frame, answer });
  }
}

async function addWhole(
  frame: Frame,
  at: ChangesOptions & { readonly draft: Draft },
): Promise<void> {
  const { world, memory, scope, draft } = at;
  const bounded = world.innerScope(frame, scope);
  const answer = await orNothing(askWhole(world, frame, bounded), scope);
  if (!answer) return;
  const listing = createFrameListing();
  await addDocument(world, { frame, answer, depth: 0, level: 1 }, { listing, scope });
  memory.noteListing(listing, { mainFrame: world.page.mainFrame(), isWhole: false });
  draft.counts.added += listing.elements.length;
  draft.added.push(...listing.elements.slice(0, MAX_TOLD));
}

function toOutline(elements: readonly ListedElement[]): readonly ListedElement[] {
  return elements
    .filter(({ role, isInteractive }) => isInteractive || OUTLINE_ROLES.has(role))
    .slice(0, MAX_OUTLINE);
}

/** A frame that does not answer has nothing to tell; the page goes on without it. */
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
