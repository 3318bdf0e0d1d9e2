// A layer made of lists: deny lists, an allow list, what is added to it, and defaults of ours.
// Deny wins; a default denial is lifted by naming the tool.

import type { Edit } from "../config/found.js";
import { quote, showPath } from "../config/path.js";
import type { NameList } from "../config/scope.js";
import type { Layer, Removal } from "../layer.js";
import type { Matcher } from "../names/matcher.js";
import type { Subject } from "../names/tool-index.js";
import { isPattern } from "../names/wildcard.js";
import { closedBy, type LayerContext } from "./context.js";
import type { ListRules } from "./list-rules.js";
import { suggestListFix } from "./suggest-list-fix.js";

const NOTHING: readonly string[] = [];

export function createListLayer(rules: ListRules, context: LayerContext): Layer {
  const judge = createListJudge(rules, context);
  const lists = [rules.allow, rules.alsoAllow, ...rules.denies];
  const fault = rules.faults[0] ?? lists.find((list) => list?.fault)?.fault;
  const filter = [...(rules.allow?.entries ?? rules.defaults?.allow ?? [])];
  const deny = [
    ...rules.denies.flatMap(({ entries }) => entries.map((entry) => inForce(entry, context))),
    ...(rules.defaults?.deny.filter((name) => !judge.isLifted(name)) ?? []),
  ];
  return {
    summary: {
      id: rules.id,
      source: showPath(rules.path),
      state: fault ? "closed" : "filters",
      ...(rules.allowUse === "filter"
        ? { allow: [...filter, ...(rules.alsoAllow?.entries ?? [])] }
        : {}),
      ...(deny.length > 0 ? { deny } : {}),
    },
    judge: (subject) => {
      const found = fault ? closedBy(fault) : judge.remove(subject);
      if (!found) return undefined;
      const isBeyondMending = rules.faults.some(({ mend }) => mend === undefined);
      return isBeyondMending ? found : { ...found, mend: () => judge.mend(subject) };
    },
  };
}

/** A slip denies what was probably meant. */
function inForce(entry: string, { read }: LayerContext): string {
  return read(entry).nearest ?? entry;
}

interface ListJudge {
  remove(subject: Subject): Removal | undefined;
  mend(subject: Subject): readonly Edit[];
  isLifted(name: string): boolean;
}

function createListJudge(rules: ListRules, context: LayerContext): ListJudge {
  const { denies, defaults } = rules;
  const { read, index, compileList } = context;
  const written = [rules.allow, rules.alsoAllow].flatMap((list) => list?.entries ?? []);
  const admitted = [
    compileList(rules.allow?.entries ?? NOTHING, "allow"),
    compileList(rules.alsoAllow?.entries ?? NOTHING, "allow"),
    compileList((rules.allow ? undefined : defaults?.allow) ?? NOTHING, "built-in"),
  ];
  const stopped = compileList(defaults?.deny ?? NOTHING, "deny");
  const stops = denies.map((list) => ({ list, matcher: compileList(list.entries, "deny") }));
  const isNamed = (subject: Subject) =>
    written.some((entry) => !isPattern(entry) && read(entry).admits.has(subject));
  const isUnnamed = (subject: Subject) =>
    rules.allowUse === "filter" && !admitted.some((matcher) => matcher.has(subject));
  const isStopped = (subject: Subject) => stopped.has(subject) && !isNamed(subject);
  const remove = (subject: Subject) =>
    findDenial(subject, stops) ??
    (isStopped(subject) ? removedByDefault(rules, stopped.find(subject)) : undefined) ??
    (isUnnamed(subject) ? unnamed(rules) : undefined);
  const mend = (subject: Subject) =>
    suggestListFix(rules, {
      subject,
      needsName: isUnnamed(subject) || isStopped(subject),
      context,
    });
  const isLifted = (name: string) => (index.byKey.get(name) ?? []).some(isNamed);
  return { remove, mend, isLifted };
}

function findDenial(
  subject: Subject,
  stops: readonly { readonly list: NameList; readonly matcher: Matcher }[],
): Removal | undefined {
  for (const { list, matcher } of stops) {
    const position = matcher.find(subject);
    if (position === undefined) continue;
    const rule = `${showPath([...list.path, position])} ${quote(list.entries[position] ?? "")}`;
    return { rule, reason: `denied by ${rule}` };
  }
  return undefined;
}

function removedByDefault({ path, defaults }: ListRules, position = 0): Removal {
  const rule = `${showPath([...path, "deny"])} (default) ${quote(defaults?.deny[position] ?? "")}`;
  return { rule, reason: `denied by ${rule}` };
}

function unnamed({ path, allow, alsoAllow }: ListRules): Removal {
  const list = allow ?? alsoAllow;
  const rule = allow && list ? showPath(list.path) : `${showPath([...path, "allow"])} (default)`;
  return { rule, reason: `not named by ${rule}` };
}
