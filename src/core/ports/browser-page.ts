// The port to the page in one tab. A ref acts on the element it named, or is refused.

import type {
  BrowserTab,
  ConsoleEntry,
  PageRecords,
  RecordsRequest,
  RequestEntry,
} from "./browser.js";

export interface ListedElement {
  /** `e12`. Texts and elements that cannot be acted on have none. */
  readonly ref?: string;
  /** 0 at the top level of the page. Frames and shadow roots count as levels. */
  readonly depth: number;
  /** ARIA role, or `text` for a text next to elements, or `generic`. */
  readonly role: string;
  /** Accessible name, or the text of `text`. Can be empty. */
  readonly name: string;
  /** In display order: `checked`, `disabled`, `required`, `invalid`, `level=2`, `focused` … */
  readonly states: readonly string[];
  /** The content of a field. Password fields show `•` for each character. */
  readonly value?: string;
  /** Links only: absolute, secrets replaced. */
  readonly url?: string;
  readonly isInteractive: boolean;
  /** It was not in the previous listing of the same document. */
  readonly isNew: boolean;
}

export interface PageListing {
  /** Changes with every document, not with its content. */
  readonly documentId: string;
  readonly elements: readonly ListedElement[];
  readonly gaps: readonly string[];
  /** The page had more elements than the driver reads. */
  readonly isCut: boolean;
}

export interface ListRequest {
  /** CSS; only the first match. Without a match the listing is empty. */
  readonly selector?: string | undefined;
  readonly frame?: string | undefined;
  readonly ref?: string | undefined;
  /** Every visible element, also those without a role. */
  readonly withBoxes?: boolean | undefined;
  /** Only part of it is shown, so what is new stays new in the next listing. */
  readonly isGlance?: boolean | undefined;
}

export interface PageChange {
  /** Another document than before: `added` has its first elements. */
  readonly isNewDocument: boolean;
  readonly tab: BrowserTab;
  readonly added: readonly ListedElement[];
  readonly removed: readonly ListedElement[];
  /** `from` is the old ref when a new name gave the element a new one. */
  readonly changed: readonly { readonly from?: string; readonly now: ListedElement }[];
  readonly moved?: readonly MovedElement[];
  /** The element that got the focus. */
  readonly focus?: ListedElement;
  /** The scroll position in pixels, of the page or of one element. */
  readonly scrolled?: {
    readonly top: number;
    readonly ofPx: number;
    readonly element?: ListedElement;
  };
  readonly counts: { readonly added: number; readonly removed: number; readonly changed: number };
  /** One sentence each: dialogs, new tabs, downloads, file choosers, refused requests. */
  readonly events: readonly string[];
  /** The page was still busy when the wait ended. */
  readonly isUnsettled: boolean;
}

export interface MovedElement {
  readonly element: ListedElement;
  readonly parent?: ListedElement;
  readonly after?: ListedElement;
  /** The children in their new order, cut. */
  readonly order?: readonly ListedElement[];
}

interface FormField {
  readonly ref: string;
  readonly type?: string | undefined;
  readonly value: string | number | boolean | readonly string[];
}

type ScrollTo = "down" | "up" | "left" | "right" | "bottom" | "top";
/** Exactly one kind of act. */
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
      /** Keep the current text and type after it. */
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
      /** The element to scroll; default is the page. */
      readonly ref?: string | undefined;
    }
  | { readonly kind: "drag"; readonly startRef: string; readonly endRef: string }
  | { readonly kind: "select"; readonly ref: string; readonly values: readonly string[] }
  | { readonly kind: "fill"; readonly fields: readonly FormField[] }
  | { readonly kind: "resize"; readonly width: number; readonly height: number }
  | {
      /** All conditions must hold. */
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
      /** The ref or CSS of the iframe to run in. */
      readonly frame?: string | undefined;
    };

export interface ActOutcome {
  readonly change: PageChange;
  /** `evaluate` only: the value as JSON text, or `undefined`. */
  readonly result?: string;
}

export interface PageImage {
  readonly bytes: Uint8Array;
  readonly mimeType: "image/png" | "image/jpeg";
  readonly width: number;
  readonly height: number;
  /** Absolute path of a copy. */
  readonly path: string;
  /** With `labels`: what is numbered. */
  readonly labels?: readonly { readonly number: number; readonly element: ListedElement }[];
  readonly labelsSkipped?: number;
}

export interface SavedFile {
  /** Absolute. */
  readonly path: string;
  readonly bytes: number;
  readonly suggestedName?: string;
  readonly url?: string;
  /** The tab of the download, if not the one asked. */
  readonly targetId?: string;
  /** A file of that name was overwritten. */
  readonly replaced?: true;
}

export interface PageScope {
  readonly timeoutMs?: number | undefined;
  readonly signal: AbortSignal;
}

/** All reject with a ToolError, besides those of `Browsers`. */
export interface BrowserPage {
  readonly targetId: string;
  tab(scope: PageScope): Promise<BrowserTab>;
  navigate(request: PageScope & { readonly url: string }): Promise<PageChange>;
  history(
    request: PageScope & { readonly step: "back" | "forward" | "reload" },
  ): Promise<PageChange>;
  /** Marks the listing as known: the next change is reported against it. */
  list(request: PageScope & ListRequest): Promise<PageListing>;
  act(action: PageAction, scope: PageScope): Promise<ActOutcome>;
  screenshot(
    request: PageScope & {
      readonly ref?: string | undefined;
      readonly element?: string | undefined;
      readonly fullPage?: boolean | undefined;
      readonly type?: "png" | "jpeg" | undefined;
      readonly labels?: boolean | undefined;
      /** Where to save it, as for a download. */
      readonly path?: string | undefined;
    },
  ): Promise<PageImage>;
  pdf(request: PageScope & { readonly path?: string | undefined }): Promise<SavedFile>;
  /** The text of the first match, else of the main part of the page or frame. */
  text(
    request: PageScope & {
      readonly selector?: string | undefined;
      readonly frame?: string | undefined;
      readonly maxChars: number;
    },
  ): Promise<{
    readonly text: string;
    readonly totalChars: number;
    /** Iframes whose text is not included. */
    readonly frameCount: number;
  }>;
  console(
    request: PageScope & RecordsRequest & { readonly level?: ConsoleEntry["level"] | undefined },
  ): Promise<PageRecords<ConsoleEntry>>;
  errors(request: PageScope & RecordsRequest): Promise<PageRecords<ConsoleEntry>>;
  requests(request: PageScope & RecordsRequest): Promise<PageRecords<RequestEntry>>;
  /** Sets `inputRef` or `element`, else the chooser that `ref` opens, the open or the next one. */
  upload(
    request: PageScope & {
      readonly paths: readonly string[];
      readonly inputRef?: string | undefined;
      readonly element?: string | undefined;
      readonly ref?: string | undefined;
    },
  ): Promise<PageChange & { readonly isArmed?: boolean }>;
  /** Clicks `ref` and saves the download; without it, a waiting or the next download. */
  download(
    request: PageScope & {
      readonly ref?: string | undefined;
      readonly path?: string | undefined;
      /** Without `ref`: also take a download that waits in another tab. */
      readonly anyTab?: boolean | undefined;
    },
  ): Promise<SavedFile>;
  /** Answers the open dialog, else the one that the next act opens. */
  answerDialog(
    request: PageScope & {
      readonly accept: boolean;
      readonly promptText?: string | undefined;
      readonly dialogId?: string | undefined;
    },
  ): Promise<PageChange>;
  close(scope: PageScope): Promise<void>;
}
