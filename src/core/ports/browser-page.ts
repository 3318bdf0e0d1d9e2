// The port to the page in one tab: what it shows, and acting on it. Refs name elements; a ref acts on
// the element it named, or is refused.

import type {
  BrowserTab,
  ConsoleEntry,
  PageRecords,
  RecordsRequest,
  RequestEntry,
} from "./browser.js";

/** One element of a page as the driver lists it, in document order. */
export interface ListedElement {
  /** `e12`. Texts and elements that cannot be acted on have none. */
  readonly ref?: string;
  /** 0 at the top level of the page. Frames and shadow roots count as levels. */
  readonly depth: number;
  /** ARIA role, or `text` for a text next to elements, or `generic`. */
  readonly role: string;
  /** Accessible name; of `text` the text. Empty when there is none. */
  readonly name: string;
  /** In the order they are shown: `checked`, `mixed`, `disabled`, `expanded`, `collapsed`, `selected`, `pressed`, `required`, `readonly`, `invalid`, `level=2`, `focused`, `cursor=pointer` … */
  readonly states: readonly string[];
  /** The content of a field. Password fields show `•` for each character. */
  readonly value?: string;
  /** Of links: absolute, secrets replaced. */
  readonly url?: string;
  /** A user can act on it. */
  readonly isInteractive: boolean;
  /** It was not in the listing before this one of the same document. */
  readonly isNew: boolean;
}

export interface PageListing {
  /** Changes with every document, not with its content. */
  readonly documentId: string;
  readonly elements: readonly ListedElement[];
  /** What the listing cannot show, each a sentence: closed shadow roots, frames that did not answer. */
  readonly gaps: readonly string[];
  /** The page had more elements than the driver reads. */
  readonly isCut: boolean;
}

export interface ListRequest {
  /** CSS; the first match and what is in it. No match: an empty listing. */
  readonly selector?: string | undefined;
  /** The ref or the CSS of an iframe. */
  readonly frame?: string | undefined;
  /** What is in this element. */
  readonly ref?: string | undefined;
  /** Every element that is seen, also those without a meaning of their own. */
  readonly withBoxes?: boolean | undefined;
  /** Only a part of it will be shown: what is new is new in the next listing too. */
  readonly isGlance?: boolean | undefined;
}

/** What happened on the page since the last answer about it. */
export interface PageChange {
  /** Another document than before: `added` are its first elements, with those of its frames in their place. */
  readonly isNewDocument: boolean;
  readonly tab: BrowserTab;
  readonly added: readonly ListedElement[];
  /** As it was listed last. */
  readonly removed: readonly ListedElement[];
  /** `from` is the old ref when a new name gave the element a new one. */
  readonly changed: readonly { readonly from?: string; readonly now: ListedElement }[];
  /** Elements that moved to another parent or changed their order. */
  readonly moved?: readonly MovedElement[];
  /** Has the focus now, and had it not before. */
  readonly focus?: ListedElement;
  /** Where the page, or one element in it, is scrolled to now, in pixels, of how many. */
  readonly scrolled?: {
    readonly top: number;
    readonly ofPx: number;
    readonly element?: ListedElement;
  };
  /** All of them, also those left out of the three lists above. */
  readonly counts: { readonly added: number; readonly removed: number; readonly changed: number };
  /** Dialogs, new tabs, downloads, file choosers, refused requests: one sentence each. */
  readonly events: readonly string[];
  /** The page was still busy when the time for settling was over. */
  readonly isUnsettled: boolean;
}

/** An element that moved, or whose children changed their order. */
export interface MovedElement {
  readonly element: ListedElement;
  /** Its new parent. */
  readonly parent?: ListedElement;
  /** Its new previous sibling. */
  readonly after?: ListedElement;
  /** The children in their new order, when that is what changed; cut. */
  readonly order?: readonly ListedElement[];
}

interface FormField {
  readonly ref: string;
  /** Default `text`. */
  readonly type?: string | undefined;
  readonly value: string | number | boolean | readonly string[];
}

type ScrollTo = "down" | "up" | "left" | "right" | "bottom" | "top";
/** Exactly one kind of act. Times and modifiers have the driver's defaults. */
export type PageAction =
  | {
      readonly kind: "click";
      readonly ref: string;
      readonly doubleClick?: boolean | undefined;
      readonly button?: "left" | "right" | "middle" | undefined;
      readonly modifiers?: readonly string[] | undefined;
      readonly delayMs?: number | undefined;
    }
  | {
      readonly kind: "clickCoords";
      readonly x: number;
      readonly y: number;
      readonly doubleClick?: boolean | undefined;
      readonly button?: "left" | "right" | "middle" | undefined;
    }
  | {
      readonly kind: "type";
      readonly ref: string;
      readonly text: string;
      readonly submit?: boolean | undefined;
      readonly slowly?: boolean | undefined;
      /** At the end of what is there, which stays. */
      readonly append?: boolean | undefined;
    }
  | {
      readonly kind: "press";
      readonly key: string;
      readonly ref?: string | undefined;
      readonly delayMs?: number | undefined;
    }
  | { readonly kind: "hover"; readonly ref: string }
  | { readonly kind: "scrollIntoView"; readonly ref: string }
  | {
      readonly kind: "scroll";
      readonly to: ScrollTo;
      readonly px?: number | undefined;
      /** The element to scroll, or what scrolls in or around it; the page without it. */
      readonly ref?: string | undefined;
    }
  | { readonly kind: "drag"; readonly startRef: string; readonly endRef: string }
  | { readonly kind: "select"; readonly ref: string; readonly values: readonly string[] }
  | { readonly kind: "fill"; readonly fields: readonly FormField[] }
  | { readonly kind: "resize"; readonly width: number; readonly height: number }
  | {
      /** All that are given must hold. */
      readonly kind: "wait";
      readonly timeMs?: number | undefined;
      readonly text?: string | undefined;
      readonly textGone?: string | undefined;
      readonly selector?: string | undefined;
      /** Glob. */
      readonly url?: string | undefined;
      readonly loadState?: "load" | "domcontentloaded" | "networkidle" | undefined;
      readonly fn?: string | undefined;
    }
  | {
      readonly kind: "evaluate";
      readonly fn: string;
      readonly ref?: string | undefined;
      /** The ref or the CSS of an iframe: it runs in the document there. */
      readonly frame?: string | undefined;
    };

export interface ActOutcome {
  readonly change: PageChange;
  /** Of `evaluate`: the value as JSON text; `undefined` when there is none. */
  readonly result?: string;
}

export interface PageImage {
  readonly bytes: Uint8Array;
  readonly mimeType: "image/png" | "image/jpeg";
  readonly width: number;
  readonly height: number;
  /** Absolute path of a copy. */
  readonly path: string;
  /** With `labels`: what is drawn, and where. */
  readonly labels?: readonly { readonly number: number; readonly element: ListedElement }[];
  readonly labelsSkipped?: number;
  /** What could not be pictured as it is now. */
  readonly gaps?: readonly string[];
}

export interface SavedFile {
  /** Absolute. */
  readonly path: string;
  readonly bytes: number;
  readonly suggestedName?: string;
  readonly url?: string;
  /** The tab that it came in, when that is another than the one asked. */
  readonly targetId?: string;
  /** There was a file of that name. */
  readonly replaced?: true;
}

/** For all work on a page. */
export interface PageScope {
  readonly timeoutMs?: number | undefined;
  readonly signal: AbortSignal;
}

/** All reject with a ToolError, besides those of `Browsers`. */
export interface BrowserPage {
  readonly targetId: string;
  tab(scope: PageScope): Promise<BrowserTab>;
  navigate(request: PageScope & { readonly url: string }): Promise<PageChange>;
  /** Back, forward, or the same page again. */
  history(
    request: PageScope & { readonly step: "back" | "forward" | "reload" },
  ): Promise<PageChange>;
  /** Marks the listing as known: the next change is reported against it. */
  list(request: PageScope & ListRequest): Promise<PageListing>;
  act(action: PageAction, scope: PageScope): Promise<ActOutcome>;
  screenshot(
    request: PageScope & {
      readonly ref?: string | undefined;
      /** CSS. */
      readonly element?: string | undefined;
      readonly fullPage?: boolean | undefined;
      readonly type?: "png" | "jpeg" | undefined;
      readonly labels?: boolean | undefined;
      /** Where to save it; like that of a download. */
      readonly path?: string | undefined;
    },
  ): Promise<PageImage>;
  pdf(request: PageScope & { readonly path?: string | undefined }): Promise<SavedFile>;
  /** The first match of the selector, else the main part of the page, or of the document in `frame`. */
  text(
    request: PageScope & {
      readonly selector?: string | undefined;
      /** The ref or the CSS of an iframe. */
      readonly frame?: string | undefined;
      readonly maxChars: number;
    },
  ): Promise<{
    readonly text: string;
    readonly totalChars: number;
    /** Iframes below it; their text is not included. */
    readonly frameCount: number;
  }>;
  console(
    request: PageScope & RecordsRequest & { readonly level?: ConsoleEntry["level"] | undefined },
  ): Promise<PageRecords<ConsoleEntry>>;
  errors(request: PageScope & RecordsRequest): Promise<PageRecords<ConsoleEntry>>;
  requests(request: PageScope & RecordsRequest): Promise<PageRecords<RequestEntry>>;
  /** Into a file input (`inputRef` or `element`), into the chooser that a click on `ref` opens, into the one that is open, else into the next one that opens. Paths inside the roots. */
  upload(
    request: PageScope & {
      readonly paths: readonly string[];
      readonly inputRef?: string | undefined;
      readonly element?: string | undefined;
      readonly ref?: string | undefined;
    },
  ): Promise<PageChange & { readonly isArmed?: boolean }>;
  /** Clicks `ref` and saves what comes; without it the next download, or one that came already. */
  download(
    request: PageScope & {
      readonly ref?: string | undefined;
      readonly path?: string | undefined;
      /** Without `ref`: when none has come here, one that waits in another tab is taken. */
      readonly anyTab?: boolean | undefined;
    },
  ): Promise<SavedFile>;
  /** The pending dialog, else one that the next act opens in the same document. */
  answerDialog(
    request: PageScope & {
      readonly accept: boolean;
      readonly promptText?: string | undefined;
      readonly dialogId?: string | undefined;
    },
  ): Promise<PageChange>;
  close(scope: PageScope): Promise<void>;
}
