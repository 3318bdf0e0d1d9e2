// What is remembered of a document between questions, and our listeners on its window.
import { createReactions } from "./duplicates/reactions.js";
import { createTicks } from "./duplicates/ticks.js";
import { createLook, findActive } from "./look.js";
import { createMutations } from "./mutations.js";
import type { Row } from "./protocol.js";
import { createQuiet } from "./quiet.js";
import { createRefBook } from "./refs/ref-book.js";
import { heightOf, isAnElement, isClobbered, page } from "./tree/clobbered.js";
import { createMarks } from "./walk/marks.js";

const ID_CHARS = 12;

export interface Known {
  row: Row | null;
  plain: readonly Row[];
  seenAt: number;
}

export type PageState = ReturnType<typeof createPageState>;

export function createPageState() {
  const listening = createListening();
  const quiet = createQuiet((records) => {
    // A page that removes our listeners replaces the root too.
    if (records.some(({ target }) => target === document)) listening.restore();
  });
  const ticks = createTicks();
  const mutations = createMutations(listening, ticks.note);
  mutations.observe(document);
  quiet.observe(document);
  const marks = createMarks();
  const look = () => createLook(marks);
  const book = createRefBook(ticks, look);
  return {
    documentId: Math.random()
      .toString(36)
      .slice(2, 2 + ID_CHARS),
    listening,
    book,
    reactions: createReactions(book, look),
    known: new Map<Element, Known>(),
    mutations,
    quiet,
    marks,
    scrollAndFocus: createScrollAndFocus(listening),
    look,
    surveys: 0,
    wholeAt: 0,
    wholeMs: 0,
  };
}

function createScrollAndFocus({ on }: Listening) {
  let active: Element | null = null;
  let top = 0;
  let inner: Element | undefined;
  const onScroll = ({ target }: Event) => {
    if (isAnElement(target)) inner = target;
  };
  on("scroll", onScroll);
  return {
    take: ({ known }: { readonly known: ReadonlyMap<Element, { readonly row: Row | null }> }) => {
      const [wasActive, wasTop, scroller] = [active, top, inner];
      active = findActive();
      top = Math.round(scrollY);
      inner = undefined;
      const focus = active && active !== wasActive ? (known.get(active)?.row ?? null) : null;
      const root = page.root();
      if (root && top !== wasTop) {
        return { focus, scrolled: { top, ofPx: Math.max(top, root.scrollHeight - innerHeight) } };
      }
      const by = scroller && known.get(scroller)?.row;
      if (!by || !scroller || isClobbered(scroller)) return { focus, scrolled: null };
      const ofPx = scroller.scrollHeight - heightOf(scroller);
      return { focus, scrolled: { top: Math.round(scroller.scrollTop), ofPx, by } };
    },
  };
}

type Listener = (event: Event) => void;

export type Listening = ReturnType<typeof createListening>;

function createListening() {
  const kept: (readonly [string, Listener, capture: true])[] = [];
  // Unknown to the page.
  const probe = `${Math.random()}`;
  let isHeard = false;
  let wereLost = false;
  const on = (type: string, listener: Listener) => {
    const entry = [type, listener, true] as const;
    kept.push(entry);
    addEventListener(...entry);
  };
  on(probe, () => {
    isHeard = true;
  });
  return {
    on,
    restore: () => {
      isHeard = false;
      dispatchEvent(new Event(probe));
      if (isHeard) return;
      wereLost = true;
      for (const entry of kept) addEventListener(...entry);
    },
    /** Page scripts may have received input before us. */
    wereLost: () => wereLost,
  };
}
