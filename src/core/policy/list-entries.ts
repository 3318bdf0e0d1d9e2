// Which tools a list entry selects: as few as possible in allow lists, as many as possible in deny lists.

import { descend } from "./found.js";
import {
  ALIASES,
  CHANNEL_IDS,
  compilePattern,
  DENIED_WITH,
  foldName,
  GROUP_PREFIX,
  isEverything,
  isPattern,
  nearestTypo,
  normalizeToolName,
  ORIGIN_GROUPS,
} from "./names.js";
import type { Subject, ToolIndex } from "./tools.js";

export type EntryKind =
  /** `*`. */
  | "every"
  /** Speaks of built-in tools, loaded or not. */
  | "built-in"
  /** Speaks of tools of plugins, MCP servers or the program, and they are here. */
  | "optional"
  /** A channel, or a plugin or server of the config, that has brought no tool yet. */
  | "not-loaded"
  | "unknown"
  /** A pattern that fits no tool. */
  | "unmatched"
  | "typo"
  | "unknown-group"
  | "blank";

interface Selection {
  readonly kind: EntryKind;
  readonly admits: ReadonlySet<Subject>;
  readonly stops: ReadonlySet<Subject>;
  readonly nearest?: string;
}

const NO_TOOLS: ReadonlySet<Subject> = new Set();

export type ReadEntry = (entry: string) => Selection;

/** Remembers each entry it was asked for, so that compiling again costs a lookup. */
export function createEntryReader(index: ToolIndex, config: unknown): ReadEntry {
  const declared = listDeclared(config);
  const known = new Map<string, Selection>();
  return (entry) => {
    const text = foldName(entry);
    const remembered = known.get(text);
    if (remembered) return remembered;
    const read = readFolded(text, index);
    const selection = read.kind === "typo" && declared.has(text) ? nothing("not-loaded") : read;
    known.set(text, selection);
    return selection;
  };
}

function listDeclared(config: unknown): ReadonlySet<string> {
  const root = { path: [], value: config };
  const keys = [
    ["plugins", "entries"],
    ["plugins", "installs"],
    ["mcp", "servers"],
  ];
  const ids = keys.flatMap((path) => Object.keys(Object(descend(root, path).value)));
  const { value: allow } = descend(root, ["plugins", "allow"]);
  const allowed = Array.isArray(allow) ? allow.filter((id) => typeof id === "string") : [];
  return new Set([...ids, ...allowed].map(foldName));
}

function readFolded(text: string, index: ToolIndex): Selection {
  if (text === "") return nothing("blank");
  if (isEverything(text)) return nothing("every");
  if (isPattern(text)) return readPattern(text, index);
  if (text.startsWith(GROUP_PREFIX)) return readGroup(text, index);
  return readName(text, index);
}

function readPattern(text: string, index: ToolIndex): Selection {
  const fits = compilePattern(text);
  const found = index.subjects.filter(({ key }) => fits(key));
  if (found.length === 0) return nothing("unmatched");
  return toSelection({ admits: found, stops: found, isBuiltIn: false });
}

function readGroup(text: string, index: ToolIndex): Selection {
  const origin = ORIGIN_GROUPS.get(text);
  if (origin) {
    const members = index.subjects.filter((subject) => subject.origin === origin);
    const kind = origin === "core" ? "built-in" : "optional";
    return { kind, admits: new Set(members), stops: new Set(members) };
  }
  const names = index.builtIns.groups.get(text);
  if (names) {
    const find = (wanted: readonly string[]) =>
      wanted.flatMap((name) => index.byKey.get(name) ?? []);
    const members = find(names);
    const stops = [
      ...members,
      ...find(index.builtIns.groups.get(DENIED_WITH.get(text) ?? "") ?? []),
    ];
    return toSelection({ admits: members.filter(standsForBuiltIn), stops, isBuiltIn: true });
  }
  const nearest = nearestTypo(text, [...index.builtIns.groups.keys(), ...ORIGIN_GROUPS.keys()]);
  return nearest ? slip(nearest, index) : nothing("unknown-group");
}

function readName(text: string, index: ToolIndex): Selection {
  const direct = index.byKey.get(text) ?? [];
  const alias = index.byAlias.get(text) ?? index.byKey.get(ALIASES.get(text) ?? "") ?? [];
  const family = index.byOrigin.get(text) ?? [];
  const isBuiltIn = index.builtIns.names.has(normalizeToolName(text));
  const stops = [...direct, ...alias, ...family];
  if (stops.length > 0 || isBuiltIn) {
    const isOwn = direct.length > 0 && direct.every(({ originKey }) => originKey === text);
    const others = alias.length > 0 || isBuiltIn ? alias : family;
    const named = isOwn ? [...direct, ...family] : direct;
    return toSelection({ admits: named.length > 0 ? named : others, stops, isBuiltIn });
  }
  if (CHANNEL_IDS.has(text)) return nothing("not-loaded");
  const nearest = nearestTypo(text, knownNames(index));
  return nearest ? slip(nearest, index) : nothing("unknown");
}

function standsForBuiltIn({ origin }: Subject): boolean {
  return origin === "core" || origin === "custom";
}

interface Found {
  readonly admits: readonly Subject[];
  readonly stops: readonly Subject[];
  readonly isBuiltIn: boolean;
}

function toSelection({ admits, stops, isBuiltIn }: Found): Selection {
  const isCore = isBuiltIn || admits.some(({ origin }) => origin === "core");
  return {
    kind: isCore ? "built-in" : "optional",
    admits: new Set(admits),
    stops: new Set(stops),
  };
}

function slip(nearest: string, index: ToolIndex): Selection {
  return { kind: "typo", admits: NO_TOOLS, stops: readFolded(nearest, index).stops, nearest };
}

function nothing(kind: EntryKind): Selection {
  return { kind, admits: NO_TOOLS, stops: NO_TOOLS };
}

function* knownNames(index: ToolIndex): Iterable<string> {
  yield* index.builtIns.names;
  yield* ALIASES.keys();
  yield* index.builtIns.groups.keys();
  yield* ORIGIN_GROUPS.keys();
  yield* CHANNEL_IDS;
  yield* index.byKey.keys();
  yield* index.byAlias.keys();
  yield* index.byOrigin.keys();
}

type MatchUse = "allow" | "deny" | "built-in";

export interface Matcher {
  find(subject: Subject): number | undefined;
  has(subject: Subject): boolean;
}

export type CompileList = (entries: readonly string[], use: MatchUse) => Matcher;

/** Remembers each list by identity, so that a config with one list changed compiles only that. */
export function createListCompiler(read: ReadEntry): CompileList {
  const known = { allow: new WeakMap(), deny: new WeakMap(), "built-in": new WeakMap() } as const;
  return (entries, use) => {
    const remembered: Matcher | undefined = known[use].get(entries);
    if (remembered) return remembered;
    const matcher = createMatcher(entries, { read, use });
    known[use].set(entries, matcher);
    return matcher;
  };
}

function createMatcher(
  entries: readonly string[],
  { read, use }: { read: ReadEntry; use: MatchUse },
): Matcher {
  const positions = new Map<Subject, number>();
  let everyPosition: number | undefined;
  for (const [position, entry] of entries.entries()) {
    const selection = read(entry);
    if (selection.kind === "every") everyPosition ??= position;
    for (const subject of membersOf(selection, use)) {
      if (!positions.has(subject)) positions.set(subject, position);
    }
  }
  const find = (subject: Subject) => {
    const own = positions.get(subject);
    if (own === undefined || everyPosition === undefined) return own ?? everyPosition;
    return Math.min(own, everyPosition);
  };
  return { find, has: (subject) => find(subject) !== undefined };
}

function membersOf(selection: Selection, use: MatchUse): Iterable<Subject> {
  if (use === "deny") return selection.stops;
  if (use === "allow") return selection.admits;
  return [...selection.admits].filter(standsForBuiltIn);
}
