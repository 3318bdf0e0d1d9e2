// The lists by which one layer of the policy keeps or removes tools.

import { t } from "../../../core/index.js";
import { lazy } from "../../../lib/lazy.js";
import { section } from "../section.js";

/** Each unknown name is compared with all known ones; a longer list would make every start slow. */
const MAX_NAMES = 1_000;
const ALLOW = lazy(() =>
  names("Keep only these tools: ids, `group:…`, plugin ids, MCP server ids, `*`."),
);
const ALSO_ALLOW = lazy(() => names("Add these to the tools this layer starts from."));
const DENY = lazy(() => names("Remove these tools; deny wins over allow."));

export const toolListKeys = lazy(() => ({ allow: ALLOW(), alsoAllow: ALSO_ALLOW(), deny: DENY() }));

export const toolLists = lazy(() => section("Tool lists.", toolListKeys()));

export const profile = lazy(() =>
  t.choice(["minimal", "coding", "messaging", "full"], {
    description: "Base set of tools; `full` means no restriction.",
  }),
);

export const byProvider = lazy(() =>
  t.record(section("Tools for one provider or model.", { profile: profile(), ...toolListKeys() }), {
    description: "Tools per `provider` or `provider/model`.",
  }),
);

export const toolsBySender = lazy(() =>
  t.record(toolLists(), {
    description:
      "Tools per sender: `channel:<channel>:<id>`, `id:…`, `e164:…`, `username:…`, `name:…` or `*`.",
  }),
);

function names(description: string) {
  return t.array(t.string({ minLength: 1 }), { description, maxItems: MAX_NAMES });
}
