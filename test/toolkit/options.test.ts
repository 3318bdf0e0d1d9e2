// What `createToolkit` is given: options that cannot be meant are refused, and nothing is written.

import { existsSync, readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { type ClawtoolsConfig, createToolkit, type ToolkitOptions } from "clawtools";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { readStateDir } from "../../src/toolkit/options/settings.js";
import { bindPorts } from "../../src/toolkit/ports/ports.js";
import { createTempFolder } from "../plugins/temp-folder.js";
import { ROOT } from "./start-toolkit.js";

const idle = () => undefined;

/** What a caller without types may pass. */
const create = (options: unknown) => createToolkit(options as ToolkitOptions);

describe("options that cannot be meant", () => {
  it.each<[what: string, options: unknown, words: RegExp]>([
    ["no options", undefined, /createToolkit takes an object/],
    ["no root", {}, /root must be/],
    ["a root that is no text", { root: 5 }, /root must be/],
    ["a blank root, though files come from elsewhere", { root: " ", bridge: {} }, /root must be/],
    ["a state folder that is no text", { root: ROOT, stateDir: 5 }, /stateDir must be/],
    ["a blank state folder", { root: ROOT, stateDir: "" }, /stateDir must be/],
    ["a state folder with a NUL", { root: ROOT, stateDir: "a\0b" }, /stateDir must be/],
    [
      "an owner that is no yes or no",
      { root: ROOT, owner: "false" },
      /owner must be true or false/,
    ],
    ["a sandbox that is no yes or no", { root: ROOT, sandboxed: 1 }, /sandboxed must be/],
    ["a single tool", { root: ROOT, tools: {} }, /tools must be a list/],
    [
      "an approver that is no function",
      { root: ROOT, approve: true },
      /approve must be a function/,
    ],
    [
      "hooks that are no lists",
      { root: ROOT, hooks: { beforeCall: () => 1 } },
      /hooks\.beforeCall/,
    ],
    ["a hook that is no function", { root: ROOT, hooks: { afterCall: [1] } }, /hooks\.afterCall/],
    ["an agent that is no text", { root: ROOT, agentId: 7 }, /agentId must be a text/],
    ["a config that is no object", { root: ROOT, config: [] }, /config/],
    ["an unknown option", { root: ROOT, agentID: "a" }, /agentID is not an option; .* agentId\?/],
    [
      "an option unlike any other",
      { root: ROOT, xyzzy: 1 },
      /xyzzy is not an option; there are root/,
    ],
    [
      "an unknown hook",
      { root: ROOT, hooks: { beforecall: [] } },
      /hooks\.beforecall .*beforeCall\?/,
    ],
    ["a provider that is no text", { root: ROOT, provider: 5 }, /provider must be a text/],
    ["a sender that is a text", { root: ROOT, sender: "u1" }, /sender must be an object/],
    ["a sender's id that is no text", { root: ROOT, sender: { id: 5 } }, /sender\.id must be/],
    ["an unknown kind of sub-agent", { root: ROOT, subagent: true }, /subagent must be "leaf"/],
    ["a cap that is no list", { root: ROOT, toolsAllow: "read" }, /toolsAllow must be a list/],
    ["a bridge that is a text", { root: ROOT, bridge: "x" }, /bridge must be an object/],
    [
      "a bridge without one of the four methods",
      { root: ROOT, bridge: { stat: idle, readFile: idle, writeFile: idle } },
      /bridge\.mkdirp must be a function; every bridge has stat, readFile, mkdirp, writeFile/,
    ],
    [
      "a further method of a bridge that is none",
      {
        root: ROOT,
        bridge: { stat: idle, readFile: idle, mkdirp: idle, writeFile: idle, list: true },
      },
      /bridge\.list must be a function, or left out/,
    ],
    ["a tool that is none", { root: ROOT, tools: [null] }, /tool/i],
  ])("are refused with their name: %s", (_what, options, message) => {
    expect(() => create(options)).toThrow(
      expect.objectContaining({
        name: "ToolInputError",
        code: "invalid_input",
        message: expect.stringMatching(message),
      }),
    );
  });

  it("are not the methods of a class", async () => {
    class Bridge {
      stat = idle;
      readFile = idle;
      writeFile = idle;
      mkdirp() {
        return idle();
      }
    }
    const toolkit = create({ root: ROOT, bridge: new Bridge() });
    expect(toolkit.diagnostics()).toEqual([]);
    await toolkit.close();
  });

  it("are not those that are left undefined", async () => {
    const toolkit = create({ root: ROOT, stateDir: undefined, owner: undefined, tools: undefined });
    expect(toolkit.diagnostics()).toEqual([]);
    await toolkit.close();
  });
});

describe("a root", () => {
  it("that is not there, or is a file, is a diagnostic when the toolkit is ready", async () => {
    const folder = await createTempFolder({ "a.txt": "a" });
    const told = async (root: string) => {
      const toolkit = createToolkit({ root });
      await toolkit.ready;
      const messages = toolkit.diagnostics().map(({ message }) => message);
      await toolkit.close();
      return messages;
    };
    expect(await told(folder)).toEqual([]);
    expect(await told(join(folder, "none"))).toEqual([
      expect.stringMatching(/^root: ".+none" is not there/),
    ]);
    expect(await told(join(folder, "a.txt"))).toEqual([
      expect.stringMatching(/^root: ".+a\.txt" is not a folder/),
    ]);
  });
});

describe("a member that is called wrongly", () => {
  type Loose = Record<"schemas" | "explain" | "on" | "reportUsage", (...given: unknown[]) => void>;

  it.each<[what: string, call: (toolkit: Loose) => void, words: RegExp]>([
    ["schemas(null)", ({ schemas }) => schemas(null), /schemas takes an object/],
    ["schemas of a number", ({ schemas }) => schemas({ provider: 5 }), /schemas: provider must/],
    ["explain(null)", ({ explain }) => explain(null), /explain takes an object/],
    ["explain of a list", ({ explain }) => explain("read", []), /explain takes an object/],
    ["on of an unknown event", ({ on }) => on("cal", () => 1), /no event "cal"; .*"call"/],
    ["on without a listener", ({ on }) => on("call"), /takes a function/],
    ["reportUsage()", ({ reportUsage }) => reportUsage(), /./],
  ])("says what it takes: %s", async (_what, call, message) => {
    const toolkit = create({ root: ROOT });
    expect(() => call(toolkit as unknown as Loose)).toThrow(
      expect.objectContaining({ name: "ToolInputError", message: expect.stringMatching(message) }),
    );
    await toolkit.close();
  });

  it("answers like any failed call: invoke()", async () => {
    const toolkit = create({ root: ROOT });
    const invoke = toolkit.invoke as (given?: unknown) => Promise<unknown>;
    expect(await invoke()).toMatchObject({ isError: true, details: { code: "invalid_input" } });
    await toolkit.close();
  });
});

describe("the state folder", () => {
  it.each([
    ["an absolute path stays", "/srv/state", "/srv/state"],
    ["a relative one begins in the working folder", "state", resolve("state")],
    ["~ is the home folder", "~/state", "/home/ada/state"],
  ])("%s", (_title, given, expected) => {
    vi.stubEnv("HOME", "/home/ada");
    onTestFinished(() => void vi.unstubAllEnvs());
    expect(readStateDir(given)).toBe(expected);
  });

  it("is CLAWTOOLS_STATE_DIR when none is given, else .clawtools in the home folder", () => {
    vi.stubEnv("HOME", "/home/ada");
    onTestFinished(() => void vi.unstubAllEnvs());
    vi.stubEnv("CLAWTOOLS_STATE_DIR", "/srv/all");
    expect(readStateDir(undefined)).toBe("/srv/all");
    vi.stubEnv("CLAWTOOLS_STATE_DIR", "");
    expect(readStateDir(undefined)).toBe("/home/ada/.clawtools");
  });

  it("is known where the ports are bound", () => {
    expect(bindPorts({ stateDir: "/srv/state" }).stateDir).toBe("/srv/state");
  });

  it("is not made by making and closing a toolkit, and by a call only for the audit", async () => {
    const folder = await createTempFolder({ "root/a.txt": "a\n" });
    const stateDir = join(folder, "state");
    const root = join(folder, "root");
    const use = async (config: ClawtoolsConfig, count: number) => {
      const toolkit = createToolkit({ root, stateDir, config });
      await toolkit.ready;
      if (count > 0) await toolkit.invoke({ id: "1", name: "read", arguments: { path: "a.txt" } });
      await toolkit.close();
    };
    await use({}, 0);
    await use({ audit: { enabled: false } }, 1);
    expect(existsSync(stateDir)).toBe(false);
    await use({}, 1);
    const names = readdirSync(stateDir).sort();
    expect(names).toEqual(["audit.head.json", "audit.jsonl", "audit.key", "audit.lock"]);
  });
});
