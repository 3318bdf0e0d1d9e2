// The names that policy lists can hold: groups, profiles, aliases and patterns, and how they are compared.

import { nearestWithin } from "../../lib/nearest-name.js";
import { wordSet } from "../../lib/word-set.js";
import { matchesSequence } from "../match-sequence.js";
import type { ToolProfile } from "../tool.js";
import { foldText } from "../untrusted/fold.js";

export interface BuiltInTool {
  readonly name: string;
  /** The group that lists may name, `group:fs`; absent for a tool in no group. */
  readonly group: string | undefined;
  readonly profiles: readonly ToolProfile[];
}

export interface BuiltIns {
  readonly names: ReadonlySet<string>;
  readonly groups: ReadonlyMap<string, readonly string[]>;
  /** What a profile keeps: whole groups where it keeps every member, else names. */
  readonly entriesOf: (profile: ToolProfile) => readonly string[];
}

export function readBuiltIns(tools: readonly BuiltInTool[]): BuiltIns {
  const groups = new Map<string, string[]>();
  for (const { name, group } of tools) {
    if (group !== undefined) groups.set(group, [...(groups.get(group) ?? []), name]);
  }
  const listEntries = (profile: ToolProfile) => {
    const kept = tools.filter(({ profiles }) => profiles.includes(profile));
    const names = new Set(kept.map(({ name }) => name));
    const isWhole = (group: string) => groups.get(group)?.every((name) => names.has(name));
    return new Set(kept.map(({ name, group }) => (group && isWhole(group) ? group : name)));
  };
  // The same list each time: compiled lists are remembered by identity.
  const entries = new Map(PROFILE_NAMES.map((profile) => [profile, [...listEntries(profile)]]));
  return {
    names: new Set(tools.map(({ name }) => name)),
    groups,
    entriesOf: (profile) => entries.get(profile) ?? [],
  };
}

/** A deny list that names the first group stops the members of the second too. */
export const DENIED_WITH: ReadonlyMap<string, string> = new Map([["group:fs", "group:search"]]);

export const ORIGIN_GROUPS: ReadonlyMap<string, "core" | "plugin" | "mcp"> = new Map([
  ["group:openclaw", "core"],
  ["group:clawdbot", "core"],
  ["group:plugins", "plugin"],
  ["group:mcp", "mcp"],
]);

export const GROUP_PREFIX = "group:";

export const ALIASES: ReadonlyMap<string, string> = new Map([
  ["bash", "exec"],
  ["apply-patch", "apply_patch"],
]);

/** Optional tools that configs may name before a channel brings them. */
export const CHANNEL_IDS = wordSet(
  "slack discord telegram whatsapp signal imessage msteams googlechat",
);

export function foldName(name: string): string {
  return name.trim().toLowerCase();
}

export function normalizeToolName(name: string): string {
  const folded = foldName(name);
  return ALIASES.get(folded) ?? folded;
}

export const PROFILE_NAMES = [
  "minimal",
  "coding",
  "messaging",
  "full",
] as const satisfies readonly ToolProfile[];

export function parseProfile(value: string): ToolProfile | undefined {
  const folded = foldName(value);
  return PROFILE_NAMES.find((name) => name === folded);
}

const STAR = "*";

export function isPattern(text: string): boolean {
  return text.includes(STAR);
}

export function isEverything(text: string): boolean {
  return text !== "" && [...text].every((letter) => letter === STAR);
}

export function compilePattern(pattern: string): (text: string) => boolean {
  const isStar = (part: string) => part === STAR;
  const matches = (part: string, letter: string) => part === letter;
  return (text) => matchesSequence({ parts: [...pattern], items: [...text], isStar, matches });
}

const MAX_LETTERS = 2;
const PLAIN = /^[\0-\x7F]*$/;
const MAX_FOLDED_CHARS = 128;

export function nearestTypo(name: string, known: Iterable<string>): string | undefined {
  const names = [...known];
  const near = nearestWithin({ name, known: names, maxLetters: MAX_LETTERS });
  if (near !== undefined || PLAIN.test(name) || name.length > MAX_FOLDED_CHARS) return near;
  const byShape = new Map(names.map((one) => [foldText(one).text, one]));
  const shape = nearestWithin({
    name: foldText(name).text,
    known: byShape.keys(),
    maxLetters: MAX_LETTERS,
  });
  return shape === undefined ? undefined : byShape.get(shape);
}
