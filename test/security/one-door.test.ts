// d13: one door. The same forbidden call gets the same refusal and leaves the same audit row, by
// whichever way it comes; and a way that this test does not know fails it.

import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ClawtoolsConfig } from "clawtools";
import { describe, expect, it, onTestFinished } from "vitest";
import { type ListedRow, listRows, verifyAudit } from "../../src/audit/index.js";
import { ENTRY_POINTS } from "../../src/core/ports/records.js";
import { PROJECT_DIR } from "../fakes/run-node.js";
import { ENTRIES, type WantedCall } from "./one-door-entries.js";

/** Where calls are made outside of core, and by which ways they come there. */
const CALLERS: Readonly<Record<string, readonly string[]>> = {
  "src/adapters/ai-sdk.ts": ["ai-sdk"],
  "src/adapters/pi.ts": ["pi"],
  // The loop of an agent, through the view of its caller.
  "src/agent/run/run-calls.ts": ["library"],
  "src/cli/commands/browser/with-caller.ts": ["cli"],
  // Hands calls of the server on, and renames what a flag refused.
  "src/cli/commands/mcp/open-narrowed.ts": [],
  "src/cli/commands/tools/call.ts": ["cli"],
  "src/gateway/methods/tools.ts": ["gateway-ws", "gateway-http"],
  // Whose entry point is the transport of the server.
  "src/mcp/server/session/call-tool.ts": ["mcp-stdio", "mcp-http"],
  "src/mcp/server/session/resources.ts": ["mcp-stdio", "mcp-http"],
  // Adds a warning to the implementation of a built-in tool; the registry runs it.
  "src/toolkit/discovery.ts": [],
  // The door itself, and the tools of a toolkit, which go through it.
  "src/toolkit/invoker.ts": ["library", "tools"],
  // Reads a tool of somebody else; what it gives is run by the door.
  "src/toolkit/tool-list.ts": [],
};
/** A call of `invoke` or `execute`, or the making of a door. */
const CALL = /(?<!function )\b(?:invoke|execute|createInvoke|executeCall|runDefinition)\(/;

interface Forbidden {
  readonly title: string;
  readonly config: ClawtoolsConfig;
  readonly call: WantedCall;
  readonly row: { readonly stage: string; readonly outcome: string; readonly reason: string };
}

const FORBIDDEN: readonly Forbidden[] = [
  {
    title: "a tool that the policy denies",
    config: { tools: { deny: ["write"] } },
    call: { name: "write", given: { path: "a.txt", content: "x" } },
    row: { stage: "find", outcome: "stopped", reason: "tool_denied" },
  },
  {
    title: "a command where none may run",
    config: { tools: { exec: { security: "deny" } } },
    call: { name: "exec", given: { command: "true" } },
    row: { stage: "answer", outcome: "error", reason: "security_deny" },
  },
  {
    title: "a call beyond the budget",
    config: { budgets: { calls: 0 } },
    call: { name: "read", given: { path: "notes.txt" } },
    row: { stage: "budget", outcome: "stopped", reason: "budget_used_up" },
  },
  {
    title: "a file outside of the root",
    config: {},
    call: { name: "read", given: { path: "../outside.txt" } },
    row: { stage: "answer", outcome: "error", reason: "path_outside_root" },
  },
  {
    title: "a change of a protected file",
    config: {},
    call: { name: "write", given: { path: ".git/config", content: "x" } },
    row: { stage: "answer", outcome: "error", reason: "path_protected" },
  },
];

const OF_THE_CALL = [
  "sessionKey",
  "entryPoint",
  "toolCallId",
  "at",
  "durationMs",
  "sequence",
  "previous",
  "hash",
];

/** What must be the same by every way. */
function withoutCall(row: ListedRow): Record<string, unknown> {
  return Object.fromEntries(Object.entries(row).filter(([name]) => !OF_THE_CALL.includes(name)));
}

function makePlace() {
  const place = realpathSync(mkdtempSync(join(tmpdir(), "clawtools-one-door-")));
  onTestFinished(() => rmSync(place, { recursive: true, force: true }));
  const root = join(place, "root");
  mkdirSync(root);
  writeFileSync(join(root, "notes.txt"), "buy milk\n");
  const stateDir = join(place, "state");
  mkdirSync(stateDir);
  return { root, stateDir };
}

describe("the same forbidden call", () => {
  it.each(FORBIDDEN)("is refused and recorded alike by every way: $title", async (forbidden) => {
    const { config, call, row: expected } = forbidden;
    const place = { ...makePlace(), config };
    const seen: Record<string, { text: string; row: Record<string, unknown> }> = {};
    const absent: string[] = [];
    for (const entryPoint of ENTRY_POINTS) {
      const text = await ENTRIES[entryPoint](place, call);
      const rows = await listRows(place.stateDir, { limit: 100 });
      const known = Object.keys(seen).length;
      const [row, ...more] = rows.slice(known);
      if (text === undefined || row === undefined) {
        expect({ entryPoint, text, row }).toEqual({ entryPoint });
        absent.push(entryPoint);
        continue;
      }
      expect(more).toEqual([]);
      expect(row).toMatchObject({ kind: "call", entryPoint, ...expected });
      seen[entryPoint] = { text, row: withoutCall(row) };
    }
    expect(await verifyAudit(place.stateDir)).toMatchObject({ isWhole: true });
    const { library, ...others } = seen;
    expect(library?.text).toContain('"status":"error"');
    for (const [entryPoint, found] of Object.entries(others)) {
      expect({ entryPoint, ...found }).toEqual({ entryPoint, ...library });
    }
    // Who is given a list of tools does not get one that is denied.
    const isDenied = expected.reason === "tool_denied";
    expect(absent).toEqual(isDenied ? ["tools", "ai-sdk", "pi"] : []);
  });
});

describe("the ways to the door", () => {
  it("are those that this test knows", () => {
    const callers = listSources("src")
      .filter((path) => !path.startsWith("src/core/"))
      .filter((path) => CALL.test(withoutComments(path)));
    expect(callers).toEqual(Object.keys(CALLERS));
    expect(new Set(Object.values(CALLERS).flat())).toEqual(new Set(ENTRY_POINTS));
    expect(Object.keys(ENTRIES)).toEqual([...ENTRY_POINTS]);
  });

  it.each(["toolkit.invoke({ id, name })", "await tool.execute(id, params)", "createInvoke(deps)"])(
    "would be seen if they were new: %s",
    (line) => expect(CALL.test(line)).toBe(true),
  );
});

function listSources(folder: string): string[] {
  return readdirSync(join(PROJECT_DIR, folder), { recursive: true, encoding: "utf8" })
    .map((name) => `${folder}/${name}`)
    .filter((path) => path.endsWith(".ts") && !path.endsWith(".test.ts"))
    .sort();
}

function withoutComments(path: string): string {
  const text = readFileSync(join(PROJECT_DIR, path), "utf8");
  return text.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, "");
}
