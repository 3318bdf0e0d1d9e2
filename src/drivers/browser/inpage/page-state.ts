// What is remembered of a document from one question to the next: numbers, what was told last, what
// changed since.

import { createLooks, type Look } from "./look.js";
import { createMutations, type Mutations } from "./mutations.js";
import type { Row } from "./protocol.js";
import { createQuiet, type Quiet } from "./quiet.js";
import { createRefBook, type RefBook } from "./refs/ref-book.js";
import { createSight, type Sight } from "./sight.js";
import { createPresence, type Presence } from "./tree/presence.js";
import { createReactions, type Reactions } from "./twins/reactions.js";
import { createTicks } from "./twins/ticks.js";
import { createMarks, type Marks } from "./walk/marks.js";

/** What was told of one element. */
export interface Known {
  row: Row | null;
  /** Its texts and options. */
  plain: readonly Row[];
  /** Number of the survey that saw it last. */
  seenAt: number;
}

export interface PageState {
  readonly documentId: string;
  readonly book: RefBook;
  readonly reactions: Reactions;
  readonly known: Map<Element, Known>;
  readonly mutations: Mutations;
  readonly quiet: Quiet;
  readonly presence: Presence;
  readonly marks: Marks;
  readonly sight: Sight;
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
  const quiet = createQuiet(presence.note);
  const ticks = createTicks();
  const mutations = createMutations(ticks.note);
  mutations.observe(document);
  quiet.observe(document);
  const marks = createMarks();
  const look = createLooks({ stamp: quiet.stamp, presence, marks });
  const book = createRefBook(ticks, look);
  return {
    documentId: Math.random()
      .toString(36)
      .slice(2, 2 + ID_CHARS),
    book,
    reactions: createReactions(book, look),
    known: new Map(),
    mutations,
    quiet,
    presence,
    marks,
    sight: createSight(),
    look,
    surveys: 0,
    wholeAt: 0,
    wholeMs: 0,
  };
}
