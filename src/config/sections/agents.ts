// `agents`: what holds for all agents, and the agents by name.
import { t } from "../../core/index.js";
import { lazy } from "../../lib/lazy.js";
import { modelChoice } from "./models.js";
import {
  choice,
  flag,
  integer,
  named,
  number,
  openSection,
  optionalKeys,
  section,
  text,
  texts,
} from "./section.js";
import { agentTools } from "./tools.js";

const MAX_ID_CHARS = 64;

const workspace = () => text("Working directory of the agent.", { minLength: 1 });

const spawnKeys = lazy(() => ({
  allowAgents: texts("Agents that may be spawned; `*` means any."),
  model: modelChoice(),
}));

const heartbeat = lazy(() =>
  openSection("Periodic turns of the main session.", {
    every: text('Interval, such as "30m", at least "10s"; unset or "0" disables it.'),
    target: text("Channel for replies; `none` keeps them in the session."),
    prompt: text("Prompt. Default: read HEARTBEAT.md."),
  }),
);

const defaults = () =>
  openSection("Defaults for all agents.", {
    model: modelChoice(),
    imageModel: modelChoice(),
    workspace: workspace(),
    timeoutSeconds: number("Run timeout.", { minimum: 1 }),
    mediaMaxMb: number("Maximum size of one image or audio file.", { minimum: 0 }),
    elevatedDefault: choice("Initial mode for `elevated` commands.", ["off", "on", "ask", "full"]),
    maxConcurrent: integer("Maximum concurrent runs.", { minimum: 1 }),
    heartbeat: heartbeat(),
    subagents: openSection("Sub-agents.", {
      ...spawnKeys(),
      maxConcurrent: integer("Maximum concurrent sub-agents.", { minimum: 1, default: 8 }),
      maxSpawnDepth: integer("Maximum spawn depth.", { minimum: 1, maximum: 5 }),
      maxChildrenPerAgent: integer("Maximum children per agent.", { minimum: 1, maximum: 20 }),
      runTimeoutSeconds: number("Sub-agent timeout; 0 means none.", { minimum: 0 }),
      archiveAfterMinutes: number("Use session.retentionDays, or `cleanup` of sessions_spawn.", {
        deprecated: true,
      }),
    }),
    sandbox: sandbox(),
    memorySearch: memorySearch(),
  });

const agentKeys = lazy(() => ({
  default: flag("Use this agent when a call names none."),
  name: text("Display name."),
  workspace: workspace(),
  agentDir: text("Memory directory.", { minLength: 1 }),
  model: modelChoice(),
  imageModel: modelChoice(),
  heartbeat: heartbeat(),
  subagents: openSection("Sub-agents.", spawnKeys()),
  tools: agentTools(),
  sandbox: sandbox(),
  memorySearch: memorySearch(),
}));

const agent = () =>
  t.object(
    {
      id: text("Agent id.", { minLength: 1, maxLength: MAX_ID_CHARS }),
      ...optionalKeys(agentKeys()),
    },
    { description: "One agent.", additionalProperties: true },
  );

export const agents = () =>
  section("Agents.", {
    defaults: defaults(),
    list: t.array(agent(), { description: "Agents; ids are unique." }),
    entries: named(openSection("One agent.", agentKeys()), {
      description: "Agents by id, as in current OpenClaw files.",
      pattern: "\\S",
      maxLength: MAX_ID_CHARS,
    }),
  });

const sandbox = lazy(() =>
  openSection("The sandbox.", {
    mode: choice(
      "Sessions that run in a sandbox; `non-main` means all but the main one.",
      ["off", "non-main", "all"],
      { default: "off" },
    ),
    scope: choice("What shares one sandbox.", ["session", "agent", "shared"], { default: "agent" }),
    workspaceAccess: choice(
      "Workspace access. Only `rw` is supported; other values are errors.",
      ["none", "ro", "rw"],
      { default: "rw" },
    ),
    workspaceRoot: text("Directory for sandbox workspaces."),
    sessionToolsVisibility: choice(
      "Sessions that sandboxed session tools can see.",
      ["spawned", "all"],
      { default: "spawned" },
    ),
  }),
);

const share = (description: string, value: number) =>
  number(description, { minimum: 0, maximum: 1, default: value });

const remote = () =>
  openSection("Embeddings provider.", {
    baseUrl: text("Base URL."),
    apiKey: text("API key."),
    headers: t.record(t.string(), { description: "Extra request headers." }),
  });

const sync = () =>
  openSection("When the index is updated.", {
    onSessionStart: flag("Update when a session starts."),
    onSearch: flag("Update before a search."),
    watch: flag("Update when a file changes."),
    watchDebounceMs: integer("Debounce time after a change.", { minimum: 0, default: 1_500 }),
    intervalMinutes: number("Update interval; 0 disables it.", { minimum: 0, default: 0 }),
  });

const query = () =>
  openSection("Ranking of hits.", {
    maxResults: integer("Maximum hits.", { minimum: 1, default: 6 }),
    minScore: share("Minimum score, relative to the best hit.", 0.15),
    hybrid: openSection("Combined keyword and embedding search.", {
      enabled: flag("Combine keyword and embedding search."),
      vectorWeight: share("Weight of embeddings.", 0.5),
      textWeight: share("Weight of keywords.", 0.5),
      candidateMultiplier: integer("Candidates per requested hit.", { minimum: 1, default: 4 }),
    }),
  });

const memorySearch = lazy(() =>
  openSection("Memory search.", {
    enabled: flag("Offer the memory tools.", { default: true }),
    sources: t.array(t.choice(["memory", "sessions"]), { description: "Sources to search." }),
    extraPaths: texts("Extra Markdown files and directories."),
    provider: text("Embeddings provider: `openai`, `gemini` or `ollama`. Default: none."),
    model: text("Embeddings model."),
    fallback: text("Provider to use when the first fails, or `none`."),
    remote: remote(),
    local: openSection("Local embeddings.", {
      modelPath: text("Model file."),
    }),
    store: openSection("The index.", {
      path: text("Index file; `{agentId}` is replaced."),
    }),
    chunking: openSection("Chunk size.", {
      tokens: integer("Chunk length in tokens.", { minimum: 1, default: 400 }),
      overlap: integer("Overlap of chunks in tokens.", { minimum: 0, default: 0 }),
    }),
    sync: sync(),
    query: query(),
    experimental: openSection("Experimental.", {
      sessionMemory: flag("Also search sessions.", { default: false }),
    }),
  }),
);

export const memory = () =>
  openSection("Memory tools.", {
    citations: choice("Cite the source of each hit; `auto` cites in direct chats.", [
      "auto",
      "on",
      "off",
    ]),
  });
