// What every kind of act works with.

import type { Frame } from "playwright-core";
import type { PageAction, PageChange } from "../../../../core/browser.js";
import type { PageGuard } from "../guard/page-guard.js";
import type { PageHandle } from "../page-handle.js";
import type { WorkTime } from "../work/page-work.js";

export interface Acting {
  readonly handle: PageHandle;
  readonly guard: PageGuard;
  readonly time: WorkTime;
  readonly tell: (event: string) => void;
}

/** The fields of one kind of act. */
export type ActOf<Kind extends PageAction["kind"]> = Omit<
  Extract<PageAction, { kind: Kind }>,
  "kind"
>;

/** Where it was done, and what `evaluate` gave. */
export interface Acted {
  readonly frame?: Frame | undefined;
  readonly result?: string | undefined;
  /** Of a part that has no line of its own in a snapshot. */
  readonly scrolled?: PageChange["scrolled"] | undefined;
  /** A link to another tab was followed. */
  readonly opensTab?: boolean | undefined;
}
