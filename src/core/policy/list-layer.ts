// A layer of deny and allow lists and defaults. Deny wins; naming a tool lifts a default denial.

import { type ConfigPath, type Edit, type Fault, quote, showPath } from "./found.js";
import { closedBy, type Layer, type LayerContext, type LayerId, type Removal } from "./layer.js";
import type { Matcher, ReadEntry } from "./list-entries.js";
import { isPattern } from "./names.js";
import { addName, type NameList } from "./scope.js";
import type { Subject } from "./tools.js";

interface ListRules {
  readonly id: LayerId;
  readonly path: ConfigPath;
  readonly allow?: NameList | undefined;
  readonly alsoAllow?: NameList | undefined;
  readonly denies: readonly NameList[];
  readonly allowUse: "filter" | "open";
  readonly defaults?: { readonly allow?: readonly string[]; readonly deny: readonly string[] };
  readonly faults: readonly Fault[];
}

interface ListFixInput {
  readonly subject: Subject;
  readonly needsName: boolean;
  readonly context: LayerContext;
}

interface DenyInput {
  readonly subject: Subject;
  readonly context: LayerContext;
  /** What means `*` afterwards: all other tools, or nothing because an allow list does it. */
  readonly everyBecomes: "others" | "nothing";
}

const NOTHING: readonly string[] = [];

export function createListLayer(rules: ListRules, context: LayerContext): Layer {
  const judge = createListJudge(rules, context);
  const lists = [rules.allow, rules.alsoAllow, ...rules.denies];
  const fault = rules.faults[0] ?? lists.find((list) => list?.fault)?.fault;
  const filter = [...(rules.allow?.entries ?? rules.defaults?.allow ?? [])];
  const deny = [
    ...rules.denies.flatMap(({ entries }) =>
      entries.map((entry) => context.read(entry).nearest ?? entry),
    ),
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
      const hasUnfixableFault = rules.faults.some(({ fix }) => fix === undefined);
      return hasUnfixableFault ? found : { ...found, fix: () => judge.fix(subject) };
    },
  };
}

function createListJudge(rules: ListRules, context: LayerContext) {
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
  const fix = (subject: Subject) =>
    suggestListFix(rules, {
      subject,
      needsName: isUnnamed(subject) || isStopped(subject),
      context,
    });
  const isLifted = (name: string) => (index.byKey.get(name) ?? []).some(isNamed);
  return { remove, fix, isLifted };
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

function suggestListFix(rules: ListRules, input: ListFixInput): Edit[] {
  const { subject, needsName, context } = input;
  const { read } = context;
  const isBuiltIn = read(subject.name).kind === "built-in";
  // Naming what was denied with all else keeps out what is yet to come; only a list that names a
  // built-in tool is a filter everywhere.
  const isOnly = isBuiltIn && rules.denies.some((list) => deniesEverything(list, read));
  const everyBecomes = isOnly ? "nothing" : "others";
  return [
    ...rules.faults.flatMap((fault) => fault.fix ?? []),
    ...fixShapes(rules),
    ...rules.denies.flatMap((list) => fixDeny(list, { subject, context, everyBecomes })),
    ...(isOnly ? allowOnly(rules, subject) : []),
    ...(isOnly || !needsName ? [] : [addToList(rules, { subject, isBuiltIn })]),
  ];
}

function deniesEverything(list: NameList, read: ReadEntry): boolean {
  return list.entries.some((entry) => read(entry).kind === "every");
}

function fixDeny(list: NameList, input: DenyInput): Edit[] {
  const kept = new Set(list.entries.flatMap((entry) => withoutSubject(entry, input)));
  const isChanged =
    kept.size !== list.entries.length || list.entries.some((entry) => !kept.has(entry));
  return isChanged || list.fault ? [{ path: list.path, value: [...kept] }] : [];
}

function withoutSubject(entry: string, { subject, context, everyBecomes }: DenyInput): string[] {
  const { index, read } = context;
  const { kind, stops } = read(entry);
  if (kind !== "every" && !stops.has(subject)) return [entry];
  if (kind === "every" && everyBecomes === "nothing") return [];
  const others = kind === "every" ? index.subjects : [...stops];
  // A name may stop its namesakes too: the id of a plugin stops all its tools.
  return others.map(({ name }) => name).filter((name) => !read(name).stops.has(subject));
}

function allowOnly({ path, allow, alsoAllow }: ListRules, { name }: Subject): Edit[] {
  const only = { path: allow?.path ?? [...path, "allow"], value: [name] };
  return alsoAllow ? [only, { path: alsoAllow.path, value: [] }] : [only];
}

function addToList(
  { path, allow, alsoAllow }: ListRules,
  { subject, isBuiltIn }: { subject: Subject; isBuiltIn: boolean },
): Edit {
  const added = { path: [...path, "alsoAllow"], name: subject.name };
  // With an optional tool as its first entry an allow list could cease to be a filter, and next to
  // names in `alsoAllow` an empty one is to stay empty.
  const isFirst = allow?.entries.length === 0;
  const isWelcome = !isFirst || (isBuiltIn && !alsoAllow?.entries.length);
  return allow && isWelcome ? addName(allow, added) : addName(alsoAllow, added);
}

function fixShapes({ allow, alsoAllow }: ListRules): Edit[] {
  return [allow, alsoAllow].flatMap((list) =>
    list?.fault ? [{ path: list.path, value: list.entries }] : [],
  );
}
