// `agents`: what holds for all agents, and the agents by name.

import { t } from "../../../core/index.js";
import { lazy } from "../../../lib/lazy.js";
import { modelChoice } from "../models/model-choice.js";
import { named, openSection, optionalKeys, section, texts } from "../section.js";
import { agentTools } from "../tools/tools.js";
import { memorySearch } from "./memory-search.js";
import { sandbox } from "./sandbox.js";

const MAX_ID_CHARS = 64;

const workspace = lazy(() =>
  t.string({ description: "Working directory of the agent.", minLength: 1 }),
);

const spawnKeys = lazy(() => ({
  allowAgents: texts("Agents that may be spawned; `*` means any."),
  model: modelChoice(),
}));

const heartbeat = lazy(() =>
  openSection("Periodic turns of the main session.", {
    every: t.string({ description: 'Interval, such as "30m"; unset or "0" disables it.' }),
    target: t.string({ description: "Channel for replies; `none` keeps them in the session." }),
    prompt: t.string({ description: "Prompt. Default: read HEARTBEAT.md." }),
  }),
);

const defaults = lazy(() =>
  openSection("Defaults for all agents.", {
    model: modelChoice(),
    imageModel: modelChoice(),
    workspace: workspace(),
    timeoutSeconds: t.number({ description: "Run timeout.", minimum: 1 }),
    mediaMaxMb: t.number({ description: "Maximum size of one image or audio file.", minimum: 0 }),
    elevatedDefault: t.choice(["off", "on", "ask", "full"], {
      description: "Initial mode for `elevated` commands.",
    }),
    maxConcurrent: t.integer({ description: "Maximum concurrent runs.", minimum: 1 }),
    heartbeat: heartbeat(),
    subagents: openSection("Sub-agents.", {
      ...spawnKeys(),
      maxConcurrent: t.integer({
        description: "Maximum concurrent sub-agents.",
        minimum: 1,
        default: 8,
      }),
      maxSpawnDepth: t.integer({
        description: "Maximum spawn depth.",
        minimum: 1,
        maximum: 5,
      }),
      maxChildrenPerAgent: t.integer({
        description: "Maximum children per agent.",
        minimum: 1,
        maximum: 20,
      }),
      runTimeoutSeconds: t.number({
        description: "Sub-agent timeout; 0 means none.",
        minimum: 0,
      }),
      archiveAfterMinutes: t.number({
        description: "Time before a finished sub-agent is archived.",
        minimum: 0,
        default: 60,
      }),
    }),
    sandbox: sandbox(),
    memorySearch: memorySearch(),
  }),
);

const agentKeys = lazy(() => ({
  default: t.boolean({ description: "Use this agent when a call names none." }),
  name: t.string({ description: "Display name." }),
  workspace: workspace(),
  agentDir: t.string({ description: "Memory directory.", minLength: 1 }),
  model: modelChoice(),
  imageModel: modelChoice(),
  heartbeat: heartbeat(),
  subagents: openSection("Sub-agents.", spawnKeys()),
  tools: agentTools(),
  sandbox: sandbox(),
  memorySearch: memorySearch(),
}));

const agent = lazy(() =>
  t.object(
    {
      id: t.string({
        description: "Agent id.",
        minLength: 1,
        maxLength: MAX_ID_CHARS,
      }),
      ...optionalKeys(agentKeys()),
    },
    { description: "One agent.", additionalProperties: true },
  ),
);

export const agents = lazy(() =>
  section("Agents.", {
    defaults: defaults(),
    list: t.array(agent(), { description: "Agents; ids are unique." }),
    entries: named(openSection("One agent.", agentKeys()), {
      description: "Agents by id, as in current OpenClaw files.",
      pattern: "\\S",
      maxLength: MAX_ID_CHARS,
    }),
  }),
);
