// One thing a bridge does to a path: what is pinned for it, then what is done, in that order. Turns
// are taken in between, by others.

import type { TurnMode } from "../../../core/files/index.js";
import type { FsPath } from "../../../core/index.js";
import type { Root } from "../root.js";
import type { Found } from "../turns.js";

export interface Operation<R extends FsPath, F extends Found, T> {
  readonly mode: TurnMode;
  /** Throws what no file system has to be asked for. */
  check?(request: R): void;
  /** Further paths that the request names, from the same folder on. */
  namesToo?(request: R): readonly string[];
  find(root: Root, request: R): Promise<F>;
  use(found: F, request: R): Promise<T>;
}

/** For what needs no turn. */
export const NOWHERE: Found = { places: [], close: () => undefined };
