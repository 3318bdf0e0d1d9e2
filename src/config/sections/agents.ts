// `agents`: what holds for all agents, and the agents by name.
import { t } from "../../core/index.js";
import { lazy } from "../../lib/lazy.js";
import { modelChoice } from "./models.js";
import { named, openSection, optionalKeys, section, texts } from "./section.js";
import { agentTools } from "./tools.js";

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
    every: t.string({
      description: 'Interval, such as "30m", at least "10s"; unset or "0" disables it.',
    }),
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

const sandbox = lazy(() =>
  openSection("The sandbox.", {
    mode: t.choice(["off", "non-main", "all"], {
      description: "Sessions that run in a sandbox; `non-main` means all but the main one.",
      default: "off",
    }),
    scope: t.choice(["session", "agent", "shared"], {
      description: "What shares one sandbox.",
      default: "agent",
    }),
    workspaceAccess: t.choice(["none", "ro", "rw"], {
      description: "Workspace access. Only `rw` is supported; other values are errors.",
      default: "rw",
    }),
    workspaceRoot: t.string({ description: "Directory for sandbox workspaces." }),
    sessionToolsVisibility: t.choice(["spawned", "all"], {
      description: "Sessions that sandboxed session tools can see.",
      default: "spawned",
    }),
  }),
);

const share = (description: string, value: number) =>
  t.number({ description, minimum: 0, maximum: 1, default: value });
const flag = (description: string) => t.boolean({ description });

const remote = lazy(() =>
  openSection("Embeddings provider.", {
    baseUrl: t.string({ description: "Base URL." }),
    apiKey: t.string({ description: "API key." }),
    headers: t.record(t.string(), { description: "Extra request headers." }),
  }),
);

const sync = lazy(() =>
  openSection("When the index is updated.", {
    onSessionStart: flag("Update when a session starts."),
    onSearch: flag("Update before a search."),
    watch: flag("Update when a file changes."),
    watchDebounceMs: t.integer({
      description: "Debounce time after a change.",
      minimum: 0,
      default: 1_500,
    }),
    intervalMinutes: t.number({
      description: "Update interval; 0 disables it.",
      minimum: 0,
      default: 0,
    }),
  }),
);

const query = lazy(() =>
  openSection("Ranking of hits.", {
    maxResults: t.integer({ description: "Maximum hits.", minimum: 1, default: 6 }),
    minScore: share("Minimum score, relative to the best hit.", 0.15),
    hybrid: openSection("Combined keyword and embedding search.", {
      enabled: flag("Combine keyword and embedding search."),
      vectorWeight: share("Weight of embeddings.", 0.5),
      textWeight: share("Weight of keywords.", 0.5),
      candidateMultiplier: t.integer({
        description: "Candidates per requested hit.",
        minimum: 1,
        default: 4,
      }),
    }),
  }),
);

const memorySearch = lazy(() =>
  openSection("Memory search.", {
    enabled: t.boolean({ description: "Offer the memory tools.", default: true }),
    sources: t.array(t.choice(["memory", "sessions"]), { description: "Sources to search." }),
    extraPaths: texts("Extra Markdown files and directories."),
    provider: t.string({
      description: "Embeddings provider: `openai`, `gemini` or `ollama`. Default: none.",
    }),
    model: t.string({ description: "Embeddings model." }),
    fallback: t.string({
      description: "Provider to use when the first fails, or `none`.",
    }),
    remote: remote(),
    local: openSection("Local embeddings.", {
      modelPath: t.string({ description: "Model file." }),
    }),
    store: openSection("The index.", {
      path: t.string({ description: "Index file; `{agentId}` is replaced." }),
    }),
    chunking: openSection("Chunk size.", {
      tokens: t.integer({ description: "Chunk length in tokens.", minimum: 1, default: 400 }),
      overlap: t.integer({ description: "Overlap of chunks in tokens.", minimum: 0, default: 0 }),
    }),
    sync: sync(),
    query: query(),
    experimental: openSection("Experimental.", {
      sessionMemory: t.boolean({ description: "Also search sessions.", default: false }),
    }),
  }),
);

export const memory = lazy(() =>
  openSection("Memory tools.", {
    citations: t.choice(["auto", "on", "off"], {
      description: "Cite the source of each hit; `auto` cites in direct chats.",
    }),
  }),
);
