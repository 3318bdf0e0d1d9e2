// The layers that come from the caller and not from the config: who is no owner, and what the
// caller itself allows. No config restores what they remove.

import { reportFault } from "../config/found.js";
import type { NameList } from "../config/scope.js";
import type { Layer } from "../layer.js";
import type { PolicyRequest } from "../request.js";
import type { LayerContext } from "./context.js";
import { reportNames } from "./report-names.js";

const CAP = "toolsAllow";

export function createOwnerLayer({ owner }: PolicyRequest): Layer | undefined {
  if (owner !== false) return undefined;
  const removal = {
    rule: "owner",
    reason: "for the owner alone, and this caller is not the owner",
  };
  return {
    summary: { id: "owner", source: "owner", state: "filters" },
    judge: ({ ownerOnly }) => (ownerOnly ? removal : undefined),
  };
}

export function createCapLayer(request: PolicyRequest, context: LayerContext): Layer | undefined {
  // A caller without types may send anything; what is no list of names allows nothing.
  const given: unknown = request.toolsAllow;
  if (given === undefined) return undefined;
  const isList = Array.isArray(given) && given.every((entry) => typeof entry === "string");
  const list: NameList = { path: [CAP], entries: isList ? given : [] };
  if (!isList) reportFault({ path: [CAP], reason: "must be a list of names" }, context.log);
  reportNames(list, { use: "allow", ...context });
  const matcher = context.compileList(list.entries, "allow");
  const removal = { rule: CAP, reason: `not named by ${CAP}, the cap of this call` };
  return {
    summary: {
      id: "runtime",
      source: CAP,
      state: isList ? "filters" : "closed",
      allow: list.entries,
    },
    judge: (subject) => (matcher.has(subject) ? undefined : removal),
  };
}
