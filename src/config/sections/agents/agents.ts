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
  t.string({ description: "Folder in which the agent works.", minLength: 1 }),
);

const spawnKeys = lazy(() => ({
  allowAgents: texts("Agents that may be started from here; `*` is every agent."),
  model: modelChoice(),
}));

const heartbeat = lazy(() =>
  openSection("A turn of the main session now and then.", {
    every: t.string({ description: 'Time between them, such as "30m"; off when absent or "0".' }),
    target: t.string({ description: "Channel that a reply goes to; `none` for the session only." }),
    prompt: t.string({ description: "What the agent is asked; default: read HEARTBEAT.md." }),
  }),
);

const defaults = lazy(() =>
  openSection("What holds for every agent that does not say otherwise.", {
    model: modelChoice(),
    imageModel: modelChoice(),
    workspace: workspace(),
    timeoutSeconds: t.number({ description: "Seconds that one run may take.", minimum: 1 }),
    mediaMaxMb: t.number({ description: "Megabytes of one picture or sound.", minimum: 0 }),
    elevatedDefault: t.choice(["off", "on", "ask", "full"], {
      description: "How `elevated` commands are treated at first.",
    }),
    maxConcurrent: t.integer({ description: "Runs at the same time.", minimum: 1 }),
    heartbeat: heartbeat(),
    subagents: openSection("Agents started by agents.", {
      ...spawnKeys(),
      maxConcurrent: t.integer({ description: "Runs at the same time.", minimum: 1, default: 8 }),
      maxSpawnDepth: t.integer({
        description: "How deep agents may start agents.",
        minimum: 1,
        maximum: 5,
      }),
      maxChildrenPerAgent: t.integer({
        description: "Agents that one agent may have started.",
        minimum: 1,
        maximum: 20,
      }),
      runTimeoutSeconds: t.number({
        description: "Seconds of one run; 0 means no limit.",
        minimum: 0,
      }),
      archiveAfterMinutes: t.number({
        description: "Minutes until a finished one is put away.",
        minimum: 0,
        default: 60,
      }),
    }),
    sandbox: sandbox(),
    memorySearch: memorySearch(),
  }),
);

const agentKeys = lazy(() => ({
  default: t.boolean({ description: "This agent answers when none is named." }),
  name: t.string({ description: "Name for people." }),
  workspace: workspace(),
  agentDir: t.string({ description: "Folder of its memory.", minLength: 1 }),
  model: modelChoice(),
  imageModel: modelChoice(),
  heartbeat: heartbeat(),
  subagents: openSection("Agents it may start.", spawnKeys()),
  tools: agentTools(),
  sandbox: sandbox(),
  memorySearch: memorySearch(),
}));

const agent = lazy(() =>
  t.object(
    {
      id: t.string({
        description: "Name of the agent in keys and commands.",
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
    list: t.array(agent(), { description: "The agents as a list; each id appears once." }),
    entries: named(openSection("One agent.", agentKeys()), {
      description: "The agents by id, as OpenClaw writes them now; the same as `agents.list`.",
      pattern: "\\S",
      maxLength: MAX_ID_CHARS,
    }),
  }),
);
