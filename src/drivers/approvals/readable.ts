// Entries that a person could have written and can read: a name, and where it must be so the arguments
// as they are. They say less than what "allow always" saves, so they are only ever told, never saved.

import { findProfile, type PlanStep, plainArguments } from "../../core/command/index.js";
import type { CommandGrant } from "../../core/index.js";
import { type DecisionGround, decide, type Judged, type Rules } from "./decide.js";

const MAX_ARGUMENT_CHARS = 120;
const UNSEEN = /[\p{C}\p{M}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;
const SPECIAL = /[\\^$.*+?()[\]{}|]/g;

/** One for each step that nothing covers yet; empty when such entries would not be enough. */
export function proposeReadable(
  request: Judged,
  { rules, ground }: { readonly rules: Rules; readonly ground: DecisionGround },
): readonly CommandGrant[] {
  const strict = { ...rules, security: "allowlist", ask: "off" } as const;
  const decideWith = (grants: readonly CommandGrant[]) => {
    const entries = [...rules.entries, ...grants.map((grant, index) => toEntry(grant, index))];
    return decide(request, { rules: { ...strict, entries }, ground });
  };
  const missing = decideWith([]).steps.flatMap(({ covered }, index) => (covered ? [] : [index]));
  const grants = missing.flatMap((index) => {
    const step = request.plan?.steps[index];
    const isEnough = (grant: CommandGrant) => decideWith([grant]).steps[index]?.covered === true;
    return (step && listEntries(step).find(isEnough)) ?? [];
  });
  const isWhole = grants.length > 0 && decideWith(grants).outcome === "allow";
  return isWhole ? grants.filter((grant, index) => !isRepeated(grant, grants.slice(0, index))) : [];
}

/** The shortest first. Only a profile makes a bare name safe to grant. */
function listEntries(step: PlanStep): CommandGrant[] {
  const { argv, facts, program } = step;
  if (facts === undefined) return [];
  const text = plainArguments(step).join(" ");
  const names = facts.lookup === "search" ? [argv[0] ?? facts.file, facts.file] : [facts.file];
  const bare = findProfile({ file: facts.file, path: program.path }) ? names : [];
  const isShowable = text.length <= MAX_ARGUMENT_CHARS && !UNSEEN.test(text);
  const argPattern = `^${text.replace(SPECIAL, "\\$&")}$`;
  return [
    ...bare.map((pattern) => ({ pattern })),
    ...(isShowable ? names.map((pattern) => ({ pattern, argPattern })) : []),
  ];
}

function toEntry({ pattern, argPattern }: CommandGrant, index: number) {
  const id = `told ${index}`;
  return { id, pattern, ...(argPattern === undefined ? {} : { argPattern }) };
}

function isRepeated(grant: CommandGrant, before: readonly CommandGrant[]): boolean {
  return before.some(
    ({ pattern, argPattern }) => pattern === grant.pattern && argPattern === grant.argPattern,
  );
}
