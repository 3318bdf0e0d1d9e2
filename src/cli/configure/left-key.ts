// The key of a search provider that stays in the config when another one takes over.

import type { ConfigEdit } from "../../config/edit/index.js";
import { type ClawtoolsConfig, readConfigValue } from "../../config/index.js";
import { keyOfProvider, PROVIDER_KEY, SHARED_KEY } from "./sections.js";

/** `config` is that before the edits. It is not removed: whoever goes back wants it again. */
export function tellLeftKey(edits: readonly ConfigEdit[], config: ClawtoolsConfig): string[] {
  const provider = edits.find(({ path }) => path === PROVIDER_KEY)?.value;
  if (typeof provider !== "string" || provider === readConfigValue(config, PROVIDER_KEY)) return [];
  const isLeft = readConfigValue(config, SHARED_KEY) !== undefined;
  if (!isLeft || keyOfProvider(provider) === SHARED_KEY) return [];
  return [
    `note ${SHARED_KEY} is still there, and ${provider} does not use it; \`clawtools config unset ${SHARED_KEY}\` removes it.`,
  ];
}
