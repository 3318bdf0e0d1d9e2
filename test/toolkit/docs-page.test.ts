// The toolkit pages list every explain code, event, option and member that the code has.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { ExplainCode, ToolkitEvents, ToolkitOptions } from "clawtools";
import { describe, expect, it } from "vitest";
import { PROJECT_DIR } from "../fakes/run-node.js";
import { startToolkit } from "./start-toolkit.js";

const PAGE = ["toolkit.md", "toolkit-calls.md"]
  .map((name) => readFileSync(join(PROJECT_DIR, "docs", name), "utf8"))
  .join("\n");

const CODES = {
  ready: true,
  denied: true,
  not_built: true,
  not_attached: true,
  missing_context: true,
  schema_refused: true,
  name_conflict: true,
  factory_threw: true,
  factory_async: true,
  tool_invalid: true,
  declined: true,
  not_loaded: true,
  unknown: true,
} satisfies Record<ExplainCode, true>;

const EVENTS = { call: true, diagnostic: true, notice: true, tools: true } satisfies Record<
  keyof ToolkitEvents,
  true
>;

const OPTIONS = {
  root: true,
  config: true,
  tools: true,
  hooks: true,
  approve: true,
  owner: true,
  agentId: true,
  provider: true,
  model: true,
  messageChannel: true,
  groupId: true,
  sender: true,
  subagent: true,
  toolsAllow: true,
  sandboxed: true,
  sessionKey: true,
  agentDir: true,
  bridge: true,
  protect: true,
  stateDir: true,
  changeConfig: true,
  approvals: true,
  artifacts: true,
  models: true,
  vision: true,
} satisfies Record<keyof ToolkitOptions, true>;

/** The names in the first cells of the table under a heading. */
function firstCells(heading: string): string[] {
  const section = PAGE.split(`\n## ${heading}\n`)[1]?.split("\n## ")[0] ?? "";
  return [...section.matchAll(/^\| (`[^|]+) \|/gm)].flatMap(([, cell = ""]) =>
    [...cell.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name),
  );
}

describe("the toolkit pages", () => {
  it.each([
    ["Options", OPTIONS],
    ["Why is a tool not there?", CODES],
    ["Events", EVENTS],
  ])("lists under %s what there is", (heading, names) => {
    expect(firstCells(heading)).toEqual(Object.keys(names));
  });

  it("lists every member of a toolkit", () => {
    const { toolkit } = startToolkit();
    const listed = firstCells("What it offers").map((cell) => cell.replace(/\(.*$/, ""));
    expect(new Set(listed)).toEqual(new Set(Object.keys(toolkit)));
  });

  it("shows the row that really comes out for a denied tool", () => {
    const { toolkit } = startToolkit({ config: { tools: { deny: ["write"] } } });
    const { reason, rule, code, restore } = toolkit.explain("write");
    const shown = /```js\ntoolkit\.explain\("write"\);\n([\s\S]*?)```/.exec(PAGE)?.[1] ?? "";
    expect(shown).toContain(`code: "${code}", rule: '${rule}'`);
    expect(shown).toContain(`reason: '${reason}'`);
    expect(restore).toEqual({ tools: { deny: [] } });
    expect(shown).toContain("restore: { tools: { deny: [] } }");
  });
});
