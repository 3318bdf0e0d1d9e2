// Whether the search provider is known, or a plugin may bring it.

import type { ClawtoolsConfig, ConfigProblem } from "../../../config/index.js";
import { SEARCH_PROVIDER_IDS } from "../../../core/index.js";
import { nearestName } from "../../../lib/nearest-name.js";
import { toPrintable } from "../../../lib/printable.js";

const KNOWN = SEARCH_PROVIDER_IDS.join(", ");

/** With a plugin, every name may be right. */
export function findProviderProblems(config: ClawtoolsConfig): ConfigProblem[] {
  const provider = config.tools?.web?.search?.provider;
  if (typeof provider !== "string" || isPossible(provider, config)) return [];
  const nearest = nearestName(provider, SEARCH_PROVIDER_IDS);
  const hint = nearest === undefined ? "" : `; did you mean "${nearest}"?`;
  const message = `"${toPrintable(provider, 80)}" is none of ${KNOWN}, and no plugin is set up that could bring it${hint}`;
  return [{ path: "tools.web.search.provider", severity: "warning", message }];
}

/** The end of a sentence; undefined when the provider is fine. */
export function findProviderFault(provider: string, config: ClawtoolsConfig): string | undefined {
  if (isPossible(provider, config)) return undefined;
  const nearest = nearestName(provider, SEARCH_PROVIDER_IDS);
  const hint =
    nearest === undefined ? "" : `; "${toPrintable(provider, 80)}" may be meant for ${nearest}`;
  return `must be one of ${KNOWN}, as no plugin is set up that could bring another${hint}`;
}

function isPossible(provider: string, { plugins }: ClawtoolsConfig): boolean {
  return plugins !== undefined || SEARCH_PROVIDER_IDS.some((id) => id === provider);
}
