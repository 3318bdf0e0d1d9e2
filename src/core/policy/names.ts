// The names that policy lists can hold: groups, profiles, aliases and patterns, and how they are compared.

import { nearestWithin } from "../../lib/nearest-name.js";
import type { ToolProfile } from "../tool.js";
import { foldText } from "../untrusted/fold.js";

/** Groups with fixed members. */
export const TOOL_GROUPS: ReadonlyMap<string, readonly string[]> = new Map([
  ["group:fs", ["read", "write", "edit", "apply_patch"]],
  ["group:search", ["grep", "find", "ls"]],
  ["group:runtime", ["exec", "process"]],
  ["group:web", ["web_search", "web_fetch"]],
  ["group:memory", ["memory_search", "memory_get"]],
  [
    "group:sessions",
    [
      "sessions_list",
      "sessions_history",
      "sessions_send",
      "sessions_spawn",
      "subagents",
      "session_status",
    ],
  ],
  ["group:ui", ["browser", "canvas"]],
  ["group:messaging", ["message"]],
  ["group:automation", ["cron", "gateway"]],
  ["group:nodes", ["nodes"]],
  ["group:agents", ["agents_list"]],
  ["group:media", ["image", "tts"]],
]);

/** A deny list that names the first group stops the members of the second too. */
export const DENIED_WITH: ReadonlyMap<string, string> = new Map([["group:fs", "group:search"]]);

/** Groups whose members are the tools of one origin. */
export const ORIGIN_GROUPS: ReadonlyMap<string, "core" | "plugin" | "mcp"> = new Map([
  ["group:openclaw", "core"],
  ["group:clawdbot", "core"],
  ["group:plugins", "plugin"],
  ["group:mcp", "mcp"],
]);

export const GROUP_PREFIX = "group:";

/** A list that names one of these speaks of a built-in tool, loaded or not. */
export const BUILT_IN_NAMES: ReadonlySet<string> = new Set([
  ...[...TOOL_GROUPS.values()].flat(),
  "lobster",
  "llm-task",
]);

/** Names by which models and configs know a built-in tool. */
export const ALIASES: ReadonlyMap<string, string> = new Map([
  ["bash", "exec"],
  ["apply-patch", "apply_patch"],
]);

/** Optional tools that configs may name before a channel brings them. */
export const CHANNEL_IDS: ReadonlySet<string> = new Set([
  "slack",
  "discord",
  "telegram",
  "whatsapp",
  "signal",
  "imessage",
  "msteams",
  "googlechat",
]);

export function foldName(name: string): string {
  return name.trim().toLowerCase();
}

export function normalizeToolName(name: string): string {
  const folded = foldName(name);
  return ALIASES.get(folded) ?? folded;
}

const PROFILE_ENTRIES = {
  minimal: ["session_status"],
  coding: ["group:fs", "group:search", "group:runtime", "group:sessions", "group:memory", "image"],
  messaging: [
    "group:messaging",
    "sessions_list",
    "sessions_history",
    "sessions_send",
    "session_status",
  ],
  full: undefined,
} as const satisfies Record<ToolProfile, readonly string[] | undefined>;

export const PROFILE_NAMES: readonly string[] = Object.keys(PROFILE_ENTRIES);

export function parseProfile(value: string): ToolProfile | undefined {
  const folded = foldName(value);
  return isProfile(folded) ? folded : undefined;
}

export function profileEntries(profile: ToolProfile): readonly string[] | undefined {
  return PROFILE_ENTRIES[profile];
}

function isProfile(name: string): name is ToolProfile {
  return Object.hasOwn(PROFILE_ENTRIES, name);
}

const STAR = "*";

export function isPattern(text: string): boolean {
  return text.includes(STAR);
}

export function isEverything(text: string): boolean {
  return text !== "" && [...text].every((letter) => letter === STAR);
}

export function compilePattern(pattern: string): (text: string) => boolean {
  const [head = "", ...rest] = pattern.split(STAR);
  const tail = rest.pop() ?? "";
  const middle = rest.filter((part) => part !== "");
  return (text) => {
    if (text.length < head.length + tail.length) return false;
    if (!text.startsWith(head) || !text.endsWith(tail)) return false;
    const end = text.length - tail.length;
    let at = head.length;
    for (const part of middle) {
      const found = text.indexOf(part, at);
      if (found === -1 || found + part.length > end) return false;
      at = found + part.length;
    }
    return true;
  };
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
