// The least change of a layer's lists that lets one tool pass, and nothing else with it.

import type { Edit } from "../config/found.js";
import { addName, type NameList } from "../config/scope.js";
import type { ReadMeaning } from "../names/meaning.js";
import type { Subject } from "../names/tool-index.js";
import type { LayerContext } from "./context.js";
import type { ListRules } from "./list-rules.js";

export interface ListFixInput {
  readonly subject: Subject;
  /** No allow list admits it, or a default of ours denies it. */
  readonly needsName: boolean;
  readonly context: LayerContext;
}

export function suggestListFix(rules: ListRules, input: ListFixInput): Edit[] {
  const { subject, needsName, context } = input;
  const { read } = context;
  const isBuiltIn = read(subject.name).kind === "built-in";
  // Naming what was denied with all else keeps out what is yet to come; only a list that names a
  // built-in tool is a filter everywhere.
  const isOnly = isBuiltIn && rules.denies.some((list) => deniesEverything(list, read));
  const everyBecomes = isOnly ? "nothing" : "others";
  return [
    ...rules.faults.flatMap((fault) => fault.mend ?? []),
    ...fixShapes(rules),
    ...rules.denies.flatMap((list) => fixDeny(list, { subject, context, everyBecomes })),
    ...(isOnly ? allowOnly(rules, subject) : []),
    ...(isOnly || !needsName ? [] : [addToList(rules, { subject, isBuiltIn })]),
  ];
}

function deniesEverything(list: NameList, read: ReadMeaning): boolean {
  return list.entries.some((entry) => read(entry).kind === "every");
}

interface DenyInput {
  readonly subject: Subject;
  readonly context: LayerContext;
  /** What stands for `*` afterwards: all other tools, or nothing because an allow list does it. */
  readonly everyBecomes: "others" | "nothing";
}

/** An entry that denies more than the tool is replaced by the names of the others. */
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
  // With an optional tool as its first entry an allow list could cease to be a filter, and beside
  // names in `alsoAllow` an empty one is to stay empty.
  const isFirst = allow?.entries.length === 0;
  const isWelcome = !isFirst || (isBuiltIn && !alsoAllow?.entries.length);
  return allow && isWelcome ? addName(allow, added) : addName(alsoAllow, added);
}

/** What was no list of names becomes the names that were in it. */
function fixShapes({ allow, alsoAllow }: ListRules): Edit[] {
  return [allow, alsoAllow].flatMap((list) =>
    list?.fault ? [{ path: list.path, value: list.entries }] : [],
  );
}
