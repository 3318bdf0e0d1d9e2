// The lists by which one layer of the policy keeps or removes tools.

import { t } from "../../../core/index.js";
import { section, texts } from "../section.js";

const ALLOW = texts("Only these tools are left: ids, `group:…`, plugin ids, MCP server ids, `*`.");
const ALSO_ALLOW = texts("Added to the list that this layer starts from.");
const DENY = texts("These tools are removed; a deny wins over every allow.");

export const toolListKeys = { allow: ALLOW, alsoAllow: ALSO_ALLOW, deny: DENY };

export const toolLists = section("Which tools are left.", toolListKeys);

export const profile = t.choice(["minimal", "coding", "messaging", "full"], {
  description: "The base list that the other lists narrow; `full` is no restriction.",
});

export const byProvider = t.record(
  section("What one provider or model is offered.", { profile, ...toolListKeys }),
  { description: "Narrows the tools for one provider; the key is `provider` or `provider/model`." },
);

export const toolsBySender = t.record(toolLists, {
  description:
    "Narrows the tools for one sender; the key is `id:…`, `e164:…`, `username:…`, `name:…` or `*`.",
});
