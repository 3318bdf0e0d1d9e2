// Claims 37, 38, 43 to 46 and 54 to 59: the documented catalog, its sections and its profiles.
import { createClawtools, getCoreSections, getCoreToolCatalog, getToolCatalog } from "clawtools";
import type { ToolProfile } from "clawtools/tools";
import { describe, expect, it } from "vitest";
import { createMemoryBridge } from "../fakes/memory-bridge.js";

interface DocumentedRow {
  readonly id: string;
  readonly section: string;
  readonly description: string;
  readonly profiles: readonly ToolProfile[];
  readonly ticked?: true;
}

/** The documented tables, row by row; labels equal ids. */
const DOCUMENTED: readonly DocumentedRow[] = [
  { id: "read", section: "fs", description: "Read file contents", profiles: ["coding"] },
  { id: "write", section: "fs", description: "Create or overwrite files", profiles: ["coding"] },
  { id: "edit", section: "fs", description: "Make precise edits", profiles: ["coding"] },
  { id: "exec", section: "runtime", description: "Run shell commands", profiles: ["coding"] },
  { id: "web_search", section: "web", description: "Search the web", profiles: [], ticked: true },
  { id: "web_fetch", section: "web", description: "Fetch web content", profiles: [], ticked: true },
  {
    id: "memory_search",
    section: "memory",
    description: "Semantic memory search",
    profiles: ["coding"],
    ticked: true,
  },
  {
    id: "memory_get",
    section: "memory",
    description: "Read memory files",
    profiles: ["coding"],
    ticked: true,
  },
  {
    id: "sessions_list",
    section: "sessions",
    description: "List active sessions",
    profiles: ["coding", "messaging"],
    ticked: true,
  },
  {
    id: "sessions_history",
    section: "sessions",
    description: "View session history",
    profiles: ["coding", "messaging"],
    ticked: true,
  },
  {
    id: "sessions_send",
    section: "sessions",
    description: "Send messages to a session",
    profiles: ["coding", "messaging"],
    ticked: true,
  },
  {
    id: "sessions_spawn",
    section: "sessions",
    description: "Spawn a sub-agent session",
    profiles: ["coding"],
    ticked: true,
  },
  {
    id: "subagents",
    section: "sessions",
    description: "Manage sub-agent sessions",
    profiles: ["coding"],
    ticked: true,
  },
  {
    id: "session_status",
    section: "sessions",
    description: "View session status and model info",
    profiles: ["minimal", "coding", "messaging"],
    ticked: true,
  },
  { id: "browser", section: "ui", description: "Control a headless browser", profiles: ["coding"] },
  {
    id: "canvas",
    section: "ui",
    description: "Render canvas visualizations",
    profiles: ["coding"],
  },
  {
    id: "message",
    section: "messaging",
    description: "Send messages across channels",
    profiles: ["messaging"],
  },
  { id: "cron", section: "automation", description: "Schedule recurring tasks", profiles: [] },
  { id: "gateway", section: "automation", description: "Gateway management", profiles: [] },
  { id: "nodes", section: "nodes", description: "Manage cluster nodes", profiles: [] },
  { id: "agents_list", section: "agents", description: "List configured agents", profiles: [] },
  {
    id: "image",
    section: "media",
    description: "Generate and process images",
    profiles: ["coding"],
  },
  { id: "tts", section: "media", description: "Text-to-speech synthesis", profiles: [] },
];

const SECTIONS = [
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
];

const IDS = DOCUMENTED.map(({ id }) => id);
const WITHOUT_PROFILE = DOCUMENTED.filter(({ profiles }) => profiles.length === 0).map(
  ({ id }) => id,
);
const EXTENDED = ["process", "apply_patch", "grep", "find", "ls", "lobster", "llm-task"];

/** A context in which no tool of the catalog is absent. */
const CTX = { root: "/project", bridge: createMemoryBridge({}) };

function namesInProfile(profile: ToolProfile): string[] {
  return createClawtools()
    .tools.resolveByProfile(profile, CTX)
    .map(({ name }) => name);
}

function catalogRow(id: string) {
  return getCoreToolCatalog().find((meta) => meta.id === id);
}

describe("catalog", () => {
  it("37 · getCoreToolCatalog() = 23 ToolMeta", () => {
    const catalog = getCoreToolCatalog();
    expect(catalog).toHaveLength(23);
    expect(catalog.map(({ id }) => id)).toEqual(IDS);
    for (const meta of catalog) expect(meta.source, meta.id).toBe("core");
    expect(createClawtools().tools.list()).toEqual(catalog);
  });

  it("38 · getCoreSections() ordered", () => {
    expect(getCoreSections()).toEqual(SECTIONS);
    const listed = createClawtools().tools.listBySection();
    expect(listed.map(({ id, label }) => ({ id, label }))).toEqual(SECTIONS);
  });

  it("54 · 23 catalog rows: id, label, description exactly", () => {
    expect(
      getCoreToolCatalog().map(({ id, label, description, sectionId }) => ({
        id,
        label,
        description,
        sectionId,
      })),
    ).toEqual(
      DOCUMENTED.map(({ id, description, section }) => ({
        id,
        label: id,
        description,
        sectionId: section,
      })),
    );
  });

  it('55 · image described "Generate and process images"', () => {
    expect(catalogRow("image")?.description).toBe("Generate and process images");
  });

  it('56 · nodes described "Manage cluster nodes", canvas "Render canvas visualizations"', () => {
    expect(catalogRow("nodes")?.description).toBe("Manage cluster nodes");
    expect(catalogRow("canvas")?.description).toBe("Render canvas visualizations");
  });

  it("57 · profiles column of each row", () => {
    expect(getCoreToolCatalog().map(({ id, profiles }) => [id, profiles])).toEqual(
      DOCUMENTED.map(({ id, profiles }) => [id, profiles]),
    );
  });

  it('58 · "OpenClaw group" tick on 10 tools', () => {
    const ticked = getCoreToolCatalog().filter((meta) => meta.includeInOpenClawGroup);
    expect(ticked).toHaveLength(10);
    expect(ticked.map(({ id }) => id)).toEqual(
      DOCUMENTED.filter((row) => row.ticked).map(({ id }) => id),
    );
    const { tools } = createClawtools({ tools: { include: ["group:openclaw"] } });
    expect(tools.list()).toEqual(ticked);
  });

  it("the whole catalog adds four tools of our own and keeps the documented order", () => {
    const all = getToolCatalog().map(({ id }) => id);
    const ours = all.filter((id) => !IDS.includes(id));
    expect(all.filter((id) => IDS.includes(id))).toEqual(IDS);
    expect(ours).toEqual(expect.arrayContaining(EXTENDED));
    expect(createClawtools({ catalog: "all" }).tools.list()).toEqual(getToolCatalog());
    for (const id of ours) expect(createClawtools().tools.has(id), id).toBe(false);
  });
});

describe("profiles", () => {
  it("43 · profile minimal = session_status", () => {
    expect(namesInProfile("minimal")).toEqual(["session_status"]);
  });

  it("44 · profile coding text: fs, runtime, web, memory, sessions, browser, image: the catalog's 15 count", () => {
    expect(namesInProfile("coding")).toEqual([
      "read",
      "write",
      "edit",
      "exec",
      "memory_search",
      "memory_get",
      "sessions_list",
      "sessions_history",
      "sessions_send",
      "sessions_spawn",
      "subagents",
      "session_status",
      "browser",
      "canvas",
      "image",
    ]);
  });

  it("45 · profile messaging text: list/history/send/spawn/status + message: the catalog's 5 count", () => {
    expect(namesInProfile("messaging")).toEqual([
      "sessions_list",
      "sessions_history",
      "sessions_send",
      "session_status",
      "message",
    ]);
  });

  it("46 · profile full = everything", () => {
    expect(namesInProfile("full")).toEqual(IDS);
  });

  it("59 · tools without profile only via full or include", () => {
    expect(WITHOUT_PROFILE).toHaveLength(7);
    const named = (["minimal", "coding", "messaging"] as const).flatMap(namesInProfile);
    for (const id of WITHOUT_PROFILE) {
      expect(named, id).not.toContain(id);
      expect(namesInProfile("full"), id).toContain(id);
      const { tools } = createClawtools({ tools: { include: [id] } });
      expect(tools.resolveAll(CTX).map(({ name }) => name)).toEqual([id]);
    }
  });
});
