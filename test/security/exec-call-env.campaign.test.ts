// Variables that a call adds on the machine itself: a list is about programs and arguments, so it covers
// no call whose variables could turn what the program does. Through both doors.

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createClawtools, createToolkit } from "clawtools";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { findTurningVariable } from "../../src/core/command/decide/cover-step.js";
import { sampleRows } from "../fakes/campaign.js";
import { resolveTool } from "../fakes/resolve-tool.js";
import { createWorkspace, REALISTIC_ENTRIES, type Workspace } from "./exec-workspace.js";

const APPROVALS = {
  version: 1,
  defaults: { security: "allowlist", ask: "on-miss", askFallback: "deny" },
  agents: { "*": { allowlist: [...REALISTIC_ENTRIES, { pattern: "file" }] } },
};
const config = { tools: { exec: { sandbox: "none" } } } as const;

let workspace: Workspace;

beforeEach(() => {
  workspace = createWorkspace();
  workspace.write("magic", "0 string a turned\n");
});

afterEach(() => workspace.remove());

type Call = (args: Record<string, unknown>) => Promise<{ readonly code: unknown; text: string }>;

function throughToolkit(): Call {
  const { root, place } = workspace;
  const approvals = APPROVALS;
  const toolkit = createToolkit({ root, stateDir: join(place, "state"), config, approvals });
  onTestFinished(() => toolkit.close());
  return async (args) => {
    const { details, content } = await toolkit.invoke({ id: "c", name: "exec", arguments: args });
    return { code: Reflect.get(Object(details), "code"), text: JSON.stringify(content) };
  };
}

/** Its list lies in the state folder of this user. */
function throughRegistry(): Call {
  const { root, place } = workspace;
  const stateDir = join(place, "state");
  mkdirSync(stateDir, { mode: 0o700 });
  writeFileSync(join(stateDir, "exec-approvals.json"), JSON.stringify(APPROVALS), { mode: 0o600 });
  vi.stubEnv("CLAWTOOLS_STATE_DIR", stateDir);
  onTestFinished(() => {
    vi.unstubAllEnvs();
  });
  const ctx = { workspaceDir: root, config };
  const tool = resolveTool({ registry: createClawtools().tools, name: "exec", ctx });
  return async (args) => {
    const { details, content } = await tool.execute("call", args);
    return { code: Reflect.get(Object(details), "code"), text: JSON.stringify(content) };
  };
}

describe.each([
  ["the toolkit", throughToolkit],
  ["the bare registry", throughRegistry],
] as const)("through %s", (_, open) => {
  it("a listed command runs with variables that change only how it looks", async () => {
    const call = open();
    const env = { LC_ALL: "C", NO_COLOR: "1", TZ: "Europe/Berlin", COLUMNS: "80", CI: "true" };
    const { code, text } = await call({ command: "cat a.txt", env });
    expect(code, text).toBeUndefined();
  });

  it.each(
    sampleRows(
      [
        ["head -n 1 a.txt -n 5", { POSIXLY_CORRECT: "1" }],
        ["file a.txt", { MAGIC: "magic" }],
        ["date", { TZDIR: "." }],
        ["date", { TZ: ":/etc/shadow" }],
        ["date", { TZ: "../../../etc/shadow" }],
        ["ls", { LC_ALL: "/tmp/locale" }],
        ["ls", { LANGUAGE: "../../tmp/x" }],
        ["ls", { LC_ALL: "ja_JP.SJIS" }],
        ["ls -l", { LS_COLORS: "no=0" }],
        ["wc", { ZIPOPT: "-TT sh" }],
        ["node script.js", { NODE_ENV: "x" }],
        ["npm test", { RSYNC_RSHX: "sh" }],
        ["sort a.txt", { _POSIX2_VERSION: "199209" }],
        ["echo x | wc", { ANYTHING: "" }],
      ],
      4,
    ),
  )("%s with %o is covered by no list", async (command, env) => {
    const call = open();
    expect((await call({ command })).code).toBeUndefined();
    const { code, text } = await call({ command, env });
    expect(code, text).toBe("approval_required");
    expect(text).toContain(Object.keys(env)[0]);
  });
});

describe("variables", () => {
  it.each(["LANG", "LC_ALL", "LC_CTYPE", "LANGUAGE", "TZ", "TERM", "CI", "COLUMNS"])(
    "%s holds no path, no blank and no line break",
    (name) => {
      for (const value of ["/x", "./x", "../x", "a/../b", "a b", "C\n", "C\0", ":x/y"]) {
        expect(findTurningVariable({ [name]: value }), value).toBe(name);
      }
    },
  );

  it("are harmless by their names and usual values, not by a shape of their names", () => {
    const usual = {
      ...{
        LANG: "de_DE.UTF-8",
        LC_TIME: "C.UTF-8",
        LC_NUMERIC: "sr_RS.utf8@latin",
        LANGUAGE: "de:en",
      },
      ...{ TERM: "xterm-256color", LINES: "24", FORCE_COLOR: "3", TZ: "America/Argentina/Ushuaia" },
    };
    expect(findTurningVariable(usual)).toBeUndefined();
    expect(findTurningVariable({ ...usual, LC_X: "C" })).toBe("LC_X");
    expect(findTurningVariable({ ...usual, lang: "C" })).toBe("lang");
    expect(findTurningVariable({ LINES: "24", toString: "C" })).toBe("toString");
  });
});
