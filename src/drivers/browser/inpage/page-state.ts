// What is remembered of a document from one question to the next: numbers, what was reported last, what
// changed since.

import { createReactions, type Reactions } from "./duplicates/reactions.js";
import { createTicks } from "./duplicates/ticks.js";
import { createListening, type Listening } from "./listening.js";
import { createLooks, type Look } from "./look.js";
import { createMutations, type Mutations } from "./mutations.js";
import type { Row } from "./protocol.js";
import { createQuiet, type Quiet } from "./quiet.js";
import { createRefBook, type RefBook } from "./refs/ref-book.js";
import { createScrollAndFocus, type ScrollAndFocus } from "./scroll-and-focus.js";
import { createPresence, type Presence } from "./tree/presence.js";
import { createMarks, type Marks } from "./walk/marks.js";

/** What was reported about one element. */
export interface Known {
  row: Row | null;
  /** Its texts and options. */
  plain: readonly Row[];
  /** Number of the survey that saw it last. */
  seenAt: number;
}

export interface PageState {
  readonly documentId: string;
  readonly listening: Listening;
  readonly book: RefBook;
  readonly reactions: Reactions;
  readonly known: Map<Element, Known>;
  readonly mutations: Mutations;
  readonly quiet: Quiet;
  readonly presence: Presence;
  readonly marks: Marks;
  readonly scrollAndFocus: ScrollAndFocus;
  /** The document as it is at this moment. */
  readonly look: () => Look;
  /** Surveys so far. */
  surveys: number;
  /** The last one of the whole document; 0: none. */
  wholeAt: number;
  wholeMs: number;
}

const ID_CHARS = 12;

export function createPageState(): PageState {
  const presence = createPresence();
  const listening = createListening();
  const quiet = createQuiet((records) => {
    // Whatever takes the listeners away takes the root away too, and no input comes in between.
    if (records.some(({ target }) => target === document)) listening.restore();
    presence.note(records);
  });
  const ticks = createTicks();
  const mutations = createMutations(listening, ticks.note);
  mutations.observe(document);
  quiet.observe(document);
  const marks = createMarks();
  const look = createLooks({ stamp: quiet.stamp, presence, marks });
  const book = createRefBook(ticks, look);
  return {
    documentId: Math.random()
      .toString(36)
      .slice(2, 2 + ID_CHARS),
    listening,
    book,
    reactions: createReactions(book, look),
    known: new Map(),
    mutations,
    quiet,
    presence,
    marks,
    scrollAndFocus: createScrollAndFocus(listening),
    look,
    surveys: 0,
    wholeAt: 0,
    wholeMs: 0,
  };
}
