// Every built-in tool in one table: its section, label, profiles and short description.
// The definitions are light; their implementations are loaded at the first call.

import type { ToolDefinition, ToolProfile, ToolSection } from "../core/index.js";
import { agentsList } from "./agents_list/index.js";
import { applyPatch } from "./apply_patch/index.js";
import { browser } from "./browser/index.js";
import { canvas } from "./canvas/index.js";
import { cron } from "./cron/index.js";
import { edit } from "./edit/index.js";
import { exec } from "./exec/index.js";
import { find } from "./find/index.js";
import { gateway } from "./gateway/index.js";
import { grep } from "./grep/index.js";
import { image } from "./image/index.js";
import { llmTask } from "./llm-task/index.js";
import { lobster } from "./lobster/index.js";
import { ls } from "./ls/index.js";
import { memoryGet } from "./memory_get/index.js";
import { memorySearch } from "./memory_search/index.js";
import { message } from "./message/index.js";
import { nodes } from "./nodes/index.js";
import { process } from "./process/index.js";
import { read } from "./read/index.js";
import { sessionStatus } from "./session_status/index.js";
import { sessionsHistory } from "./sessions_history/index.js";
import { sessionsList } from "./sessions_list/index.js";
import { sessionsSend } from "./sessions_send/index.js";
import { sessionsSpawn } from "./sessions_spawn/index.js";
import { subagents } from "./subagents/index.js";
import { tts } from "./tts/index.js";
import { webFetch } from "./web_fetch/index.js";
import { webSearch } from "./web_search/index.js";
import { write } from "./write/index.js";

/** The documented sections, in their order. */
export const SECTIONS = [
  { id: "fs", label: "Files" },
  { id: "runtime", label: "Runtime" },
  { id: "web", label: "Web" },
  { id: "memory", label: "Memory" },
  { id: "sessions", label: "Sessions" },
  { id: "ui", label: "UI" },
  { id: "messaging", label: "Messaging" },
  { id: "automation", label: "Automation" },
  { id: "nodes", label: "Nodes" },
  { id: "agents", label: "Agents" },
  { id: "media", label: "Media" },
] as const satisfies readonly ToolSection[];

/** Sections of tools beyond the documented catalog. */
export const EXTENDED_SECTIONS = [
  { id: "workflow", label: "Workflow" },
] as const satisfies readonly ToolSection[];

type SectionId = (typeof SECTIONS | typeof EXTENDED_SECTIONS)[number]["id"];

export interface CatalogRow {
  readonly tool: ToolDefinition;
  readonly section: SectionId;
  /** For people; the model reads the description in the definition. */
  readonly text: string;
  readonly profiles: readonly ToolProfile[];
  /** The profiles of `tools.profile`, where they differ from those of discovery. */
  readonly policyProfiles?: readonly ToolProfile[];
  /** The group in policy lists, where it is not that of the section. */
  readonly group?: string;
  /** Part of the discovery group `group:openclaw`. */
  readonly openclaw?: true;
  /** Not among the 23 tools of the documented catalog. */
  readonly extended?: true;
  /** Optional tool of this bundled plugin: offered only when an allow list names it. */
  readonly plugin?: string;
}

const EXTENDED = { extended: true } as const;
const SEARCH = { ...EXTENDED, openclaw: true, group: "group:search" } as const;
const DISCOVERED = { openclaw: true } as const;
const NONE: readonly ToolProfile[] = [];
const CODING: readonly ToolProfile[] = ["coding"];
const MESSAGING: readonly ToolProfile[] = ["messaging"];
const BOTH: readonly ToolProfile[] = ["coding", "messaging"];
const EACH: readonly ToolProfile[] = ["minimal", "coding", "messaging"];

/** In documented order; extended tools follow those of their section. */
export const CATALOG: readonly CatalogRow[] = [
  { tool: read, section: "fs", text: "Read file contents", profiles: CODING },
  { tool: write, section: "fs", text: "Create or overwrite files", profiles: CODING },
  { tool: edit, section: "fs", text: "Make precise edits", profiles: CODING },
  {
    tool: applyPatch,
    section: "fs",
    text: "Patch several files at once",
    profiles: CODING,
    ...EXTENDED,
  },
  {
    tool: grep,
    section: "fs",
    text: "Search file contents",
    profiles: CODING,
    ...SEARCH,
  },
  {
    tool: find,
    section: "fs",
    text: "Find files by name",
    profiles: CODING,
    ...SEARCH,
  },
  { tool: ls, section: "fs", text: "List a folder", profiles: CODING, ...SEARCH },
  { tool: exec, section: "runtime", text: "Run shell commands", profiles: CODING },
  {
    tool: process,
    section: "runtime",
    text: "Manage running commands",
    profiles: CODING,
    ...EXTENDED,
  },
  { tool: webSearch, section: "web", text: "Search the web", profiles: NONE, ...DISCOVERED },
  { tool: webFetch, section: "web", text: "Fetch web content", profiles: NONE, ...DISCOVERED },
  {
    tool: memorySearch,
    section: "memory",
    text: "Semantic memory search",
    profiles: CODING,
    ...DISCOVERED,
  },
  {
    tool: memoryGet,
    section: "memory",
    text: "Read memory files",
    profiles: CODING,
    ...DISCOVERED,
  },
  {
    tool: sessionsList,
    section: "sessions",
    text: "List active sessions",
    profiles: BOTH,
    ...DISCOVERED,
  },
  {
    tool: sessionsHistory,
    section: "sessions",
    text: "View session history",
    profiles: BOTH,
    ...DISCOVERED,
  },
  {
    tool: sessionsSend,
    section: "sessions",
    text: "Send messages to a session",
    profiles: BOTH,
    ...DISCOVERED,
  },
  {
    tool: sessionsSpawn,
    section: "sessions",
    text: "Spawn a sub-agent session",
    profiles: CODING,
    ...DISCOVERED,
  },
  {
    tool: subagents,
    section: "sessions",
    text: "Manage sub-agent sessions",
    profiles: CODING,
    ...DISCOVERED,
  },
  {
    tool: sessionStatus,
    section: "sessions",
    text: "View session status and model info",
    profiles: EACH,
    ...DISCOVERED,
  },
  {
    tool: browser,
    section: "ui",
    text: "Control a headless browser",
    profiles: CODING,
    policyProfiles: NONE,
  },
  {
    tool: canvas,
    section: "ui",
    text: "Render canvas visualizations",
    profiles: CODING,
    policyProfiles: NONE,
  },
  {
    tool: message,
    section: "messaging",
    text: "Send messages across channels",
    profiles: MESSAGING,
  },
  { tool: cron, section: "automation", text: "Schedule recurring tasks", profiles: NONE },
  { tool: gateway, section: "automation", text: "Gateway management", profiles: NONE },
  { tool: nodes, section: "nodes", text: "Manage cluster nodes", profiles: NONE },
  { tool: agentsList, section: "agents", text: "List configured agents", profiles: NONE },
  { tool: image, section: "media", text: "Generate and process images", profiles: CODING },
  { tool: tts, section: "media", text: "Text-to-speech synthesis", profiles: NONE },
  {
    tool: lobster,
    section: "workflow",
    text: "Run workflows with resumable approvals",
    profiles: NONE,
    ...EXTENDED,
  },
  {
    tool: llmTask,
    section: "workflow",
    text: "Run one JSON-only model step",
    profiles: NONE,
    ...EXTENDED,
    plugin: "llm-task",
  },
];
