// The lists of one layer, as they were read.

import type { Fault } from "../config/found.js";
import type { ConfigPath } from "../config/path.js";
import type { NameList } from "../config/scope.js";
import type { LayerId } from "../layer.js";

export interface ListRules {
  readonly id: LayerId;
  /** The place of the lists, where missing ones would be written. */
  readonly path: ConfigPath;
  readonly allow?: NameList | undefined;
  readonly alsoAllow?: NameList | undefined;
  readonly denies: readonly NameList[];
  /** `open`: the allow list removes nothing. */
  readonly allowUse: "filter" | "open";
  readonly defaults?: { readonly allow?: readonly string[]; readonly deny: readonly string[] };
  /** Faults of the place itself. */
  readonly faults: readonly Fault[];
}
