// The lists by which one layer of the policy keeps or removes tools.

import { t } from "../../../core/index.js";
import { lazy } from "../../../lib/lazy.js";
import { section } from "../section.js";

/** Each unknown name is compared with all known ones; a longer list would make every start slow. */
const MAX_NAMES = 1_000;
const ALLOW = lazy(() =>
  names("Only these tools are left: ids, `group:…`, plugin ids, MCP server ids, `*`."),
);
const ALSO_ALLOW = lazy(() => names("Added to the list that this layer starts from."));
const DENY = lazy(() => names("These tools are removed; a deny wins over every allow."));

export const toolListKeys = lazy(() => ({ allow: ALLOW(), alsoAllow: ALSO_ALLOW(), deny: DENY() }));

export const toolLists = lazy(() => section("Which tools are left.", toolListKeys()));

export const profile = lazy(() =>
  t.choice(["minimal", "coding", "messaging", "full"], {
    description: "The base list that the other lists narrow; `full` means no restriction.",
  }),
);

export const byProvider = lazy(() =>
  t.record(
    section("What one provider or model is offered.", { profile: profile(), ...toolListKeys() }),
    {
      description: "Narrows the tools for one provider; the key is `provider` or `provider/model`.",
    },
  ),
);

export const toolsBySender = lazy(() =>
  t.record(toolLists(), {
    description:
      "Narrows the tools for one sender; the key is `channel:<channel>:<id>`, `id:…`, `e164:…`, `username:…`, `name:…` or `*`.",
  }),
);

function names(description: string) {
  return t.array(t.string({ minLength: 1 }), { description, maxItems: MAX_NAMES });
}
